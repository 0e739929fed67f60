import type { AgentId, JsonValue, ToolCallPart, ToolOutput } from "@massgen/contracts";
import { currentAnswers, type RunState } from "@massgen/kernel";
import type { PresentEffect, Work } from "../executor/work.js";
import { errorOutput } from "../tools/call-tool.js";
import { answerText } from "./answer-text.js";
import { MAX_STRAY_CALLS, MAX_TURNS } from "./bounds.js";
import { hear } from "./hear.js";
import { openExecution } from "./open-execution.js";
import { type Opening, openPresentation } from "./opening.js";
import type { Response } from "./read-action.js";
import type { RunContext } from "./run-context.js";
import { type SpeakRules, type Spoken, speak } from "./speak.js";
import { createTalk, type Talk } from "./talk.js";

/**
 * The winner's own conversation: what it says at the end is the final answer. Whatever goes wrong is told to the kernel,
 * which then takes the stored answer (docs/spec/coordination.md 1.17).
 */
export async function present(work: Work<PresentEffect>, run: RunContext): Promise<void> {
  const { agent } = work.effect;
  const isReady = await takeUpFiles(work, run);
  if (work.signal.aborted) return;
  if (!isReady) {
    await work.offer({ type: "presentation_failed", agent, why: "error", partial: "" });
    return;
  }
  const talk = createTalk(work, run, "presentation", openingOf(work.state(), agent, run));
  try {
    const spoken = await sayAll(talk, work, run);
    if (spoken.type === "over") return;
    if (spoken.type === "client") {
      const calls = spoken.calls.map(({ callId, tool, input }) => ({ callId, tool, input }));
      const snapshot = await run.files.publish(agent, work.emit);
      await talk.offer({ type: "client_tools_offered", agent, content: spoken.text, calls, snapshot });
      return;
    }
    if (spoken.type === "failed" || spoken.isCut) {
      const partial = spoken.type === "failed" ? spoken.partial : spoken.text;
      if (spoken.type === "failed")
        work.emit({ type: "notice", level: "warning", agent, message: `The presentation failed: ${spoken.message}` });
      await talk.offer({ type: "presentation_failed", agent, why: "error", partial });
    } else if (spoken.text.trim() === "") await talk.offer({ type: "presentation_failed", agent, why: "empty", partial: spoken.text });
    else await talk.offer({ type: "presented", agent, content: spoken.text, snapshot: await run.files.publish(agent, work.emit) });
  } finally {
    talk.transcribe();
  }
}

/** What is said to the presenter while it writes its last text has it write that text again. */
async function sayAll(talk: Talk, work: Work<PresentEffect>, run: RunContext): Promise<Spoken> {
  const rules = rulesOf(talk, work, run);
  for (;;) {
    const spoken = await speak(talk, run, work.signal, rules);
    if (spoken.type !== "text" || !(await hear(talk, work, run))) return spoken;
    talk.conversation.addUser(run.prompts.saidAfterText());
  }
}

/** The files of the answer that won, and everybody's to compare. Presenting others would deliver what nobody voted for. */
async function takeUpFiles({ effect, state, emit }: Work<PresentEffect>, run: RunContext): Promise<boolean> {
  const { agent, label } = effect;
  try {
    if (label !== null) await run.files.restore(state(), agent, label);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    emit({ type: "notice", level: "warning", agent, message: `The files of the winning answer could not be taken up: ${why}` });
    return false;
  }
  const shown = currentAnswers(state()).map((answer) => answer.label);
  await run.files.refresh(state(), agent, shown, emit);
  return true;
}

/** Where nobody presents as a rule, it is to carry out what was planned before. */
function openingOf(state: RunState, agent: AgentId, run: RunContext): Opening {
  const hasPresenter = state.mode === "voting" || state.mode === "decomposition" || state.presentationStrategy === "direct";
  return hasPresenter ? openPresentation(state, agent, run) : openExecution(state, agent, run);
}

function rulesOf(talk: Talk, work: Work<PresentEffect>, run: RunContext): SpeakRules {
  const hasClientTools = run.clientTools.length > 0;
  const hasTools = talk.tools.length > 0;
  const isUnbound = work.state().presentationStrategy === "direct";
  let stray = 0;
  return {
    maxTurns: MAX_TURNS,
    // The definitions stay, so that the cache holds; where nothing may be called, the choice says so.
    toolChoice: () => (hasClientTools ? run.clientToolChoice : hasTools || isUnbound ? "auto" : "none"),
    async safePoint() {
      await hear(talk, work, run);
      return !work.signal.aborted;
    },
    refusal: () => null,
    onWorkflow(response) {
      const submitted = submittedText(response);
      if (submitted !== null) return { type: "text", text: submitted, isCut: false };
      stray += 1;
      if (stray > MAX_STRAY_CALLS)
        return { type: "failed", kind: "protocol", message: "the presenter kept voting or submitting", partial: response.text };
      return refuse(response, run);
    },
    onRefused: () => Promise.resolve(null),
  };
}

/** A presenter that submits its text instead of saying it is taken at its word. */
function submittedText({ text, workflow }: Response): string | null {
  if (text.trim() !== "") return null;
  const call = workflow.findLast(({ tool, inputError }) => tool === "new_answer" && inputError === undefined);
  const input = call?.input;
  if (typeof input !== "object" || input === null || !("content" in input)) return null;
  const content = answerText((input as { readonly content: JsonValue }).content);
  return content.trim() === "" ? null : content;
}

const refuse = ({ workflow }: Response, { prompts }: RunContext): ReadonlyMap<ToolCallPart, ToolOutput> =>
  new Map(workflow.map((call) => [call, errorOutput(prompts.decisionIsMade())]));
