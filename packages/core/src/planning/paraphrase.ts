import type { ParaphraseEffect, Work } from "../executor/work.js";
import { contextOf } from "../round/opening.js";
import type { RunContext } from "../round/run-context.js";
import { previewOf } from "../text/cut-text.js";
import { askBefore } from "./ask-before.js";
import { readWordings } from "./read-wordings.js";

/** Asks one agent's model, without tools, for other wordings of the question (docs/spec/coordination.md 1.1). */
export async function paraphrase(work: Work<ParaphraseEffect>, run: RunContext): Promise<void> {
  const { agent: id } = work.effect;
  const state = work.state();
  // More than there are agents would be written for nobody.
  const count = Math.min(run.policy.paraphrases, state.order.length);
  const turn = await askBefore(run.prompts.paraphrasing({ question: state.question, earlier: contextOf(state, run), count }), work, run);
  if (turn.type === "aborted") return;
  if (turn.type === "failed") {
    await work.offer({ type: "paraphrasing_failed", agent: id, message: turn.message });
    return;
  }
  const wordings = turn.reason === "refusal" ? null : readWordings(turn.text);
  const failure = wordings === null ? `the reply could not be read: ${previewOf(turn.text)}` : null;
  await work.offer({ type: "paraphrased", agent: id, wordings: wordings ?? [], failure });
}
