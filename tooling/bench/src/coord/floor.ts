import { PRESENTATION_TOKENS, VOTE_TOKENS } from "../fake-vendor/default-agents.js";
import { durationMs, type ScriptedAgent } from "../fake-vendor/script.js";

/** What no run of this protocol can do without, given how long each model call takes. */
export interface Ideal {
  /** The slowest agent's answers one after another, then the slowest vote, then the presentation. */
  readonly pathMs: number;
  /** The answers asked for, one vote per live agent, one presentation. */
  readonly calls: number;
}

export interface IdealInput {
  readonly team: readonly ScriptedAgent[];
  /** Tokens of the answers each agent is asked for. */
  readonly answers: readonly (readonly number[])[];
}

/** The first agent presents: the scripts vote for it. */
export function idealOf({ team, answers }: IdealInput): Ideal {
  const live = team.map((agent, i) => ({ latency: agent.latency, tokens: answers[i] ?? [] })).filter(({ tokens }) => tokens.length > 0);
  const working = live.map(({ latency, tokens }) => tokens.reduce((total, count) => total + durationMs(count, latency), 0));
  const voting = live.map(({ latency }) => durationMs(VOTE_TOKENS, latency));
  const presenting = durationMs(PRESENTATION_TOKENS, team[0]!.latency);
  return {
    pathMs: Math.max(...working) + Math.max(...voting) + presenting,
    calls: answers.flat().length + live.length + 1,
  };
}
