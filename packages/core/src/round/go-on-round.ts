import type { AgentId, AnswerLabel } from "@massgen/contracts";
import { agentOf, answerAt, heardInputs, type RunState, shownTo } from "@massgen/kernel";
import type { NewVersion } from "../prompts/update.js";
import { authorOf, callableNow } from "./callable-now.js";
import { createConversation } from "./conversation.js";
import { estimateTokens, type KeptConversation } from "./kept-conversations.js";
import { type Opening, reopenedText, toolsOfTeam } from "./opening.js";
import type { RunContext } from "./run-context.js";
import { readable } from "./scrub.js";

/** Share of the context window up to which a conversation is gone on with. */
const MAX_SHARE = 0.75;
/** What a window nobody knows the size of is taken to hold: a fresh conversation is always right, only dearer. */
const UNKNOWN_WINDOW_TOKENS = 32_000;

/**
 * The agent's last conversation with what has changed since, so that all of it comes from the vendor's cache
 * (docs/spec/coordination.md 1.22). `null` when there is none, or when it would fill more than three quarters of the
 * context window: then the round begins afresh.
 */
export function goOnRound(state: RunState, viewer: AgentId, run: RunContext): Opening | null {
  const kept = run.kept.take(viewer);
  const agent = agentOf(state, viewer);
  if (kept === null || kept.attempt !== state.attempt || agent === undefined) return null;
  const shown = shownTo(state, agent);
  const said = heardInputs(state, viewer, kept.heard);
  const message = [
    reopenedText(state, viewer, run),
    said.length === 0 ? null : run.prompts.saidNow(said.map(({ text }) => text)),
    run.prompts.goOn({ versions: versionsSince(kept, shown, state, viewer, run), ...callableNow(state, viewer, run.policy) }),
  ]
    .filter((text) => text !== null)
    .join("\n\n");
  const window = run.agents.get(viewer)?.backend.capabilities.contextWindowTokens ?? UNKNOWN_WINDOW_TOKENS;
  if (kept.tokens + estimateTokens(message) > MAX_SHARE * window) return null;
  const conversation = createConversation(kept.messages);
  conversation.addUser(message);
  return { messages: conversation.messages(), ...toolsOfTeam(state, viewer, run), shown };
}

function versionsSince(
  kept: KeptConversation,
  shown: readonly AnswerLabel[],
  state: RunState,
  viewer: AgentId,
  run: RunContext,
): readonly NewVersion[] {
  return shown.flatMap((label): readonly NewVersion[] => {
    const answer = kept.shown.includes(label) ? undefined : answerAt(state, label);
    if (answer === undefined) return [];
    const from = authorOf(label);
    const before = kept.shown.findLast((known) => authorOf(known) === from) ?? null;
    return [{ label, from, text: readable(answer.content, answer.by, viewer, state, run), check: answer.verification, replaces: before }];
  });
}
