import type { Channel, ToolHandler } from "@massgen/contracts";
import { isPlanning, isReserved, type RunState } from "@massgen/kernel";
import type { TalkEffect, Work } from "../executor/work.js";
import type { RunContext } from "../round/run-context.js";
import type { AskConsent } from "./consent.js";
import type { ToolGuard } from "./dispatch.js";
import { permit } from "./permit.js";

/** The guards of the calls in one conversation, in the order in which they are asked. */
export function guardsOf(work: Work<TalkEffect>, run: RunContext, channel: Channel, consent: AskConsent): readonly ToolGuard[] {
  const permission = run.permissions === null ? [] : [permit(run.permissions, work.effect.agent, channel, consent)];
  return channel === "presentation" ? permission : [reserve(work, run), ...permission];
}

/** Who is told of a call that nobody refused, right before it runs. */
export const witnessesOf = (work: Work<TalkEffect>, run: RunContext, channel: Channel): readonly ToolGuard[] => [
  channel === "presentation" ? noteIrreversible(work, run) : noteOfSingle(work, run),
];

/** Reaches beyond the agent's own files, as far as anybody vouches for it. */
export const isOutside = ({ origin = "custom" }: ToolHandler): boolean => origin !== "builtin";

/** In planning mode: what the presenter is to do once is done by nobody before (docs/spec/coordination.md 1.19). */
const reserve =
  (work: Work<TalkEffect>, { prompts }: RunContext): ToolGuard =>
  (_call, handler) =>
    isHeldBack(work.state(), handler) ? prompts.reserved(handler.spec.name) : null;

/** The user's own word wins over the analysis of a model. */
function isHeldBack(state: RunState, handler: ToolHandler): boolean {
  if (!isOutside(handler) || !isPlanning(state) || handler.inPlanning === "allow") return false;
  return handler.inPlanning === "block" || isReserved(state, handler.spec.name);
}

/**
 * Puts on record that something is about to be done that cannot be taken back, so that nobody starts over and does it
 * again. On the disk before the tool runs.
 */
function noteIrreversible(work: Work<TalkEffect>, { policy }: RunContext): ToolGuard {
  const { agent, round } = work.effect;
  return async ({ callId }, handler) => {
    const { attempt } = work.state();
    if (attempt > policy.maxRestarts || !isIrreversible(work, handler)) return null;
    const noted = await work.offer({ type: "irreversible_tool_called", agent, round, callId, name: handler.spec.name });
    return noted.length > 0 ? null : `${handler.spec.name} was not run: the presentation is over.`;
  };
}

/** A single agent acts from its first round on; that round is its presentation. */
function noteOfSingle(work: Work<TalkEffect>, run: RunContext): ToolGuard {
  const note = noteIrreversible(work, run);
  return (call, handler) => (work.state().mode === "single" && work.effect.kind === "run_round" ? note(call, handler) : null);
}

/** What the plan names; where it names nothing, or there is none, whatever reaches outside and does not only read. */
function isIrreversible(work: Work<TalkEffect>, handler: ToolHandler): boolean {
  if (!isOutside(handler)) return false;
  const state = work.state();
  const names = state.planning?.verdict?.blockedTools ?? [];
  return isPlanning(state) && names.length > 0 ? isHeldBack(state, handler) : handler.risk !== "read";
}
