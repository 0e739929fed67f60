/** What a scripted agent does in one model call. `tokens` is what the call generates, and with the latency its duration. */
export type Step =
  | { readonly does: "answer"; readonly tokens: number; readonly text: string }
  | { readonly does: "vote"; readonly tokens: number; readonly target: string }
  | { readonly does: "text"; readonly tokens: number; readonly text: string }
  | { readonly does: "tool"; readonly tokens: number; readonly tool: string; readonly input: { readonly [key: string]: string } }
  /** An HTTP error after `afterMs`. */
  | { readonly does: "fail"; readonly status: number; readonly afterMs: number; readonly retryAfterMs?: number }
  /** The connection breaks at this share of the step. */
  | { readonly does: "cut"; readonly at: number; readonly of: Extract<Step, { does: "answer" }> }
  /** Nothing comes, ever. */
  | { readonly does: "stall" };

/** What a request lets its agent know. */
export interface View {
  /** Calls of this agent before this one. */
  readonly call: number;
  /** Anonymous ids of the answers in the conversation. */
  readonly shown: readonly string[];
  /** The team has decided and this agent presents. */
  readonly presents: boolean;
  /** Answers this agent has sent so far, accepted or not. */
  readonly answered: number;
}

/** Decides, without chance, what an agent does next. */
export type AgentScript = (view: View) => Step;

export interface Latency {
  readonly firstTokenMs: number;
  readonly tokensPerSecond: number;
}

export interface ScriptedAgent {
  readonly id: string;
  readonly model: string;
  readonly latency: Latency;
  readonly script: AgentScript;
}

/** Milliseconds from the request to the last token. */
export function durationMs(tokens: number, { firstTokenMs, tokensPerSecond }: Latency): number {
  return firstTokenMs + (tokens / tokensPerSecond) * 1000;
}

/** How long a step keeps its agent busy; `Infinity` for a stall. */
export function stepMs(step: Step, latency: Latency): number {
  if (step.does === "fail") return step.afterMs;
  if (step.does === "stall") return Number.POSITIVE_INFINITY;
  return step.does === "cut" ? durationMs(step.of.tokens * step.at, latency) : durationMs(step.tokens, latency);
}
