import type { CoordinationEvent, GateName } from "@massgen/contracts";
import { beginRound } from "./begin-round.js";
import { stopIdle } from "./budget/stop-idle.js";
import { conclude } from "./conclude.js";
import { convergence, debateOrMiss } from "./converge.js";
import { evolve } from "./evolve.js";
import { leadAfterNextAnswer } from "./gates/fairness.js";
import { onFirstAnswer } from "./gates/first-answers.js";
import { GATES, holdingGates } from "./gates/holding-gates.js";
import { isSettled, liveAgents } from "./inspect.js";
import { closeAnswers } from "./judge-answer-now.js";
import { automaticStops } from "./modes/automatic-stops.js";
import { isComplete, isDone } from "./modes/is-done.js";
import { skipCoordination } from "./modes/skip-coordination.js";
import type { Policy } from "./policy.js";
import { watchStagnation } from "./stagnation.js";
import type { AgentState, RunState } from "./state.js";

/**
 * After every judgement: decide the run when it is complete, otherwise start each agent that no gate holds. If nothing
 * runs and everybody is held, gates are dropped one after another until somebody can start (docs/spec/coordination.md 1.3).
 */
export function settle(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  if (state.phase !== "coordinating") return [];
  if (policy.skipCoordination && state.answers.length === 0) return skipCoordination(state);
  if (isComplete(state, policy)) return endOrDebate(state, policy);
  const converged = convergence(state, policy);
  if (converged.length > 0) return [...converged, ...conclude(converged.reduce(evolve, state), policy)];
  const turn = firstOf(closeAnswers(state), watchStagnation(state, policy), automaticStops(state, policy));
  if (turn.length > 0) return [...turn, ...settle(turn.reduce(evolve, state), policy)];
  const stragglers = stragglersToCancel(state, policy);
  if (stragglers.length > 0) {
    const cancelled = stragglers.map((agent) => ({ type: "agent_cancelled", agent: agent.card.id, reason: "straggler" }) as const);
    return [...cancelled, ...settle(cancelled.reduce<RunState>(evolve, state), policy)];
  }
  const idle = liveAgents(state).filter((agent) => agent.standing !== "streaming" && !isDone(state, agent, policy));
  const stopped = stopIdle(state, idle, policy);
  if (stopped.length > 0) return [...stopped, ...settle(stopped.reduce(evolve, state), policy)];
  const held = idle.map((agent) => ({ agent, gates: holdingGates(state, agent, policy) }));
  const free = held.filter(({ gates }) => gates.length === 0).map(({ agent }) => agent);
  const pacing = held.flatMap(({ agent, gates }) => pacingFacts(state, agent, gates, policy));
  if (free.length > 0) return [...pacing, ...free.flatMap((agent) => beginRound(state, agent, policy))];
  const isRunning = liveAgents(state).some((agent) => agent.standing === "streaming");
  return isRunning ? pacing : [...pacing, ...avoidDeadlock(state, held, policy)];
}

/** Everybody has spoken: the decision, unless too few agree and a debate is left. */
function endOrDebate(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  const converged = convergence(state, policy);
  const verdict = converged.length > 0 ? converged : debateOrMiss(state, policy);
  const after = verdict.reduce(evolve, state);
  return [...verdict, ...(after.ballot === state.ballot ? conclude(after, policy) : settle(after, policy))];
}

/** The first turn that anything calls for. */
const firstOf = (...turns: readonly (readonly CoordinationEvent[])[]): readonly CoordinationEvent[] =>
  turns.find((turn) => turn.length > 0) ?? [];

/** With a patience of zero the run does not wait for agents that are the only ones left, still on their first answer. */
function stragglersToCancel(state: RunState, policy: Policy): readonly AgentState[] {
  if (policy.stragglerPatience !== 0 || !state.stragglersGivenUp) return [];
  const late = onFirstAnswer(state).filter((agent) => !isSettled(agent));
  const others = liveAgents(state).filter((agent) => !late.includes(agent));
  return others.length > 0 && others.every(isSettled) ? late : [];
}

/** Says once when pacing alone begins to hold an agent, and once when it ends. */
function pacingFacts(state: RunState, agent: AgentState, gates: readonly GateName[], policy: Policy): readonly CoordinationEvent[] {
  const paused = gates.length === 1 && gates[0] === "fairness";
  if (paused === agent.pausedForFairness || policy.fairnessLeadCap === null) return [];
  const lead = leadAfterNextAnswer(state, agent) ?? 0;
  return [{ type: paused ? "fairness_pause" : "fairness_resume", agent: agent.card.id, lead, cap: policy.fairnessLeadCap }];
}

function avoidDeadlock(
  state: RunState,
  held: readonly { readonly agent: AgentState; readonly gates: readonly GateName[] }[],
  policy: Policy,
): readonly CoordinationEvent[] {
  const dropped: GateName[] = [];
  for (const gate of GATES) {
    if (!held.some(({ gates }) => gates.includes(gate))) continue;
    dropped.push(gate);
    const free = held.filter(({ gates }) => gates.every((name) => dropped.includes(name)));
    if (free.length > 0)
      return [{ type: "deadlock_avoided", gates: dropped }, ...free.flatMap(({ agent }) => beginRound(state, agent, policy))];
  }
  return conclude(state, policy);
}
