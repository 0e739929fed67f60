import type { ToolSpec } from "@massgen/contracts";
import type { AnalyseEffect, Work } from "../executor/work.js";
import type { RunContext } from "../round/run-context.js";
import { previewOf } from "../text/cut-text.js";
import { isOutside } from "../tools/guards.js";
import { toolsNow } from "../tools/tools-of.js";
import { askBefore } from "./ask-before.js";
import { readAnalysis } from "./read-analysis.js";

/** Asks one agent's model, without tools, what of the task cannot be undone (docs/spec/coordination.md 1.19). */
export async function analyse(work: Work<AnalyseEffect>, run: RunContext): Promise<void> {
  const { agent: id } = work.effect;
  const tools = outsideTools(run);
  const text = run.prompts.irreversibility({ question: work.state().question, tools });
  const turn = await askBefore(text, work, run);
  if (turn.type === "aborted") return;
  if (turn.type === "failed") {
    await work.offer({ type: "analysis_failed", agent: id, message: turn.message });
    return;
  }
  const analysis =
    turn.reason === "refusal"
      ? null
      : readAnalysis(
          turn.text,
          tools.map((tool) => tool.name),
        );
  const failure = analysis === null ? `the reply could not be read: ${previewOf(turn.text)}` : null;
  await work.offer({ type: "analysed", agent: id, ...(analysis ?? { irreversible: true, blockedTools: [] }), failure });
}

/** Every tool of any agent that reaches outside, each once. */
function outsideTools(run: RunContext): readonly ToolSpec[] {
  const tools = [...run.agents.values()].flatMap(toolsNow).filter(isOutside);
  return [...new Map(tools.map(({ spec }) => [spec.name, spec])).values()];
}
