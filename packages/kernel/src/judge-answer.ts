import type { AnswerLabel, CoordinationEvent } from "@massgen/contracts";
import { answerCap, globalCapReached, isCapped, limitsReached } from "./caps.js";
import { evolveAhead } from "./evolve.js";
import { isTooFarAhead, leadAfterNextAnswer } from "./gates/fairness.js";
import { agentOf, agentsOf, currentAnswers, isLive, isSettled } from "./inspect.js";
import { labelOf } from "./labels.js";
import type { Policy } from "./policy.js";
import type { Refusal } from "./reject.js";
import type { AnswerClaim } from "./signal.js";
import { isCompared, mostSimilar, NOVELTY_LIMIT } from "./similarity.js";
import type { AgentState, RunState } from "./state.js";

const no = (code: Refusal["code"], message: string): Refusal => ({ type: "answer_rejected", code, message });

/** The first rule an offered answer breaks, in the order of docs/spec/coordination.md 1.5; `null` when it is accepted. */
export function refusalOfAnswer(state: RunState, agent: AgentState, claim: AnswerClaim, policy: Policy): Refusal | null {
  if (state.mode !== "single" && !agent.tools.includes("new_answer"))
    return no("tool_unavailable", `new_answer may not be called in this round; ${wayOut(state)}`);
  if (claim.content.trim() === "") return no("empty_answer", "the answer is empty");
  if (isCapped(state, agent, policy)) return no("answer_limit", limitText(state, agent, policy));
  if (!agent.hardTimeout && isTooFarAhead(state, agent, policy))
    return no(
      "fairness_lead",
      `this answer would be ${leadAfterNextAnswer(state, agent)} ahead of the slowest agent, more than ${policy.fairnessLeadCap}; ${wayOut(state)}`,
    );
  if (mayRepeat(state, policy)) return null;
  const same = currentAnswers(state).find((answer) => answer.fingerprint === claim.fingerprint);
  if (same !== undefined)
    return no(
      "answer_duplicate",
      `this is the current answer of ${agentOf(state, same.by)?.card.anon}, word for word; improve on it or ${lastWord(state)}`,
    );
  return refusalOfSimilar(state, claim, policy);
}

/** Too little that is new, compared with every current answer, its own included. */
function refusalOfSimilar(state: RunState, claim: AnswerClaim, policy: Policy): Refusal | null {
  const limit = NOVELTY_LIMIT[policy.novelty];
  const nearest = limit === null ? null : mostSimilar(claim, currentAnswers(state));
  if (limit === null || nearest === null || nearest.similarity <= limit) return null;
  const author = agentOf(state, nearest.answer.by)?.card.anon;
  return no(
    "answer_novelty",
    // Rounded up, so that it never names the limit itself.
    `it shares ${Math.ceil(nearest.similarity * 100)} % of its words with the answer of ${author}, more than the ${limit * 100} % allowed; bring something new or ${lastWord(state)}`,
  );
}

/** An accepted answer: it ends the epoch, and with it every vote. */
export function acceptAnswer(state: RunState, agent: AgentState, claim: AnswerClaim, policy: Policy): readonly CoordinationEvent[] {
  const id = agent.card.id;
  const answer = answerFact(
    agent,
    claim,
    false,
    isCompared(policy) ? (mostSimilar(claim, currentAnswers(state))?.similarity ?? null) : null,
  );
  const others = agentsOf(state).filter((other) => other !== agent);
  const voters = others.filter((other) => other.vote !== null).map((other) => other.card.id);
  const affected = others.filter(mustLookAgain).map((other) => other.card.id);
  const after = evolveAhead(state, answer);
  return [
    answer,
    ...(voters.length > 0 ? [{ type: "vote_invalidated", voters, byLabel: answer.label } as const] : []),
    ...(affected.length > 0 ? [{ type: "restart_triggered", by: id, affected } as const] : []),
    ...limitsReached(after, agentOf(after, id) ?? agent, policy),
  ];
}

/** Has judged, or is judging, answers that are no longer all there are. Who only waits to see them is not sent back. */
const mustLookAgain = (agent: AgentState): boolean =>
  isLive(agent) && (isSettled(agent) || (agent.standing === "streaming" && agent.answers > 0));

/** Text of a failed agent's last response, kept as an answer because there is no other (docs/spec/coordination.md 1.13). */
export const salvageAnswer = (agent: AgentState): readonly CoordinationEvent[] => [
  answerFact(agent, { content: agent.lastText.trim(), fingerprint: "", snapshot: null }, true, null),
];

function answerFact(
  agent: AgentState,
  claim: Pick<AnswerClaim, "content" | "fingerprint" | "snapshot" | "verification">,
  salvaged: boolean,
  maxSimilarity: number | null,
) {
  const supersedes: AnswerLabel | null = agent.answers > 0 ? labelOf(agent.card.anon, agent.answers) : null;
  return {
    type: "answer_submitted",
    agent: agent.card.id,
    round: Math.max(agent.round, 0),
    label: labelOf(agent.card.anon, agent.answers + 1),
    content: claim.content,
    fingerprint: claim.fingerprint,
    supersedes,
    salvaged,
    snapshot: claim.snapshot,
    verification: claim.verification ?? null,
    maxSimilarity,
  } as const satisfies CoordinationEvent & { type: "answer_submitted" };
}

/** What is left to do for an agent whose answer is not wanted. */
const wayOut = (state: RunState): string => (state.mode === "decomposition" ? "call stop instead" : "vote instead");
const lastWord = (state: RunState): string => (state.mode === "decomposition" ? "stop" : "vote");

/**
 * A stage may find nothing to change in what the one before it delivered; and where everybody answers once, that two agree is
 * no fault, and neither could do anything else.
 */
const mayRepeat = ({ mode }: RunState, { skipVoting }: Policy): boolean =>
  mode === "sequential" || (skipVoting && mode !== "decomposition");

const limitText = (state: RunState, agent: AgentState, policy: Policy): string =>
  state.answersClosed ? `new answers are closed; ${wayOut(state)}` : capText(state, agent, policy);

function capText(state: RunState, agent: AgentState, policy: Policy): string {
  const isOwn = agent.answers >= answerCap(state, policy);
  if (isOwn) return `you have reached your ${answerCap(state, policy)} answers; ${wayOut(state)}`;
  if (globalCapReached(state, policy)) return `all agents together have reached their ${policy.maxAnswersGlobal} answers; ${wayOut(state)}`;
  return `what is left of your budget is for ${state.mode === "decomposition" ? "ending your part" : "voting"}; ${wayOut(state)}`;
}
