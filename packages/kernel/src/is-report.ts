import type { CoordinationEvent } from "@massgen/contracts";

const REPORTS: ReadonlySet<CoordinationEvent["type"]> = new Set(["llm_call", "tool_start", "tool_complete", "usage_recorded"]);

/** Only tells what was done and what it cost: no agent, answer, vote or phase changes, and as long as nothing is short of money the same work is called for as before. */
export const isReport = ({ type }: CoordinationEvent): boolean => REPORTS.has(type);
