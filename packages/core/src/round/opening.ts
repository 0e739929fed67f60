import type { AgentId, AnonId, AnswerLabel, Message, TextPart, ToolSpec, WorkflowTool } from "@massgen/contracts";
import {
  type Answer,
  agentOf,
  answerAt,
  callableTools,
  clearedVotes,
  currentAnswers,
  heardInputs,
  paraphraseFor,
  type RunState,
  shownTo,
  tallyVotes,
} from "@massgen/kernel";
import { planningText } from "../planning/planning-text.js";
import { answersClosing, answersOpening } from "../prompts/answers.js";
import { toolsNow } from "../tools/tools-of.js";
import { workflowTools } from "../tools/workflow-tools.js";
import { orderAnswers } from "./answer-order.js";
import { authorOf, callableNow } from "./callable-now.js";
import { momentOf, partsOf, presentationClosing, roundClosing, rulesOf, sourceOf } from "./mode-prompts.js";
import type { RunContext } from "./run-context.js";
import { readable, scrubbed } from "./scrub.js";
import { workflowOf } from "./workflow-of.js";

/** The prompt a conversation begins with. */
export interface Opening {
  readonly messages: readonly Message[];
  /** What is defined in its first request, and as a rule in all others. */
  readonly tools: readonly ToolSpec[];
  /** The workflow tools whose calls mean something here, defined or not. */
  readonly workflow: readonly WorkflowTool[];
  /** Those among `tools` that only whoever asked can run. */
  readonly client?: readonly ToolSpec[];
  readonly shown: readonly AnswerLabel[];
}

/** One system and one user message: what is the same for everybody first, what changes with round and viewer last. */
export function openRound(state: RunState, viewer: AgentId, run: RunContext): Opening {
  const labels = shownTo(state, state.agents[viewer]!);
  const note = reopenedText(state, viewer, run);
  const closing = [paraphraseOf(state, viewer, run), note, roundClosing(state, viewer, run)].filter((text) => text !== null).join("\n\n");
  return { ...teamOpening(state, viewer, labels, closing, run), ...toolsOfTeam(state, viewer, run) };
}

/** The same prompt as in the presenter's last round, up to its last part: all of that comes from the vendor's cache. */
export function openPresentation(state: RunState, presenter: AgentId, run: RunContext): Opening {
  const labels = currentAnswers(state).map((answer) => answer.label);
  // Where definitions follow what may be called, the presenter has none of ours.
  const definitions = run.toolOffering === "constant" ? definitionsFor(state, run) : [];
  return {
    ...teamOpening(state, presenter, labels, presentationClosing(state, presenter, run), run),
    // Those of the caller come last: everything before them comes from the vendor's cache.
    tools: [...definitions, ...toolsOf(run, presenter), ...run.clientTools],
    client: run.clientTools,
    workflow: workflowOf(state, run.policy),
  };
}

/** One agent by itself: its instructions, what was said before as real turns, and the message with the date. */
export function openSingle(state: RunState, viewer: AgentId, run: RunContext): Opening {
  const own = run.prompts.identity(run.agents.get(viewer)?.instructions ?? "");
  const instructions = [planningText(state, run), run.prompts.files(run.agents.get(viewer)?.files), own]
    .filter((text) => text !== null)
    .join("\n\n");
  const again = state.pastAttempt === null ? "" : `${run.prompts.feedback(state.pastAttempt)}\n\n`;
  const earlier = run.history.map(({ role, text }): Message => ({ role, parts: [{ type: "text", text }] }));
  const paraphrase = paraphraseOf(state, viewer, run);
  const closing = `${paraphrase === null ? "" : `${paraphrase}\n\n`}${run.prompts.single({ moment: momentOf(run) })}`;
  return {
    messages: [
      ...(instructions === "" ? [] : [{ role: "system", text: instructions } as const]),
      ...earlier,
      { role: "user", parts: textParts([`${again}${state.question}\n\n`, `${saidText(state, viewer, run)}${closing}`]) },
    ],
    tools: toolsOf(run, viewer),
    workflow: [],
    shown: [],
  };
}

/** The viewer's own wording of the question. Only in rounds: what is presented answers the message itself. */
function paraphraseOf(state: RunState, viewer: AgentId, { prompts }: RunContext): string | null {
  const wording = paraphraseFor(state, viewer);
  return wording === null ? null : prompts.paraphraseText(wording);
}

/** The tools of a round before its first request. */
export const toolsOfTeam = (state: RunState, viewer: AgentId, run: RunContext): Pick<Opening, "tools" | "workflow"> => ({
  tools: definedTools(state, viewer, run),
  workflow: workflowOf(state, run.policy),
});

/**
 * What the next request of a round defines: the same for everybody in every request, or with `per_round` what may be called
 * just now, for whom there is. `own`: the agent's own tools as its conversation began. A backend that cannot change tools within a conversation gets the constant ones.
 */
export function definedTools(
  state: RunState,
  viewer: AgentId,
  run: RunContext,
  own: readonly ToolSpec[] = toolsOf(run, viewer),
): readonly ToolSpec[] {
  const agent = agentOf(state, viewer);
  const mayChange = run.agents.get(viewer)?.backend.capabilities.toolsMayChangeMidConversation === true;
  if (run.toolOffering === "constant" || agent === undefined || !mayChange) return [...definitionsFor(state, run), ...own];
  const { voteFor } = callableNow(state, viewer, run.policy);
  const callable = callableTools(state, agent, voteFor.length > 0, run.policy);
  return [...definitionsFor(state, run, voteFor).filter(({ name }) => callable.some((tool) => tool === name)), ...own];
}

const definitionsFor = (state: RunState, { policy }: RunContext, targets?: readonly AnonId[]): readonly ToolSpec[] =>
  workflowTools(targets ?? state.order.map((id) => state.agents[id]!.card.anon), {
    confidence: policy.votingMethod === "weighted_by_confidence",
    defined: workflowOf(state, policy),
  });

/** Why votes were cleared, and how they had fallen; `null` in rounds that are not about that. */
export function reopenedText(state: RunState, viewer: AgentId, run: RunContext): string | null {
  const kind = agentOf(state, viewer)?.kind;
  if (kind !== "debate" && kind !== "stagnation") return null;
  const votes = clearedVotes(state);
  const tally = tallyVotes(state, votes);
  const leading = tally[0]?.label ?? state.answers.at(-1)?.label;
  return run.prompts.reopened({
    as: kind,
    received: tally.map(({ label }) => {
      const behind = votes.filter((vote) => vote.targetLabel === label);
      const reasons = behind.map(({ reason, voter }) => scrubbed(reason, voter, state, run));
      return { from: authorOf(label), votes: behind.length, reasons };
    }),
    leading: leading === undefined ? null : authorOf(leading),
  });
}

function teamOpening(
  state: RunState,
  viewer: AgentId,
  labels: readonly AnswerLabel[],
  closing: string,
  run: RunContext,
): Pick<Opening, "messages" | "shown"> {
  const answers = orderAnswers(
    labels.flatMap((label) => answerAt(state, label) ?? []),
    viewer,
    state.mode === "sequential" ? "fixed" : run.answerOrder,
    state,
  );
  const blocks = answers.map((answer) => blockOf(answer, readable(answer.content, answer.by, viewer, state, run), state, run));
  const earlier = contextOf(state, run);
  const divided = partsOf(state, run);
  // A part of its own for each answer, so that an adapter can set its cache marks between them.
  const parts = textParts([
    `${earlier === null ? "" : `${earlier}\n\n`}${run.prompts.originalMessage(state.question)}\n\n${saidText(state, viewer, run)}${divided === null ? "" : `${divided}\n\n`}`,
    ...blocks.map((block, index) => `${index === 0 ? `${answersOpening}\n` : ""}${block}\n`),
    `${blocks.length === 0 ? "" : `${answersClosing}\n\n`}${closing}`,
  ]);
  return {
    messages: [
      { role: "system", text: systemText(state, viewer, run) },
      { role: "user", parts },
    ],
    shown: answers.map((answer) => answer.label),
  };
}

/** What was said to the viewer since the original message, as it follows it; "" when nothing was. */
export function saidText(state: RunState, viewer: AgentId, { prompts }: RunContext): string {
  const said = heardInputs(state, viewer);
  return said.length === 0 ? "" : `${prompts.saidSince(said.map(({ text }) => text))}\n\n`;
}

/** An answer as it is shown. Most viewers read the same text, and it goes into their prompts round after round. */
function blockOf(answer: Answer, text: string, state: RunState, { prompts }: RunContext): string {
  const known = blocks.get(answer);
  if (known?.text === text && known.prompts === prompts) return known.block;
  const block = prompts.answerBlock({ from: sourceOf(state, answer.label), text, check: answer.verification });
  blocks.set(answer, { prompts, text, block });
  return block;
}
const blocks = new WeakMap<Answer, { readonly prompts: RunContext["prompts"]; readonly text: string; readonly block: string }>();

/** What stands before the original message: why the team starts over, and what was said before. `null`: nothing. */
export function contextOf(state: RunState, { prompts, history }: RunContext): string | null {
  const past = state.pastAttempt;
  const hasFiles = past !== null && past.snapshot !== null && state.order.length > 1;
  const blocks = [past === null ? null : prompts.feedback({ ...past, hasFiles }), prompts.history(history)];
  return blocks.filter((block) => block !== null).join("\n\n") || null;
}

function systemText(state: RunState, viewer: AgentId, run: RunContext): string {
  const { prompts, agents, policy } = run;
  const sections = [
    ...rulesOf(state, viewer, run),
    // Who answers without coordination is the presenter, for whom nothing is reserved.
    policy.skipCoordination ? null : planningText(state, run),
    prompts.files(agents.get(viewer)?.files),
    prompts.identity(agents.get(viewer)?.instructions ?? ""),
  ];
  return sections.filter((section) => section !== null).join("\n\n");
}

export const textParts = (texts: readonly string[]): readonly TextPart[] => texts.map((text) => ({ type: "text", text }));
export const toolsOf = (run: RunContext, agent: AgentId): readonly ToolSpec[] => toolsNow(run.agents.get(agent)).map((tool) => tool.spec);
