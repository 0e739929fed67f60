import type { Elicitation, ElicitationAnswer } from "@massgen/mcp";

/** Puts what an MCP server wants to know to a person. The signal aborts when nobody waits for the answer any more. */
export type Elicit = (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
