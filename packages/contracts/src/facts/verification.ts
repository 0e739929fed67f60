/**
 * What the user's own check said about an answer (docs/spec/coordination.md 7 W21). `passed: null`: it could not be run, which
 * is never taken for a pass; `summary` then says why.
 */
export interface Verification {
  readonly passed: boolean | null;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The end of what it printed, for voters and people. */
  readonly summary: string;
}
