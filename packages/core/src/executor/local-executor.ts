import { present } from "../round/present.js";
import type { RunContext } from "../round/run-context.js";
import { runRound } from "../round/run-round.js";
import { runSingle } from "../round/run-single.js";
import type { Executor, PresentEffect, RoundEffect, Work } from "./work.js";

/** Performs effects in this process. */
export const localExecutor = (run: RunContext): Executor => ({
  execute(work) {
    if (work.effect.kind === "present") return present(work as Work<PresentEffect>, run);
    const round = work as Work<RoundEffect>;
    return round.state().mode === "single" ? runSingle(round, run) : runRound(round, run);
  },
});
