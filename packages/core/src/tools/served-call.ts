import type { AgentId, MonotonicMillis, ToolCallPart, ToolOutput } from "@massgen/contracts";

/** What a call of an agent's tool came to: run, refused by a rule or a hook, or cut off. */
export interface ServedCall {
  /** Nobody refused it, so that it was about to run and was put on record if it cannot be taken back. */
  readonly isPassed: boolean;
  /** As the model got it. */
  readonly output: ToolOutput;
  /** Messages of hooks, behind all results of the response. */
  readonly injected: readonly string[];
}

/** Told of every call that was served, and waited for before anything is made of its result. Must not throw or reject. */
export type OnServedCall = (
  agent: AgentId,
  call: ToolCallPart,
  served: ServedCall,
  startedAt: MonotonicMillis,
  endedAt: MonotonicMillis,
) => void | Promise<void>;

/** A call that was made before, in a run that is run again. */
export interface KnownCall {
  readonly isPassed: boolean;
  /** Resolves when the call came to its end then; ends soon after the signal aborts. */
  end(signal: AbortSignal): Promise<Pick<ServedCall, "output" | "injected">>;
}

/** What a call came to when it was made before: no tool, rule or hook is asked again. */
export type RecallCall = (agent: AgentId, call: ToolCallPart) => KnownCall;
