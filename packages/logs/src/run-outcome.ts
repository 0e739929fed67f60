import type { RunStatus } from "@massgen/contracts";

/** How the run ended, for runs that could not say it in a fact. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly message?: string | null;
}
