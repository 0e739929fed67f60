import { agentOf } from "@massgen/kernel";
import type { RoundEffect, Work } from "../executor/work.js";
import { callableNow } from "./callable-now.js";
import { hear } from "./hear.js";
import type { RunContext } from "./run-context.js";
import type { Talk } from "./talk.js";

/**
 * The moment before every request but the first: what the agent should know by now is put into its conversation, after
 * all tool results and never in the middle of a response (docs/spec/coordination.md 1.7). False when the round is over.
 */
export async function passSafePoint(talk: Talk, work: Work<RoundEffect>, run: RunContext): Promise<boolean> {
  const { agent, round } = work.effect;
  const { unseen, wrapUp } = work.inputs();
  if (unseen.length > 0 && !isNearlyOver(talk, work, run)) {
    await run.files.refresh(work.state(), agent, [...new Set([...talk.shown(), ...unseen])], work.emit);
    const { versions } = await talk.offer({ type: "update_delivered", agent, round, labels: unseen });
    if (versions.length > 0) talk.conversation.addUser(run.prompts.update({ versions, ...callableNow(work.state(), agent, run.policy) }));
  }
  await hear(talk, work, run);
  if (wrapUp && agentOf(work.state(), agent)?.wrapUpSeq === null) {
    const secondsLeft = Math.round(run.policy.limits.roundGraceMs / 1000);
    talk.conversation.addUser(run.prompts.wrapUp({ secondsLeft, ...callableNow(work.state(), agent, run.policy) }));
    await talk.offer({ type: "wrap_up_delivered", agent, round });
  }
  return !work.signal.aborted;
}

/** Less than the grace is left until the round is to be wrapped up: what is new waits for the next one. */
function isNearlyOver(talk: Talk, { effect }: Work<RoundEffect>, { ambient, policy }: RunContext): boolean {
  const { initialRoundMs, subsequentRoundMs, roundGraceMs } = policy.limits;
  const limitMs = effect.round === 0 ? initialRoundMs : subsequentRoundMs;
  return limitMs !== null && talk.startedAt + limitMs - ambient.clock.monotonic() < roundGraceMs;
}
