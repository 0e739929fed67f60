import type { AgentId, AnonId, AnswerLabel } from "@massgen/contracts";
import type { AgentState, Answer, RunState, Standing } from "./state.js";

const GONE: readonly Standing[] = ["error", "timeout", "cancelled"];
const SETTLED: readonly Standing[] = ["voted", "stopped", "abstained"];

export const agentOf = (state: RunState, id: AgentId): AgentState | undefined =>
  Object.hasOwn(state.agents, id) ? state.agents[id] : undefined;

/** In configuration order. Asked for by every rule about every agent, so kept as long as the agents are the same. */
export function agentsOf({ agents, order }: RunState): readonly AgentState[] {
  const known = agentLists.get(agents);
  if (known !== undefined) return known;
  const list = order.flatMap((id) => (Object.hasOwn(agents, id) ? (agents[id] ?? []) : []));
  agentLists.set(agents, list);
  return list;
}
const agentLists = new WeakMap<RunState["agents"], readonly AgentState[]>();

export const agentByAnon = (state: RunState, anon: AnonId): AgentState | undefined =>
  agentsOf(state).find((agent) => agent.card.anon === anon);

/** Not failed, not timed out, not cancelled. */
export const isLive = (agent: AgentState): boolean => !GONE.includes(agent.standing);
export function liveAgents(state: RunState): readonly AgentState[] {
  const known = liveLists.get(state.agents);
  if (known !== undefined) return known;
  const live = agentsOf(state).filter(isLive);
  liveLists.set(state.agents, live);
  return live;
}
const liveLists = new WeakMap<RunState["agents"], readonly AgentState[]>();

/** Has said its word on the answers there are: nothing more is expected of it in this epoch. */
export const isSettled = (agent: AgentState): boolean => SETTLED.includes(agent.standing);

/** Number of accepted answers; a vote belongs to the epoch in which it was cast and dies with it. */
export const epochOf = (state: RunState): number => state.answers.length;

/** The newest accepted answer of each author, oldest first. */
export function currentAnswers({ answers }: RunState): readonly Answer[] {
  const known = currentOf.get(answers);
  if (known !== undefined) return known;
  const newest = new Map<AgentId, Answer>();
  for (const answer of answers) newest.set(answer.by, answer);
  const current = answers.filter((answer) => newest.get(answer.by) === answer);
  currentOf.set(answers, current);
  return current;
}
const currentOf = new WeakMap<RunState["answers"], readonly Answer[]>();

export const answerAt = (state: RunState, label: AnswerLabel): Answer | undefined => state.answers.find((answer) => answer.label === label);

/** Current answers of others that are newer than what this agent was shown in its running conversation, oldest first. */
export function unseenAnswers(state: RunState, agent: AgentState): readonly Answer[] {
  const current = currentAnswers(state);
  const known = unseenOf.get(agent);
  if (known?.current === current) return known.unseen;
  const unseen = current.filter((answer) => answer.by !== agent.card.id && seenVersion(agent, answer.by) < answer.version);
  unseenOf.set(agent, { current, unseen });
  return unseen;
}
/** Asked of every working agent after every fact, most of which change neither it nor the answers. */
const unseenOf = new WeakMap<AgentState, { readonly current: readonly Answer[]; readonly unseen: readonly Answer[] }>();

export const unseenBy = (state: RunState, id: AgentId): readonly AnswerLabel[] => {
  const agent = agentOf(state, id);
  return agent === undefined ? [] : unseenAnswers(state, agent).map((answer) => answer.label);
};

/** Newest version of `author`'s answer that `agent` was shown; 0 when none was. */
export const seenVersion = (agent: AgentState, author: AgentId): number =>
  Object.hasOwn(agent.seen, author) ? (agent.seen[author] ?? 0) : 0;

/** Labels put in front of this agent, by configuration order of their authors: what it may vote for. */
export const shownTo = (state: RunState, agent: AgentState): readonly AnswerLabel[] =>
  agentsOf(state).flatMap((author): readonly AnswerLabel[] => {
    const version = seenVersion(agent, author.card.id);
    return version > 0 ? [`${author.card.anon}.${version}`] : [];
  });
