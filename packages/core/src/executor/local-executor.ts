import { analyse } from "../planning/analyse.js";
import { divide } from "../planning/divide.js";
import { paraphrase } from "../planning/paraphrase.js";
import { evaluate } from "../round/evaluate.js";
import { present } from "../round/present.js";
import type { RunContext } from "../round/run-context.js";
import { runRound } from "../round/run-round.js";
import { runSingle } from "../round/run-single.js";
import type { AnalyseEffect, DivideEffect, EvaluateEffect, Executor, ParaphraseEffect, PresentEffect, RoundEffect, Work } from "./work.js";

/** Performs effects in this process. */
export const localExecutor = (run: RunContext): Executor => ({
  execute(work) {
    switch (work.effect.kind) {
      case "analyse":
        return analyse(work as Work<AnalyseEffect>, run);
      case "paraphrase":
        return paraphrase(work as Work<ParaphraseEffect>, run);
      case "divide":
        return divide(work as Work<DivideEffect>, run);
      case "present":
        return present(work as Work<PresentEffect>, run);
      case "evaluate":
        return evaluate(work as Work<EvaluateEffect>, run);
      case "run_round": {
        const round = work as Work<RoundEffect>;
        return round.state().mode === "single" ? runSingle(round, run) : runRound(round, run);
      }
    }
  },
});
