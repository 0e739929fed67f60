import type { AgentId, JsonValue } from "../ids.js";

/** A question to a person while a run goes on. */
export interface HumanRequest {
  readonly id: string;
  readonly kind: "question" | "tool_approval" | "plan_review" | "diff_review";
  readonly agent: AgentId | null;
  readonly prompt: string;
  readonly choices: readonly string[] | null;
  readonly deadlineMs: number | null;
  readonly onDeadline: JsonValue;
}

/** Somebody was asked, and what came of it. */
export type RequestFact =
  | { readonly type: "request_opened"; readonly request: HumanRequest }
  | {
      readonly type: "request_closed";
      readonly requestId: string;
      readonly by: "person" | "policy" | "deadline";
      readonly reply: JsonValue;
    };
