/** Responses of one conversation after which each without an action counts as a missing one. */
export const MAX_TURNS = 200;
/** Refused tool calls in a row after the hard limit that end a round (docs/spec/coordination.md 1.14). */
export const MAX_REFUSALS = 10;
/** Responses in a row that only call tools nobody has, where text is wanted: such a model will not come to its senses. */
export const MAX_UNKNOWN = 3;
/** Workflow calls of a presenter that are answered; one more and the stored answer is used. */
export const MAX_STRAY_CALLS = 3;
