import { countTokens } from "@massgen/simulator";
import { latencyOf, presentation, vote } from "../fake-vendor/default-agents.js";
import { playOverWire, type WireRun } from "../fake-vendor/play-over-wire.js";
import { writeProse } from "../fake-vendor/prose.js";
import type { ScriptedAgent } from "../fake-vendor/script.js";

/** Sizes of the run whose money is counted: tools and system message, task, one answer. */
export const SYSTEM_TOKENS = 2800;
export const TASK_TOKENS = 300;
export const ANSWER_TOKENS = 600;
export const TEAM_SIZES: readonly number[] = [3, 5, 10];

export const STANDARD_QUESTION: string = writeProse(TASK_TOKENS, "the task");

export interface StandardOptions {
  readonly models: "one" | "own";
  /** Answers of each agent; default 1. */
  readonly answers?: number;
  /** `false`: nothing but the coordination's own system message. Default true: instructions fill it up to `SYSTEM_TOKENS`. */
  readonly filled?: boolean;
  readonly eager?: boolean;
  /** Default `auto`. */
  readonly answerOrder?: "auto" | "rotate";
}

/** A team of which each gives its answers, all of one size, then votes for the first, which presents. */
export async function playStandardRun(size: number, options: StandardOptions): Promise<WireRun> {
  const { models, answers = 1, filled = true, eager = false, answerOrder = "auto" } = options;
  const team = Array.from(
    { length: size },
    (_, i): ScriptedAgent => ({
      id: `member-${i + 1}`,
      model: models === "one" ? "bench-model" : `bench-model-${i + 1}`,
      latency: latencyOf(i),
      script(view) {
        if (view.presents) return presentation();
        if (view.answered >= answers) return vote();
        return { does: "answer", tokens: ANSWER_TOKENS, text: writeProse(ANSWER_TOKENS, `answer ${view.answered + 1} of ${i + 1}`) };
      },
    }),
  );
  const instructions = filled ? writeProse(SYSTEM_TOKENS - (await baseTokens()), "rules of the house") : "";
  const run = await playOverWire(team, {
    question: STANDARD_QUESTION,
    ...(instructions === "" ? {} : { instructions }),
    answerOrder,
    policy: eager ? { deferVotingUntilAllAnswered: false } : {},
  });
  if (run.status !== "completed") throw new Error(`The standard run of ${size} ended as ${run.status}.`);
  return run;
}

let base: Promise<number> | null = null;

/** Tools and system message of the coordination alone, in tokens, as a team of three is sent them. */
export function baseTokens(): Promise<number> {
  base ??= playStandardRun(3, { models: "own", filled: false }).then(({ calls }) => countTokens(beginningOf(calls[0]!.prompt)));
  return base;
}

/** Of a prompt all that stands before the conversation: tools and system message. */
export function beginningOf(prompt: string): string {
  const at = prompt.indexOf("\n<user>\n");
  return at === -1 ? prompt : prompt.slice(0, at + 1);
}
