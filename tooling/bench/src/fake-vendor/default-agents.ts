import { writeProse } from "./prose.js";
import type { AgentScript, Latency, ScriptedAgent, Step, View } from "./script.js";

export const VOTE_TOKENS = 60;
export const PRESENTATION_TOKENS = 800;

/** Agent `i`: first token after 0.8 to 1.2 s, then 60 to 90 tokens a second. */
export const latencyOf = (i: number): Latency => ({ firstTokenMs: 800 + 100 * (i % 5), tokensPerSecond: 60 + 10 * (i % 4) });

/** Tokens of the `r`-th answer of agent `i`, both from 0. */
export const answerTokens = (i: number, r: number): number => 600 + 40 * ((7 * i + 3 * r) % 5);

export const answer = (i: number, r: number, tokens: number = answerTokens(i, r)): Extract<Step, { does: "answer" }> => ({
  does: "answer",
  tokens,
  text: writeProse(tokens, `answer ${r + 1} of ${i + 1}`),
});
export const vote = (target = "agent1"): Step => ({ does: "vote", tokens: VOTE_TOKENS, target });
export const presentation = (): Step => ({ does: "text", tokens: PRESENTATION_TOKENS, text: writeProse(PRESENTATION_TOKENS, "final") });

/** By number, whatever the order in which they stand in the prompt: in the end everybody votes for the same one. */
const firstOf = (shown: readonly string[]): string => shown.toSorted((a, b) => numberOf(a) - numberOf(b))[0] ?? "agent1";
const numberOf = (anon: string): number => Number(anon.slice("agent".length));

/** Gives `answers` answers, then votes for the first agent it is shown each time it is asked, and presents when it is chosen. */
export function steadyScript(i: number, answers: number): AgentScript {
  return (view: View) => {
    if (view.presents) return presentation();
    return view.answered < answers ? answer(i, view.answered) : vote(firstOf(view.shown));
  };
}

export interface TeamOptions {
  readonly size: number;
  /** Answers each agent gives before it votes. */
  readonly answers: number;
  /** `one`: everybody on the same model; `own`: each on its own. */
  readonly models?: "one" | "own";
}

export function steadyTeam({ size, answers, models = "own" }: TeamOptions): readonly ScriptedAgent[] {
  return Array.from({ length: size }, (_, i) => ({
    id: `member-${String.fromCharCode(97 + (i % 26))}${i}`,
    model: models === "one" ? "bench-model" : `bench-model-${i + 1}`,
    latency: latencyOf(i),
    script: steadyScript(i, answers),
  }));
}
