import type { AgentId } from "../ids.js";

/** Planning mode: what cannot be undone is planned by all and done by the presenter only (docs/spec/coordination.md 1.19). */
export type PlanningFact =
  | { readonly type: "planning_analysis_started"; readonly agent: AgentId }
  /**
   * `irreversible` with an empty `blockedTools`: every outside tool is reserved for the presentation. `agent`: whose reply
   * it was, `null` when nobody's could be used; `failure` says then, or of an unreadable reply, what went wrong.
   */
  | {
      readonly type: "planning_decided";
      readonly agent: AgentId | null;
      readonly irreversible: boolean;
      readonly blockedTools: readonly string[];
      readonly failure: string | null;
    };
