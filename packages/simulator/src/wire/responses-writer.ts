import type { JsonValue } from "@massgen/contracts";
import type { ReplyContent } from "../reply.js";
import type { FinishReason, JsonObject, ReplyHead, StreamWriter, WireUsage } from "./wire.js";

/** What is being said: thoughts, a text, or one call. */
interface OpenItem {
  readonly kind: "reasoning" | "message" | "function_call";
  readonly id: string;
  /** Of a call. */
  readonly callId: string;
  readonly name: string;
  text: string;
}

/** Writes the events of one response. Each item is opened, told in pieces, and closed with all it holds. */
export function responsesWriter(head: ReplyHead): StreamWriter {
  const finished: JsonObject[] = [];
  let open: OpenItem | null = null;
  let sequence = 0;

  const event = (type: string, fields: JsonObject): string => eventText(type, sequence++, fields);
  const place = (item: OpenItem): JsonObject => ({ item_id: item.id, output_index: finished.length });

  function begin(kind: OpenItem["kind"], name = "", index = 0): string {
    const ending = finish();
    const id = `${PREFIX[kind]}_${head.id}_${finished.length}`;
    const item: OpenItem = { kind, id, callId: callIdOf(head, index), name, text: "" };
    open = item;
    const begun = event("response.output_item.added", { output_index: finished.length, item: emptyItem(item) });
    if (kind === "function_call") return ending + begun;
    const part = kind === "message" ? textPart("") : summaryPart("");
    return ending + begun + event(`response.${PART[kind]}.added`, { ...place(item), [POSITION[kind]]: 0, part });
  }

  function say(kind: "reasoning" | "message", piece: string): string {
    const begun = open?.kind === kind ? "" : begin(kind);
    return begun + tell(`response.${TEXT[kind]}.delta`, { [POSITION[kind]]: 0 }, piece);
  }

  function tell(type: string, fields: JsonObject, piece: string): string {
    if (open === null) throw new Error("nothing is open that could hold a piece");
    open.text += piece;
    return event(type, { ...place(open), ...fields, delta: piece });
  }

  function finish(): string {
    if (open === null) return "";
    const item = open;
    open = null;
    const ending = endingEvents(item, finished.length, sequence, "completed");
    sequence += ending.length;
    finished.push(wholeItem(item, "completed"));
    return ending.join("");
  }

  return {
    open() {
      const response = responseOf(head, { status: "in_progress", output: [], usage: null, reason: null });
      return event("response.created", { response }) + event("response.in_progress", { response });
    },
    reasoning: (piece) => say("reasoning", piece),
    text: (piece) => say("message", piece),
    callStart: (index, name) => begin("function_call", name, index),
    callInput: (_index, jsonPiece) => tell("response.function_call_arguments.delta", {}, jsonPiece),
    close(why, usage) {
      const { status, reason } = STATUS[why];
      // The limit strikes in the middle of an item, which then stays without its last word.
      const ending = open === null || status === "incomplete" ? [] : endingEvents(open, finished.length, sequence, "completed");
      const output = open === null ? finished : [...finished, wholeItem(open, status)];
      const response = responseOf(head, { status, output, usage, reason });
      return ending.join("") + eventText(`response.${status}`, sequence + ending.length, { response });
    },
  };
}

/** The response of a request that is not streamed. */
export function wholeResponse(head: ReplyHead, content: ReplyContent, finish: FinishReason, usage: WireUsage): JsonObject {
  const { status, reason } = STATUS[finish];
  const said = (kind: "reasoning" | "message", text: string | undefined): readonly OpenItem[] =>
    text === undefined || text === "" ? [] : [{ kind, id: `${PREFIX[kind]}_${head.id}`, callId: "", name: "", text }];
  const calls = (content.toolCalls ?? []).map((call, index): OpenItem => {
    const text = JSON.stringify(call.input);
    return { kind: "function_call", id: `fc_${head.id}_${index}`, callId: callIdOf(head, index), name: call.name, text };
  });
  const items = [...said("reasoning", content.reasoning), ...said("message", content.text), ...calls];
  return responseOf(head, { status, output: items.map((item) => wholeItem(item, "completed")), usage, reason });
}

const PREFIX = { reasoning: "rs", message: "msg", function_call: "fc" } as const;
const POSITION = { reasoning: "summary_index", message: "content_index" } as const;
const PART = { reasoning: "reasoning_summary_part", message: "content_part" } as const;
const TEXT = { reasoning: "reasoning_summary_text", message: "output_text" } as const;
const STATUS: Readonly<
  Record<FinishReason, { readonly status: "completed" | "incomplete"; readonly reason: "max_output_tokens" | "content_filter" | null }>
> = {
  stop: { status: "completed", reason: null },
  tool_calls: { status: "completed", reason: null },
  length: { status: "incomplete", reason: "max_output_tokens" },
  refusal: { status: "incomplete", reason: "content_filter" },
};

const eventText = (type: string, sequence: number, fields: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`;

function endingEvents(item: OpenItem, index: number, sequence: number, status: string): readonly string[] {
  const at = { item_id: item.id, output_index: index };
  const done = { output_index: index, item: wholeItem(item, status) };
  const events: readonly (readonly [string, JsonObject])[] =
    item.kind === "function_call"
      ? [["response.function_call_arguments.done", { ...at, name: item.name, arguments: item.text }]]
      : [
          [`response.${TEXT[item.kind]}.done`, { ...at, [POSITION[item.kind]]: 0, text: item.text }],
          [
            `response.${PART[item.kind]}.done`,
            { ...at, [POSITION[item.kind]]: 0, part: item.kind === "message" ? textPart(item.text) : summaryPart(item.text) },
          ],
        ];
  return [...events, ["response.output_item.done", done] as const].map(([type, fields], offset) =>
    eventText(type, sequence + offset, fields),
  );
}

const textPart = (text: string): JsonObject => ({ type: "output_text", text, annotations: [] });
const summaryPart = (text: string): JsonObject => ({ type: "summary_text", text });
const callIdOf = (head: ReplyHead, index: number): string => `call_${head.id}_${index}`;

function emptyItem({ kind, id, callId, name }: OpenItem): JsonObject {
  if (kind === "reasoning") return { id, type: kind, summary: [] };
  if (kind === "message") return { id, type: kind, status: "in_progress", role: "assistant", content: [] };
  return { id, type: kind, status: "in_progress", arguments: "", call_id: callId, name };
}

/** Thoughts come with an encrypted copy, which is what the client has to bring back. */
function wholeItem({ kind, id, callId, name, text }: OpenItem, status: string): JsonObject {
  if (kind === "reasoning") return { id, type: kind, summary: [summaryPart(text)], encrypted_content: `simulated-${id}` };
  if (kind === "message") return { id, type: kind, status, role: "assistant", content: [textPart(text)] };
  return { id, type: kind, status, arguments: text, call_id: callId, name };
}

interface Ending {
  readonly status: string;
  readonly output: readonly JsonObject[];
  readonly usage: WireUsage | null;
  readonly reason: string | null;
}

function responseOf(head: ReplyHead, { status, output, usage, reason }: Ending): JsonObject {
  return {
    id: `resp_${head.id}`,
    object: "response",
    created_at: head.createdAtSeconds,
    status,
    error: null,
    incomplete_details: reason === null ? null : { reason },
    model: head.model,
    output: output as JsonValue,
    store: false,
    usage:
      usage === null
        ? null
        : {
            input_tokens: usage.inputTokens,
            input_tokens_details: { cached_tokens: usage.cachedTokens },
            output_tokens: usage.outputTokens,
            output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
            total_tokens: usage.inputTokens + usage.outputTokens,
          },
  };
}
