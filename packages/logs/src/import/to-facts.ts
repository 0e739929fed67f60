import type { AgentCard, AgentId, AnonId, AnswerLabel, CoordinationEvent, Recorded, RunId, Tally } from "@massgen/contracts";
import {
  answersOf,
  type Fields,
  type ForeignEvent,
  type ForeignLog,
  fieldsAt,
  isFields,
  numberAt,
  textAt,
  textIn,
} from "./read-foreign.js";

interface Team {
  readonly cards: readonly AgentCard[];
  /** The id for an id or an anonymous name; `null` for anybody else. */
  readonly idOf: (name: string | null) => AgentId | null;
}

/** What is known while the events are told again. */
interface Story {
  readonly rounds: Map<AgentId, number>;
  readonly versions: Map<AgentId, number>;
  readonly votes: Map<AgentId, { readonly target: AgentId; readonly label: AnswerLabel }>;
  /** Labels of the newest answers. */
  readonly newest: Map<AgentId, AnswerLabel>;
  winner: { readonly id: AgentId; readonly label: AnswerLabel | null } | null;
  isOver: boolean;
}

/** The facts of a run of MassGen in Python, as far as its files tell them, in the order of their times. */
export async function factsOf(
  log: ForeignLog,
  runId: RunId,
): Promise<{ readonly records: readonly Recorded[]; readonly cards: readonly AgentCard[]; readonly question: string }> {
  const team = teamOf(log);
  const question = textAt(log.metadata, "user_prompt") ?? textAt(log.execution, "query") ?? "";
  const events = log.events.toSorted((a, b) => a.at - b.at);
  const story: Story = { rounds: new Map(), versions: new Map(), votes: new Map(), newest: new Map(), winner: null, isOver: false };
  const records: Recorded[] = [];
  const say = (at: number, facts: readonly CoordinationEvent[]): void => {
    facts.forEach((fact, place) => {
      records.push({
        seq: records.length + 1,
        at,
        runId,
        decision: (records.at(-1)?.decision ?? 0) + (place === 0 ? 1 : 0),
        closes: place === facts.length - 1,
        ...fact,
      });
    });
  };
  const start = events[0]?.at ?? 0;
  say(start, [
    { type: "run_started", question, agents: team.cards, seed: 0, mode: team.cards.length === 1 ? "single" : "voting" },
    { type: "phase_changed", from: "preparing", to: "coordinating" },
  ]);
  for (const event of events) say(event.at, await factsOfEvent(event, { log, team, story }));
  const end = records.at(-1)?.at ?? start;
  for (const fact of spentIn(log, team)) say(end, [fact]);
  say(end, await ending({ log, team, story }));
  return { records, cards: team.cards, question };
}

/** Agents in the order of their anonymous names: the mapping of the log, else their ids sorted. */
function teamOf({ metadata, execution, events }: ForeignLog): Team {
  const listed = Array.isArray(metadata["agent_ids"]) ? metadata["agent_ids"].filter((id) => typeof id === "string") : [];
  const heard = events.flatMap(({ agent }) => agent ?? []);
  const mapping = fieldsAt(metadata, "agent_mapping");
  const byAnon = Object.entries(mapping).flatMap(([anon, id]) =>
    typeof id === "string" && /^agent\d+$/.test(anon) ? [[Number(anon.slice(5)), id] as const] : [],
  );
  const ids = byAnon.length > 0 ? byAnon.toSorted(([a], [b]) => a - b).map(([, id]) => id) : [...new Set([...listed, ...heard])].toSorted();
  const config = fieldsAt(execution, "config");
  const agents = Array.isArray(config["agents"]) ? config["agents"].filter(isFields) : [fieldsAt(config, "agent")];
  const cards = ids.map((id, place): AgentCard => {
    const backend = fieldsAt(agents.find((agent) => agent["id"] === id) ?? {}, "backend");
    return {
      id,
      anon: `agent${place + 1}` as AnonId,
      backend: textAt(backend, "type") ?? "unknown",
      model: textAt(backend, "model") ?? "unknown",
    };
  });
  return { cards, idOf: (name) => cards.find(({ id, anon }) => id === name || anon === name)?.id ?? null };
}

interface Around {
  readonly log: ForeignLog;
  readonly team: Team;
  readonly story: Story;
}

async function factsOfEvent(event: ForeignEvent, around: Around): Promise<readonly CoordinationEvent[]> {
  const { team, story } = around;
  const agent = team.idOf(event.agent);
  switch (event.type) {
    case "final_agent_selected":
      return selected(team.idOf(event.agent ?? textAt(event.context, "selected_agent")), around);
    case "orchestrator_timeout":
      return [{ type: "orchestrator_timeout", limitMs: Math.round((numberAt(event.context, "limit") ?? 0) * 1000), agents: [] }];
    default:
  }
  if (agent === null || story.winner !== null) return [];
  switch (event.type) {
    case "started_streaming":
      return startRound(agent, story);
    case "status_change":
      return /streaming/i.test(`${textAt(event.context, "status") ?? ""} ${event.details}`) ? startRound(agent, story) : [];
    case "new_answer":
      return answered(agent, event, around);
    case "vote":
    case "vote_cast":
      return voted(agent, event, around);
    case "restart":
    case "restart_triggered":
      return [{ type: "restart_triggered", by: agent, affected: team.cards.map(({ id }) => id).filter((id) => id !== agent) }];
    case "agent_error":
    case "error":
      return [
        {
          type: "agent_failed",
          agent,
          kind: "backend_fatal",
          message: textAt(event.context, "error") ?? event.details,
          fatal: false,
          lastText: "",
        },
      ];
    case "agent_timeout":
      return [{ type: "agent_timeout", agent, limit: "orchestrator", lastText: "" }];
    default:
      return [];
  }
}

/** The next round of an agent; the log repeats the state of one that goes on, which is no new one. */
function startRound(agent: AgentId, { rounds, newest, votes }: Story): readonly CoordinationEvent[] {
  const round = (rounds.get(agent) ?? -1) + 1;
  rounds.set(agent, round);
  votes.delete(agent);
  const shown = [...newest.values()];
  const tools = shown.length === 0 ? (["new_answer"] as const) : (["new_answer", "vote"] as const);
  return [{ type: "round_started", agent, round, kind: round === 0 ? "initial" : "evaluation", shown, tools }];
}

const inRound = (agent: AgentId, story: Story): readonly CoordinationEvent[] => (story.rounds.has(agent) ? [] : startRound(agent, story));

async function answered(
  agent: AgentId,
  { context, details }: ForeignEvent,
  { log, team, story }: Around,
): Promise<readonly CoordinationEvent[]> {
  const card = team.cards.find(({ id }) => id === agent)!;
  const version = (story.versions.get(agent) ?? 0) + 1;
  const named = /^agent\d+\.\d+$/.exec(textAt(context, "label") ?? "")?.[0] ?? /\bagent\d+\.\d+\b/.exec(details)?.[0];
  const label: AnswerLabel = `${card.anon}.${version}`;
  const before = inRound(agent, story);
  const supersedes = story.newest.get(agent) ?? null;
  story.versions.set(agent, version);
  story.newest.set(agent, label);
  const content =
    (await snapshotText(log, named ?? label)) ??
    (await answersOf(log.folder, agent))[version - 1] ??
    "[the text of this answer is not in the log]";
  const voters = [...story.votes.keys()];
  story.votes.clear();
  const round = story.rounds.get(agent) ?? 0;
  return [
    ...before,
    {
      type: "answer_submitted",
      agent,
      round,
      label,
      content,
      fingerprint: "",
      supersedes,
      salvaged: false,
      snapshot: null,
      maxSimilarity: null,
    },
    ...(voters.length === 0 ? [] : [{ type: "vote_invalidated", voters, byLabel: label } as const]),
  ];
}

async function snapshotText({ folder, snapshots }: ForeignLog, label: string): Promise<string | null> {
  const path = textAt(fieldsAt(snapshots, label), "path");
  return path === null ? null : textIn(folder, path);
}

function voted(agent: AgentId, { context }: ForeignEvent, { team, story }: Around): readonly CoordinationEvent[] {
  const target = team.idOf(textAt(context, "voted_for") ?? textAt(context, "agent_id"));
  const targetLabel = target === null ? undefined : story.newest.get(target);
  if (target === null || targetLabel === undefined) return [];
  const before = inRound(agent, story);
  story.votes.set(agent, { target, label: targetLabel });
  const fact: CoordinationEvent = {
    type: "vote_cast",
    agent,
    round: story.rounds.get(agent) ?? 0,
    target,
    targetLabel,
    reason: textAt(context, "reason") ?? "",
    confidence: null,
    confidenceDefaulted: false,
    weight: 1,
    coerced: false,
    options: [...story.newest.values()],
  };
  return [...before, fact];
}

function selected(winner: AgentId | null, { story }: Around): readonly CoordinationEvent[] {
  if (winner === null || story.winner !== null) return [];
  const label = story.newest.get(winner) ?? null;
  story.winner = { id: winner, label };
  const weights = new Map<AnswerLabel, number>();
  for (const vote of story.votes.values()) weights.set(vote.label, (weights.get(vote.label) ?? 0) + 1);
  const tally: readonly Tally[] = [...weights].map(([label, weight]) => ({ label, weight })).toSorted((a, b) => b.weight - a.weight);
  const top = tally[0]?.weight ?? 0;
  const isTie = tally.filter(({ weight }) => weight === top).length > 1;
  const share = story.votes.size === 0 ? 0 : (weights.get(label ?? "agent0.0") ?? 0) / story.votes.size;
  const consensus = tally.length === 0 ? "none" : isTie ? "tie_broken" : share === 1 ? "unanimous" : share > 0.5 ? "majority" : "plurality";
  return [
    {
      type: "winner_selected",
      winner,
      label,
      tally,
      consensus,
      selection: tally.length === 0 ? "latest_answer" : "votes",
      isTie,
      tieBrokenBy: isTie ? "registration_order" : null,
      tieBreakTrace: [],
    },
    { type: "phase_changed", from: "coordinating", to: "presenting" },
  ];
}

/** What was spent: round by round where the log says so, else by agent. */
function spentIn({ metricsEvents, metricsSummary }: ForeignLog, team: Team): readonly CoordinationEvent[] {
  const rounds = Array.isArray(metricsEvents["round_completions"]) ? metricsEvents["round_completions"].filter(isFields) : [];
  const ofRounds = rounds.flatMap((round) => usageFact(team.idOf(textAt(round, "agent_id")), numberAt(round, "round_number") ?? 0, round));
  if (ofRounds.length > 0) return ofRounds;
  return Object.entries(fieldsAt(metricsSummary, "agents")).flatMap(([id, agent]) =>
    usageFact(team.idOf(id), 0, isFields(agent) ? fieldsAt(agent, "token_usage") : {}),
  );
}

function usageFact(agent: AgentId | null, round: number, usage: Fields): readonly CoordinationEvent[] {
  const [inputTokens, outputTokens] = [numberAt(usage, "input_tokens"), numberAt(usage, "output_tokens")];
  if (agent === null || (inputTokens === null && outputTokens === null)) return [];
  const whole = (key: string): number => Math.max(0, Math.round(numberAt(usage, key) ?? 0));
  return [
    {
      type: "usage_recorded",
      agent,
      round,
      usage: {
        inputTokens: whole("input_tokens"),
        outputTokens: whole("output_tokens"),
        cachedTokens: whole("cached_input_tokens"),
        reasoningTokens: whole("reasoning_tokens"),
        costUsd: numberAt(usage, "estimated_cost"),
      },
    },
  ];
}

async function ending(around: Around): Promise<readonly CoordinationEvent[]> {
  const { log, team, story } = around;
  const named = textAt(log.metadata, "final_winner") ?? textAt(fieldsAt(log.status, "results"), "winner");
  const late = selected(team.idOf(named), around);
  const winner = story.winner;
  const content = winner === null ? null : await textIn(log.folder, `final/${winner.id}/answer.txt`);
  if (winner === null || content === null)
    return [
      ...late,
      { type: "run_finished", status: "error", winner: winner?.id ?? null, message: "The log that was imported has no final answer." },
    ];
  const round = (story.rounds.get(winner.id) ?? 0) + 1;
  return [
    ...late,
    { type: "presentation_started", agent: winner.id, label: winner.label, round, strategy: "winner_present" },
    { type: "presentation_finished", agent: winner.id, content, snapshot: null, fallback: null, partial: "" },
    { type: "phase_changed", from: "presenting", to: "finished" },
    { type: "run_finished", status: "completed", winner: winner.id, message: null },
  ];
}
