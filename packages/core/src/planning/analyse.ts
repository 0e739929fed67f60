import type { ToolSpec, TurnRequest } from "@massgen/contracts";
import type { AnalyseEffect, Work } from "../executor/work.js";
import { admitRequest } from "../round/admit.js";
import type { RunContext } from "../round/run-context.js";
import { streamTurn } from "../round/stream-turn.js";
import { previewOf } from "../text/cut-text.js";
import { isOutside } from "../tools/guards.js";
import { readAnalysis } from "./read-analysis.js";

/** The analysis is of no round: it comes before the first. */
const NO_ROUND = -1;

/** Asks one agent's model, without tools, what of the task cannot be undone (docs/spec/coordination.md 1.19). */
export async function analyse(work: Work<AnalyseEffect>, run: RunContext): Promise<void> {
  const { agent: id } = work.effect;
  const agent = run.agents.get(id);
  if (agent === undefined) throw new TypeError(`there is no agent ${JSON.stringify(id)} in this process`);
  const tools = outsideTools(run);
  const text = run.prompts.irreversibility({ question: work.state().question, tools });
  const request: TurnRequest = {
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
    tools: [],
    toolChoice: "none",
    maxOutputTokens: agent.maxOutputTokens ?? null,
    options: agent.options ?? {},
  };
  const turn = await streamTurn(request, {
    backend: agent.backend,
    agent: id,
    round: NO_ROUND,
    channel: "planning",
    ambient: run.ambient,
    stallMs: run.stallMs,
    signal: work.signal,
    emit: work.emit,
    report: (fact) => work.report({ type: "activity_reported", fact }),
    admit: admitRequest(work, run, request, ""),
    reportUsage: (usage) => work.report({ type: "usage_reported", agent: id, round: NO_ROUND, usage }),
  });
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
  const tools = [...run.agents.values()].flatMap((agent) => agent.tools ?? []).filter(isOutside);
  return [...new Map(tools.map(({ spec }) => [spec.name, spec])).values()];
}
