import type { CoordinationEvent } from "@massgen/contracts";
import { isCutShort, leadingShare } from "./converge.js";
import { liveAgents } from "./inspect.js";
import type { Policy } from "./policy.js";
import type { RunState } from "./state.js";
import { currentVotes, EPSILON, tallyVotes } from "./tally.js";

/** What the leading share must gain in a coordination round that brings no new answer. */
const MIN_GAIN = 0.05;

/**
 * Closes the coordination round once every live agent has acted in it. After as many rounds without anything new as the
 * policy bears everybody starts afresh, once; the next time nobody may answer any more (docs/spec/coordination.md 1.22).
 */
export function watchStagnation(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  const patience = policy.restartAfterStagnation;
  if (
    patience === null ||
    !policy.enableRestarts ||
    state.answersClosed ||
    state.spending.isUsedUp ||
    state.mode !== "voting" ||
    isCutShort(state)
  )
    return [];
  const live = liveAgents(state);
  if (live.length === 0 || !live.every((agent) => agent.hasActedLately)) return [];
  const { progress } = state;
  const share = leadingShare(state);
  const isStagnant = !progress.hasNewAnswer && share - progress.share < MIN_GAIN - EPSILON;
  const stagnantInARow = isStagnant ? progress.stagnantInARow + 1 : 0;
  const closed: CoordinationEvent = { type: "coordination_round_closed", number: progress.roundsClosed + 1, share, stagnantInARow };
  if (stagnantInARow < patience) return [closed];
  if (progress.hasRestarted) return [closed, { type: "answers_closed", because: "stagnation" }];
  const leading = tallyVotes(state)[0]?.label ?? state.answers.at(-1)?.label ?? null;
  return [closed, { type: "stagnation_restart", rounds: stagnantInARow, leading, voters: currentVotes(state).map(({ voter }) => voter) }];
}
