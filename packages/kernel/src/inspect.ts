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
  const list: AgentState[] = [];
  for (const id of order) if (Object.hasOwn(agents, id)) list.push(agents[id]!);
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

/** The agents with some of them changed. Lists of them are made when somebody asks, which a reader of a log never does. */
export function withAgents({ agents }: RunState, changes: readonly AgentState[]): RunState["agents"] {
  const changed = { ...agents };
  for (const agent of changes) changed[agent.card.id] = agent;
  return changed;
}

/** Has said its word on the answers there are: nothing more is expected of it in this epoch. */
export const isSettled = (agent: AgentState): boolean => SETTLED.includes(agent.standing);

/** Number of accepted answers; a vote belongs to the epoch in which it was cast and dies with it. */
export const epochOf = (state: RunState): number => state.answers.length;

type Answered = Pick<RunState, "answers">;

/** The newest accepted answer of each author, oldest first. */
export function currentAnswers({ answers }: Answered): readonly Answer[] {
  const known = currentOf.get(answers);
  if (known !== undefined) return known;
  const newest = new Map<AgentId, Answer>();
  for (const answer of answers) newest.set(answer.by, answer);
  const current = answers.filter((answer) => newest.get(answer.by) === answer);
  currentOf.set(answers, current);
  return current;
}
const currentOf = new WeakMap<RunState["answers"], readonly Answer[]>();

/** The answers with one more. What is known of them is carried on, so that it costs the same however many there were. */
export function withAnswer(state: Answered, answer: Answer): readonly Answer[] {
  const answers = [...state.answers, answer];
  currentOf.set(answers, [...currentAnswers(state).filter(({ by }) => by !== answer.by), answer]);
  const places = placesOf(state.answers);
  placesOfLabels.set(answers, places.set(answer.label, answers.length - 1));
  return answers;
}

/** Prompts ask for every answer that is shown, and so does the fold of a round's start. */
export function answerAt({ answers }: Answered, label: AnswerLabel): Answer | undefined {
  return answers[acceptedAt({ answers }, label)];
}

/** The place of an answer among all accepted ones, counted from 0; -1 when there is none of that label. */
export function acceptedAt({ answers }: Answered, label: AnswerLabel): number {
  const place = placesOf(answers).get(label);
  if (place === undefined) return -1;
  // Two futures of one state share their places, and what they know of each other is wrong.
  return answers[place]?.label === label ? place : answers.findIndex((other) => other.label === label);
}

function placesOf(answers: readonly Answer[]): Map<AnswerLabel, number> {
  const known = placesOfLabels.get(answers);
  if (known !== undefined) return known;
  const places = new Map(answers.map(({ label }, place) => [label, place]));
  placesOfLabels.set(answers, places);
  return places;
}
const placesOfLabels = new WeakMap<RunState["answers"], Map<AnswerLabel, number>>();

/** Current answers of others that are newer than what this agent was shown in its running conversation, oldest first. */
export function unseenAnswers(state: Answered, agent: AgentState): readonly Answer[] {
  const current = currentAnswers(state);
  // A round begins with all answers there are, so only later ones can be news.
  let from = current.length;
  while (from > 0 && current[from - 1]!.seq > agent.roundSeq) from -= 1;
  return current.slice(from).filter((answer) => isNews(answer, agent));
}

const isNews = (answer: Answer, agent: AgentState): boolean =>
  answer.by !== agent.card.id && seenVersion(agent, answer.by) < answer.version;

/** Whether there are any, found at the first: asked of the whole team after every fact. */
export function hasUnseen(state: Answered, agent: AgentState): boolean {
  const current = currentAnswers(state);
  for (let place = current.length - 1; place >= 0; place--) {
    const answer = current[place]!;
    if (answer.seq <= agent.roundSeq) return false;
    if (isNews(answer, agent)) return true;
  }
  return false;
}

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
