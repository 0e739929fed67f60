import type { ParaphraseEffect, Work } from "../executor/work.js";
import { contextOf } from "../round/opening.js";
import type { RunContext } from "../round/run-context.js";
import { previewOf } from "../text/cut-text.js";
import { askBefore } from "./ask-before.js";
import { readVerdicts, readWordings } from "./read-wordings.js";

/**
 * Asks one agent's model, without tools, for other wordings of the question, and then whether each asks for the same
 * (docs/spec/coordination.md 1.1).
 */
export async function paraphrase(work: Work<ParaphraseEffect>, run: RunContext): Promise<void> {
  const { agent } = work.effect;
  const state = work.state();
  const asked = { question: state.question, earlier: contextOf(state, run) };
  // More than there are agents would be written for nobody.
  const count = Math.min(run.policy.paraphrases, state.order.length);
  const wordings = await askFor(run.prompts.paraphrasing({ ...asked, count }), readWordings, work, run);
  if (wordings === null) return;
  const compares = run.policy.paraphraseThreshold !== null && wordings.length > 0;
  const verdicts = compares
    ? await askFor(run.prompts.comparison({ ...asked, wordings }), (text) => readVerdicts(text, wordings.length), work, run)
    : [];
  if (verdicts === null) return;
  const compared = wordings.map((text, place) => ({ text, sameness: verdicts[place] ?? null }));
  await work.offer({ type: "paraphrased", agent, wordings: compared, failure: null });
}

/** What a reply says; `null` when it is of no use, and that is told already. */
async function askFor<T>(
  prompt: string,
  read: (text: string) => T | null,
  work: Work<ParaphraseEffect>,
  run: RunContext,
): Promise<T | null> {
  const { agent } = work.effect;
  const turn = await askBefore(prompt, work, run);
  if (turn.type === "aborted") return null;
  if (turn.type === "failed") {
    await work.offer({ type: "paraphrasing_failed", agent, message: turn.message });
    return null;
  }
  const said = turn.reason === "refusal" ? null : read(turn.text);
  if (said === null) {
    const failure = `the reply could not be read: ${previewOf(turn.text)}`;
    await work.offer({ type: "paraphrased", agent, wordings: [], failure });
  }
  return said;
}
