import type { FailureKind, ToolCallPart, ToolChoice, ToolOutput } from "@massgen/contracts";
import { errorOutput } from "../tools/call-tool.js";
import { MAX_UNKNOWN } from "./bounds.js";
import type { Response } from "./read-action.js";
import type { RunContext } from "./run-context.js";
import type { Turn } from "./stream-turn.js";
import type { Talk } from "./talk.js";

/** How a conversation ended that was to end in text. */
export type Spoken =
  /** `isCut`: the token limit ended it twice; the text is what there is. */
  | { readonly type: "text"; readonly text: string; readonly isCut: boolean }
  /** The model called tools of whoever asked; `text`: what it said besides. */
  | { readonly type: "client"; readonly calls: readonly ToolCallPart[]; readonly text: string }
  | { readonly type: "failed"; readonly kind: FailureKind; readonly message: string; readonly partial: string }
  /** Nobody waits for it any more. */
  | { readonly type: "over" };

export interface SpeakRules {
  /** Responses after which the conversation has failed. */
  readonly maxTurns: number;
  toolChoice(): ToolChoice;
  /** Before every request but the first; false ends the conversation. */
  safePoint(): Promise<boolean>;
  /** Why no tool is served now; `null` when tools are. */
  refusal(): string | null;
  /** What calls of workflow tools come to: results, or the end of the conversation. */
  onWorkflow(response: Response): ReadonlyMap<ToolCallPart, ToolOutput> | Spoken;
  /** After each response that only refused calls came of; a result ends the conversation. */
  onRefused(calls: number, text: string): Promise<Spoken | null>;
}

/** Talks until the model answers with text and no call. Its own tools are served on the way. */
export async function speak(talk: Talk, run: RunContext, signal: AbortSignal, rules: SpeakRules): Promise<Spoken> {
  let cutText = "";
  let isCut = false;
  let lastText = "";
  let unknown = 0;
  for (let turns = 1; turns <= rules.maxTurns; turns++) {
    if (turns > 1 && !(await rules.safePoint())) return { type: "over" };
    const turn = await talk.turn(rules.toolChoice());
    if (turn.type === "aborted") return { type: "over" };
    if (turn.type === "failed") return { ...turn, partial: cutText + turn.partial };
    if (turn.reason === "refusal") return declined(turn.text);
    const text = cutText + turn.text;
    if (turn.calls.length === 0) {
      if (turn.reason !== "length" || isCut)
        return { type: "text", text: text.trim() === "" ? lastText : text, isCut: turn.reason === "length" };
      // A response cut in its text goes on where it stopped; both parts are one text.
      isCut = true;
      cutText = text;
      talk.conversation.addUser(run.prompts.truncated());
      continue;
    }
    cutText = "";
    if (turn.text.trim() !== "") lastText = turn.text;
    const response = talk.sort(turn);
    const { client = [] } = response;
    // What else was called beside them is not run: its results would reach nobody.
    if (client.length > 0) return { type: "client", calls: client, text: turn.text };
    unknown = response.unknown.length === turn.calls.length ? unknown + 1 : 0;
    if (unknown >= MAX_UNKNOWN) return lost(`it called only unknown tools in ${unknown} responses`, lastText);
    const ended = await serve(turn, response, talk, run, signal, rules);
    if (ended !== null) return ended;
    if (turn.reason === "length") talk.conversation.addUser(run.prompts.truncated());
  }
  return lost(`after ${rules.maxTurns} responses there is still no text without a tool call`, lastText);
}

async function serve(
  turn: Extract<Turn, { type: "ended" }>,
  response: Response,
  talk: Talk,
  run: RunContext,
  signal: AbortSignal,
  rules: SpeakRules,
): Promise<Spoken | null> {
  const closing = response.workflow.length === 0 ? new Map<ToolCallPart, ToolOutput>() : rules.onWorkflow(response);
  if ("type" in closing) return closing;
  const others = turn.calls.filter((call) => !response.workflow.includes(call));
  const refusal = rules.refusal();
  const outputs = await talk.serve(others, refusal);
  if (signal.aborted) return { type: "over" };
  if (refusal !== null) {
    const ended = await rules.onRefused(others.length, turn.text);
    if (ended !== null) return ended;
  }
  talk.answer(turn, new Map([...outputs, ...closing]), errorOutput(run.prompts.alsoRefused()));
  return null;
}

const lost = (message: string, partial: string): Spoken => ({ type: "failed", kind: "protocol", message, partial });

const declined = (text: string): Spoken => ({
  type: "failed",
  kind: "backend_fatal",
  message: `the model declined: ${text.trim() === "" ? "it gave no reason" : text.trim()}`,
  partial: "",
});
