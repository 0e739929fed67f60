/** The id of an agent in the configuration, any Unicode. Never shown to another agent. */
export type AgentId = string;
/** `agent1`, `agent2`, … by position in the configuration; fixed for a run; the only name agents see. */
export type AnonId = `agent${number}`;
/** `agent2.1`: first accepted answer of agent 2. Unique within an attempt, never reused. */
export type AnswerLabel = `${AnonId}.${number}`;
/** `YYYYMMDD_HHMMSS_` and six base-32 characters. */
export type RunId = string;
/** Milliseconds since 1970-01-01 UTC. For showing and logging, never for measuring durations. */
export type EpochMillis = number;
/** Milliseconds on a clock that never jumps. Only differences mean anything. */
export type MonotonicMillis = number;

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonSchema = { readonly [key: string]: JsonValue };
