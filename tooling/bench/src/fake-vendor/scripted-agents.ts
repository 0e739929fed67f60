import type { BackendAdapter } from "@massgen/contracts";
import {
  cut,
  fail,
  type Piece,
  type ScriptedBackend,
  scriptedBackend,
  stall,
  text,
  toolCall,
  type VirtualClock,
  wait,
} from "@massgen/testing";
import type { Call } from "./call-log.js";
import { callOf } from "./call-of.js";
import { glimpseOfTurn, readView } from "./read-view.js";
import { type Latency, type ScriptedAgent, type Step, stepMs } from "./script.js";

/** The virtual-clock twin of the fake vendor: the same scripts and the same latencies, without a wire. */
export interface ScriptedTeam {
  readonly agents: readonly { readonly id: string; readonly backend: BackendAdapter }[];
  calls(): readonly Call[];
}

export function scriptedTeam(team: readonly ScriptedAgent[], clock: VirtualClock): ScriptedTeam {
  const members = team.map((agent) => scriptedMember(agent, clock));
  return {
    agents: members.map(({ id, backend }) => ({ id, backend })),
    calls: () => members.flatMap((member) => member.calls()).toSorted((a, b) => a.startedAtMs - b.startedAtMs),
  };
}

function scriptedMember({ id, model, latency, script }: ScriptedAgent, clock: VirtualClock) {
  const steps: Step[] = [];
  const backend = scriptedBackend({
    model,
    clock,
    respond(request, call) {
      const answered = steps.filter((step) => step.does === "answer").length;
      const step = script(readView(glimpseOfTurn(request), { call, answered }));
      steps[call] = step;
      return piecesOf(step, latency);
    },
  });
  return { id, backend, calls: () => callsOf(id, backend, steps) };
}

/** The time passes before anything is said, so that a call takes as long as its tokens and not as its letters. */
function piecesOf(step: Step, latency: Latency): readonly Piece[] {
  const spent = wait(step.does === "stall" ? 0 : stepMs(step, latency));
  switch (step.does) {
    case "answer":
    case "vote":
    case "tool":
      return [spent, toolCall(...callOf(step))];
    case "text":
      return [spent, text(step.text)];
    case "fail":
      return [spent, fail(kindOf(step.status), { status: step.status, retryAfterMs: step.retryAfterMs ?? null })];
    case "cut":
      return [spent, cut()];
    case "stall":
      return [stall()];
  }
}

const kindOf = (status: number): "backend_transient" | "backend_fatal" =>
  status === 429 || status >= 500 ? "backend_transient" : "backend_fatal";

const ENDED = { ended: "whole", failed: "failed", aborted: "cancelled", left: "cancelled" } as const;

function callsOf(agent: string, backend: ScriptedBackend, steps: readonly Step[]): readonly Call[] {
  return backend.calls.flatMap(({ startedAtMs, endedAtMs, ended }, place) => {
    const step = steps[place];
    return step === undefined ? [] : [{ agent, step, startedAtMs, endedAtMs, ended: ended === null ? null : ENDED[ended] }];
  });
}
