import { answer, answerTokens, latencyOf, steadyScript, steadyTeam } from "../fake-vendor/default-agents.js";
import { durationMs, type ScriptedAgent } from "../fake-vendor/script.js";
import { idealOf } from "./floor.js";

export interface Scenario {
  readonly name: string;
  readonly team: readonly ScriptedAgent[];
  /** Tokens of the answers each agent is asked for; an agent with none takes no part in the ideal. */
  readonly answers: readonly (readonly number[])[];
  /** Figures a release keeps and those we are after; `path` and `calls` are ratios, `waste` and `idle` shares. */
  readonly must: Partial<CoordTargets>;
  readonly aim: Partial<CoordTargets>;
}

interface CoordTargets {
  readonly path: number;
  readonly calls: number;
  readonly waste: number;
}

/** Every agent gives its answers and votes: nothing goes wrong. */
function steady(size: number, answers: number, name: string, must: CoordTargets, aim: CoordTargets): Scenario {
  return { name, team: steadyTeam({ size, answers }), answers: defaultAnswers(size, answers), must, aim };
}

const defaultAnswers = (size: number, answers: number): Scenario["answers"] =>
  Array.from({ length: size }, (_, i) => Array.from({ length: answers }, (__, r) => answerTokens(i, r)));

/** Done before anybody else has finished a vote. */
const SHORT_ANSWER_TOKENS = 20;

const perfect: CoordTargets = { path: 1, calls: 1, waste: 0 };

/** The last agent is four times slower than its latency says. */
function slow(size: number): Scenario {
  const { firstTokenMs, tokensPerSecond } = latencyOf(size - 1);
  const team = steadyTeam({ size, answers: 1 }).map((agent, i) =>
    i === size - 1 ? { ...agent, latency: { firstTokenMs: firstTokenMs * 4, tokensPerSecond: tokensPerSecond / 4 } } : agent,
  );
  return { name: `slow-${size}`, team, answers: defaultAnswers(size, 1), must: { path: 1.01, calls: 1.1, waste: 0.02 }, aim: perfect };
}

/** The last agent fails after 0.3 s each time it is asked; the fewest calls are those of the others. */
function dead(size: number, status: 401 | 503): Scenario {
  const team = steadyTeam({ size, answers: 1 }).map(
    (agent, i): ScriptedAgent => (i === size - 1 ? { ...agent, script: () => ({ does: "fail", status, afterMs: 300 }) } : agent),
  );
  const answers = defaultAnswers(size, 1).with(size - 1, []);
  const fewest = (size - 1) * 2 + 1;
  return {
    name: `dead-${size}-${status === 401 ? "fatal" : "transient"}`,
    team,
    answers,
    must: { path: 1.01, calls: (fewest + 2) / fewest },
    aim: { path: 1, calls: (fewest + (status === 401 ? 1 : 2)) / fewest },
  };
}

/**
 * Every first vote is late: the first agent improves its answer at once and quickly, while the others are still writing
 * votes for the old one. One vote more for each of them is what that costs.
 */
function stale(size: number): Scenario {
  const team = steadyTeam({ size, answers: 1 }).map((agent, i): ScriptedAgent => {
    if (i > 0) return agent;
    const script = steadyScript(0, 2);
    return { ...agent, script: (view) => (!view.presents && view.answered === 1 ? answer(0, 1, SHORT_ANSWER_TOKENS) : script(view)) };
  });
  const fewest = size + 1 + size + 1;
  const answers = defaultAnswers(size, 1).with(0, [answerTokens(0, 0), SHORT_ANSWER_TOKENS]);
  return { name: `stale-${size}`, team, answers, must: { calls: (fewest + size) / fewest }, aim: { calls: (fewest + size - 1) / fewest } };
}

/** The second agent's answer breaks off at 90 %, once; it may cost that answer again and no more. */
function cut(size: number): Scenario {
  const team = steadyTeam({ size, answers: 1 }).map(
    (agent, i): ScriptedAgent =>
      i === 1 ? { ...agent, script: (view) => (view.call === 0 ? { does: "cut", at: 0.9, of: answer(1, 0) } : agent.script(view)) } : agent,
  );
  const answers = defaultAnswers(size, 1);
  const ideal = idealOf({ team, answers });
  const again = durationMs(answerTokens(1, 0), latencyOf(1));
  return { name: `cut-${size}`, team, answers, must: { path: (ideal.pathMs + again) / ideal.pathMs }, aim: {} };
}

/** The first request of every agent is refused and to be repeated after a second. */
function rateLimited(size: number): Scenario {
  const team = steadyTeam({ size, answers: 1 }).map(
    (agent): ScriptedAgent => ({
      ...agent,
      script: (view) => (view.call === 0 ? { does: "fail", status: 429, afterMs: 0, retryAfterMs: 1000 } : agent.script(view)),
    }),
  );
  const answers = defaultAnswers(size, 1);
  const ideal = idealOf({ team, answers });
  return { name: `429-${size}`, team, answers, must: { path: (ideal.pathMs + 1100) / ideal.pathMs }, aim: {} };
}

/** Faults that the adapter deals with, so they are played over the wire. */
export const wireScenarios: readonly Scenario[] = [cut(3), rateLimited(3), dead(3, 503), dead(10, 503)];

export const scenarios: readonly Scenario[] = [
  steady(3, 1, "3x1", { path: 1.01, calls: 1, waste: 0 }, perfect),
  steady(10, 1, "10x1", { path: 1.01, calls: 1, waste: 0 }, perfect),
  steady(50, 1, "50x1", { path: 1.01, calls: 1, waste: 0 }, perfect),
  steady(5, 3, "storm-5x3", { path: 1.02, calls: 1.2, waste: 0.05 }, perfect),
  steady(10, 3, "storm-10x3", { path: 1.02, calls: 1.2, waste: 0.05 }, perfect),
  slow(3),
  slow(10),
  dead(3, 401),
  dead(3, 503),
  dead(10, 401),
  dead(10, 503),
  stale(3),
];
