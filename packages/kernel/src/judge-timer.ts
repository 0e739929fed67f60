import type { CoordinationEvent } from "@massgen/contracts";
import { releaseUnjudged } from "./attempts/post-evaluation.js";
import { splitEvenly } from "./division/judge-division.js";
import { onFirstAnswer } from "./gates/first-answers.js";
import { agentOf, isSettled, liveAgents } from "./inspect.js";
import { outstanding } from "./outstanding.js";
import { keepOriginal } from "./paraphrases/judge-paraphrases.js";
import { assumeTheWorst } from "./planning/judge-analysis.js";
import type { Policy } from "./policy.js";
import { finishPresentation } from "./present.js";
import type { Signal } from "./signal.js";
import type { RunState } from "./state.js";

/** A limit passed. A timer the state no longer calls for changes nothing. */
export function judgeTimer(
  state: RunState,
  signal: Extract<Signal, { type: "timer_fired" }>,
  policy: Policy,
): readonly CoordinationEvent[] {
  const timer = outstanding(state, policy).find((effect) => effect.id === signal.timer);
  if (timer?.kind !== "timer") return [];
  const agent = timer.agent === null ? undefined : agentOf(state, timer.agent);
  const textOf = (id: string): string => (Object.hasOwn(signal.texts, id) ? (signal.texts[id] ?? "") : "");
  switch (timer.limit) {
    case "orchestrator": {
      const unfinished = liveAgents(state)
        .filter((live) => !isSettled(live))
        .map((live) => live.card.id);
      return [
        { type: "orchestrator_timeout", limitMs: timer.afterMs, agents: unfinished },
        ...unfinished.map((id) => ({ type: "agent_timeout", agent: id, limit: "orchestrator", lastText: textOf(id) }) as const),
      ];
    }
    case "stragglers":
      return [{ type: "stragglers_given_up", waitingFor: onFirstAnswer(state).map((late) => late.card.id) }];
    case "presentation":
      return finishPresentation(state, null, "timeout", textOf(state.decision?.winner ?? ""), policy);
    case "evaluation":
      return releaseUnjudged(state, "its time limit passed");
    case "planning":
      return assumeTheWorst(state, "nobody had said so when the time limit passed", policy);
    case "paraphrases":
      return keepOriginal(state, "nobody had done so when the time limit passed", policy);
    case "division":
      return splitEvenly(state, "nobody had done so when the time limit passed");
    case "soft":
      return agent === undefined ? [] : [{ type: "soft_timeout", agent: agent.card.id, round: agent.round, limitMs: timer.afterMs }];
    case "hard":
      return agent === undefined ? [] : [{ type: "hard_timeout", agent: agent.card.id, round: agent.round, limitMs: timer.afterMs }];
  }
}
