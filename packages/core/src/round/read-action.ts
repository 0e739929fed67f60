import type { AgentId, JsonValue, ToolCallPart } from "@massgen/contracts";
import { type AnswerClaim, parseVoteTarget, type Signal, type VoteClaim } from "@massgen/kernel";
import { previewOf } from "../text/cut-text.js";
import { answerText } from "./answer-text.js";
import { fencedCall } from "./fenced-call.js";

/** A response, its calls sorted by who has to answer them. */
export interface Response {
  readonly agent: AgentId;
  readonly round: number;
  readonly text: string;
  /** Calls of workflow tools that are defined in this run. */
  readonly workflow: readonly ToolCallPart[];
  /** Calls of tools that the agent has. */
  readonly ordinary: readonly ToolCallPart[];
  readonly unknown: readonly ToolCallPart[];
  /** Calls of tools that only whoever asked can run. */
  readonly client?: readonly ToolCallPart[];
  /** Names of the workflow tools of this run. Default: `new_answer` and `vote`. */
  readonly defined?: readonly string[];
}

type Action = Extract<Signal, { type: "answer_offered" | "vote_offered" | "stop_offered" | "several_offered" | "nothing_offered" }>;
type Nothing = Extract<Action, { type: "nothing_offered" }>;

/**
 * What a response claims (docs/spec/coordination.md 1.8 and 1.9); `null` while the agent only uses its tools. Never judges:
 * whether the claim counts is for the kernel to say.
 */
export function readAction(response: Response, fingerprint: (text: string) => string): Action | null {
  const { workflow, ordinary, unknown, text } = response;
  if (workflow.length > 0) return readCalls(response, workflow, text, fingerprint);
  if (ordinary.length > 0) return null;
  const [first] = unknown;
  if (first !== undefined)
    return nothing(response, "unknown_tool", null, `there is no tool called ${JSON.stringify(previewOf(first.tool, 80))}`);
  const written = fencedCall(text);
  if (written !== null && (response.defined ?? SERVED).includes(written.call.tool))
    return readCalls(response, [written.call], written.rest, fingerprint);
  return nothing(response, "no_tool_calls", null, "it called no tool");
}

const SERVED: readonly string[] = ["new_answer", "vote"];

function readCalls(response: Response, calls: readonly ToolCallPart[], text: string, fingerprint: (text: string) => string): Action {
  const { agent, round } = response;
  const broken = calls.find((call) => argumentsOf(call) === null);
  if (broken !== undefined) return nothing(response, "invalid_arguments", workflowName(broken), unreadable(broken));
  const stops = calls.filter((call) => call.tool === "stop");
  if (stops.length > 0) return readStop(response, calls, stops.at(-1)!, fingerprint);
  const votes = calls.filter((call) => call.tool === "vote").map(readVote);
  const last = calls.findLast((call) => call.tool === "new_answer");
  const answer = last === undefined ? null : readAnswer(last, text, fingerprint);
  if (votes.length === 0 && answer !== null) {
    if (answer.content.trim() === "")
      return nothing(response, "empty_answer", "new_answer", "`content` is empty, and so is the text of the response");
    return { type: "answer_offered", agent, round, ...answer };
  }
  const vote = votes.at(-1);
  if (answer === null && vote !== undefined && haveOneTarget(votes)) return { type: "vote_offered", agent, round, ...vote };
  return { type: "several_offered", agent, round, answer, votes, text };
}

/** `stop`, by itself or beside an answer that contradicts it. */
function readStop(response: Response, calls: readonly ToolCallPart[], call: ToolCallPart, fingerprint: (text: string) => string): Action {
  const { agent, round, text } = response;
  const { summary, status } = argumentsOf(call) ?? {};
  const answered = calls.findLast((other) => other.tool === "new_answer");
  if (status !== "complete" && status !== "blocked")
    return nothing(response, "invalid_arguments", "stop", "`status` of stop must be complete or blocked");
  const stop = { summary: wordOf(summary), status } as const;
  if (answered === undefined) return { type: "stop_offered", agent, round, ...stop };
  return { type: "several_offered", agent, round, answer: readAnswer(answered, text, fingerprint), votes: [], stop, text };
}

const workflowName = ({ tool }: ToolCallPart): "new_answer" | "vote" | "stop" => (tool === "vote" || tool === "stop" ? tool : "new_answer");

function readAnswer(call: ToolCallPart, text: string, fingerprint: (text: string) => string): AnswerClaim {
  const given = answerText(argumentsOf(call)?.["content"]);
  // Some models write the answer as text and call the tool with nothing in it.
  const content = given.trim() === "" ? text.trim() : given;
  return { content, fingerprint: fingerprint(content), snapshot: null };
}

function readVote(call: ToolCallPart): VoteClaim {
  const { agent_id, reason, confidence } = argumentsOf(call) ?? {};
  return {
    target: wordOf(agent_id),
    reason: wordOf(reason),
    confidence: numberOf(confidence),
  };
}

/** A number, also one written as text, with or without a percent sign (docs/spec/coordination.md EC73); `null` for anything else. */
function numberOf(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const written = typeof value === "string" ? /^\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(value) : null;
  if (written === null) return null;
  const number = Number(written[1]);
  return written[2] === "%" ? Math.min(1, number / 100) : number;
}

/** `null` for arguments that are no JSON object. */
function argumentsOf({ input, inputError }: ToolCallPart): { readonly [key: string]: JsonValue } | null {
  const isObject = inputError === undefined && typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? (input as { readonly [key: string]: JsonValue }) : null;
}

const wordOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

function haveOneTarget(votes: readonly VoteClaim[]): boolean {
  return new Set(votes.map(({ target }) => parseVoteTarget(target) ?? target)).size === 1;
}

const unreadable = ({ tool, input, inputError }: ToolCallPart): string =>
  `the arguments of ${tool} could not be read as a JSON object: ${previewOf(inputError ?? JSON.stringify(input))}`;

export const nothing = (
  { agent, round, text }: Pick<Response, "agent" | "round" | "text">,
  code: Nothing["code"],
  tool: Nothing["tool"],
  detail: string,
): Nothing => ({
  type: "nothing_offered",
  agent,
  round,
  code,
  tool,
  detail,
  text,
});
