import type { Step } from "./script.js";

/** One model call as the vendor saw it. */
export interface Call {
  readonly agent: string;
  readonly step: Step;
  readonly startedAtMs: number;
  /** `null` while it runs. */
  readonly endedAtMs: number | null;
  /** `cancelled`: the client went away before the end. */
  readonly ended: "whole" | "failed" | "cancelled" | null;
}
