import type { AgentId, Message } from "@massgen/contracts";
import { answerAt, type RunState } from "@massgen/kernel";
import { momentOf } from "./mode-prompts.js";
import { contextOf, type Opening, saidText, textParts, toolsOf } from "./opening.js";
import type { RunContext } from "./run-context.js";

/** A single agent carries out what it planned: the message again, its plan, and the word that it is due. */
export function openExecution(state: RunState, agent: AgentId, run: RunContext): Opening {
  const { prompts } = run;
  const system = prompts.identity(run.agents.get(agent)?.instructions ?? "");
  const plan = state.decision?.label == null ? "" : (answerAt(state, state.decision.label)?.content ?? "");
  const context = contextOf(state, run);
  const user: Message = {
    role: "user",
    parts: textParts([
      `${context === null ? "" : `${context}\n\n`}${prompts.originalMessage(state.question)}\n\n${saidText(state, agent, run)}`,
      prompts.execution({ moment: momentOf(run), plan }),
    ]),
  };
  return {
    messages: system === null ? [user] : [{ role: "system", text: system }, user],
    tools: [...toolsOf(run, agent), ...run.clientTools],
    client: run.clientTools,
    workflow: [],
    shown: state.decision?.label == null ? [] : [state.decision.label],
  };
}
