import type { AgentId } from "@massgen/contracts";
import type { RunState } from "@massgen/kernel";
import { evaluationTools } from "../tools/evaluation-tools.js";
import { toolsNow } from "../tools/tools-of.js";
import { momentOf } from "./mode-prompts.js";
import { type Opening, saidText, textParts } from "./opening.js";
import type { RunContext } from "./run-context.js";

/**
 * The presenter looks at the result as an outsider: a conversation of its own, with two tools to decide with and those of
 * its tools that only read. Its own instructions are left out; they were about the work.
 */
export function openEvaluation(state: RunState, agent: AgentId, run: RunContext): Opening {
  const { prompts, policy } = run;
  const reading = toolsNow(run.agents.get(agent))
    .filter((tool) => tool.risk === "read")
    .map((tool) => tool.spec);
  const finalAnswer = (state.attempt === 1 ? policy.debugFinalAnswer : null) ?? state.finalAnswer ?? "";
  const earlier = prompts.history(run.history);
  return {
    messages: [
      { role: "system", text: prompts.evaluator() },
      {
        role: "user",
        parts: textParts([
          `${earlier === null ? "" : `${earlier}\n\n`}${prompts.originalMessage(state.question)}\n\n${saidText(state, agent, run)}`,
          prompts.postEvaluation({ moment: momentOf(run), finalAnswer, hasTools: reading.length > 0 }),
        ]),
      },
    ],
    tools: [...evaluationTools, ...reading],
    workflow: ["submit", "restart_orchestration"],
    shown: state.decision?.label == null ? [] : [state.decision.label],
  };
}
