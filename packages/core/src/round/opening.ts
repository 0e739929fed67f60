import type { AgentId, AnswerLabel, Message, TextPart, ToolSpec } from "@massgen/contracts";
import { agentsOf, answerAt, currentAnswers, isPlanning, type RunState, shownTo, tallyVotes } from "@massgen/kernel";
import type { Agent } from "../coordinator/options.js";
import { planningText } from "../planning/planning-text.js";
import { answersClosing, answersOpening, type ShownAnswer } from "../prompts/answers.js";
import { momentText } from "../prompts/moment.js";
import { workflowTools } from "../tools/workflow-tools.js";
import { orderAnswers } from "./answer-order.js";
import { callableNow } from "./callable-now.js";
import type { RunContext } from "./run-context.js";

/** The prompt a conversation begins with. */
export interface Opening {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly shown: readonly AnswerLabel[];
}

/** One system and one user message: what is the same for everybody first, what changes with round and viewer last. */
export function openRound(state: RunState, viewer: AgentId, run: RunContext): Opening {
  const labels = shownTo(state, state.agents[viewer]!);
  const closing = run.prompts.roundText({ moment: moment(run), ...callableNow(state, viewer) });
  return teamOpening(state, viewer, labels, closing, run);
}

/** The same prompt as in the presenter's last round, up to its last part: all of that comes from the vendor's cache. */
export function openPresentation(state: RunState, presenter: AgentId, run: RunContext): Opening {
  const labels = currentAnswers(state).map((answer) => answer.label);
  const votes = agentsOf(state).flatMap((agent) => (agent.vote?.target === presenter ? [agent.vote] : []));
  const closing = run.prompts.presentation({
    moment: moment(run),
    own: state.agents[presenter]!.card.anon,
    votes: votes.length,
    reasons: votes.map((vote) => vote.reason),
    isTie: isTie(state),
    hasTools: toolsOf(run, presenter).length > 0,
    executesPlan: isPlanning(state),
  });
  return teamOpening(state, presenter, labels, closing, run);
}

/** One agent by itself: its instructions, what was said before as real turns, and the message with the date. */
export function openSingle(state: RunState, viewer: AgentId, run: RunContext): Opening {
  const own = run.prompts.identity(run.agents.get(viewer)?.instructions ?? "");
  const instructions = [planningText(state, run), own].filter((text) => text !== null).join("\n\n");
  const again = state.pastAttempt === null ? "" : `${run.prompts.feedback(state.pastAttempt)}\n\n`;
  const earlier = run.history.map(({ role, text }): Message => ({ role, parts: [{ type: "text", text }] }));
  const closing = run.prompts.single({ moment: moment(run) });
  return {
    messages: [
      ...(instructions === "" ? [] : [{ role: "system", text: instructions } as const]),
      ...earlier,
      { role: "user", parts: textParts([`${again}${state.question}\n\n`, closing]) },
    ],
    tools: toolsOf(run, viewer),
    shown: [],
  };
}

function teamOpening(state: RunState, viewer: AgentId, labels: readonly AnswerLabel[], closing: string, run: RunContext): Opening {
  const answers = orderAnswers(
    labels.flatMap((label) => answerAt(state, label) ?? []),
    viewer,
    run.answerOrder,
    state,
  );
  const blocks = answers
    .map(({ by, content }): ShownAnswer => ({ from: state.agents[by]!.card.anon, text: content }))
    .map(run.prompts.answerBlock);
  const earlier = contextOf(state, run);
  // A part of its own for each answer, so that an adapter can set its cache marks between them.
  const parts = textParts([
    `${earlier === null ? "" : `${earlier}\n\n`}${run.prompts.originalMessage(state.question)}\n\n`,
    ...blocks.map((block, index) => `${index === 0 ? `${answersOpening}\n` : ""}${block}\n`),
    `${blocks.length === 0 ? "" : `${answersClosing}\n\n`}${closing}`,
  ]);
  return {
    messages: [
      { role: "system", text: systemText(state, run, viewer) },
      { role: "user", parts },
    ],
    tools: [...workflowTools(state.order.map((id) => state.agents[id]!.card.anon)), ...toolsOf(run, viewer)],
    shown: answers.map((answer) => answer.label),
  };
}

/** What stands before the original message: why the team starts over, and what was said before. `null`: nothing. */
export function contextOf(state: RunState, { prompts, history }: RunContext): string | null {
  const blocks = [state.pastAttempt === null ? null : prompts.feedback(state.pastAttempt), prompts.history(history)];
  return blocks.filter((block) => block !== null).join("\n\n") || null;
}

function systemText(state: RunState, run: RunContext, viewer: AgentId): string {
  const { prompts, agents, votingSensitivity } = run;
  const agent: Agent | undefined = agents.get(viewer);
  const sections = [
    prompts.rules(),
    prompts.conduct(),
    prompts.criterion(agent?.votingSensitivity ?? votingSensitivity),
    planningText(state, run),
    prompts.identity(agent?.instructions ?? ""),
  ];
  return sections.filter((section) => section !== null).join("\n\n");
}

export const textParts = (texts: readonly string[]): readonly TextPart[] => texts.map((text) => ({ type: "text", text }));
export const toolsOf = (run: RunContext, agent: AgentId): readonly ToolSpec[] =>
  (run.agents.get(agent)?.tools ?? []).map((tool) => tool.spec);
export const moment = (run: RunContext): string => momentText(run.startedAt(), run.timeZone);

/** The presenter is told of a tie, not of how the others' votes fell. */
function isTie(state: RunState): boolean {
  const [most, next] = tallyVotes(state);
  return most !== undefined && next !== undefined && most.weight - next.weight < 1e-9;
}
