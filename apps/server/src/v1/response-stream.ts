import type { SseStream } from "../sse.js";
import type { Completion } from "./outcome.js";
import { callItems, messageItem, type OutputItem, type ResponseHead, reasoningItem, responseObject, textPart } from "./response-objects.js";

/** The events of a streamed response, in the order a client's reader expects them. */
export interface ResponseStream {
  begin(): Promise<void>;
  trace(text: string): Promise<void>;
  text(text: string): Promise<void>;
  complete(completion: Completion): Promise<void>;
  fail(code: string, message: string): Promise<void>;
}

export function responseStream(sse: SseStream, head: ResponseHead): ResponseStream {
  let sequence = 0;
  let traced = "";
  let said = "";
  const output: OutputItem[] = [];
  let open: "reasoning" | "message" | null = null;
  const send = (type: string, fields: object): Promise<void> =>
    sse.send({ event: type, data: JSON.stringify({ type, sequence_number: sequence++, ...fields }) });
  const reasoningId = `rs_${head.id}`;
  const messageId = `msg_${head.id}`;
  const at = (id: string): object => ({ item_id: id, output_index: output.length });

  async function openReasoning(): Promise<void> {
    open = "reasoning";
    await send("response.output_item.added", { output_index: output.length, item: reasoningItem(reasoningId, "") });
    await send("response.reasoning_summary_part.added", { ...at(reasoningId), summary_index: 0, part: { type: "summary_text", text: "" } });
  }

  async function openMessage(): Promise<void> {
    open = "message";
    await send("response.output_item.added", { output_index: output.length, item: messageItem(messageId, "", "in_progress") });
    await send("response.content_part.added", { ...at(messageId), content_index: 0, part: textPart("") });
  }

  async function closeItem(): Promise<void> {
    if (open === "reasoning") {
      await send("response.reasoning_summary_text.done", { ...at(reasoningId), summary_index: 0, text: traced });
      await send("response.reasoning_summary_part.done", {
        ...at(reasoningId),
        summary_index: 0,
        part: { type: "summary_text", text: traced },
      });
      await closeWith(reasoningItem(reasoningId, traced));
    }
    if (open === "message") {
      await send("response.output_text.done", { ...at(messageId), content_index: 0, text: said, logprobs: [] });
      await send("response.content_part.done", { ...at(messageId), content_index: 0, part: textPart(said) });
      await closeWith(messageItem(messageId, said, "completed"));
    }
    open = null;
  }

  async function closeWith(item: OutputItem): Promise<void> {
    await send("response.output_item.done", { output_index: output.length, item });
    output.push(item);
  }

  return {
    async begin() {
      await send("response.created", { response: responseObject(head, "in_progress", []) });
      await send("response.in_progress", { response: responseObject(head, "in_progress", []) });
    },
    async trace(text) {
      if (open === "message") return;
      if (open === null) await openReasoning();
      traced += text;
      await send("response.reasoning_summary_text.delta", { ...at(reasoningId), summary_index: 0, delta: text });
    },
    async text(text) {
      if (open !== "message") {
        await closeItem();
        await openMessage();
      }
      said += text;
      await send("response.output_text.delta", { ...at(messageId), content_index: 0, delta: text, logprobs: [] });
    },
    async complete(completion) {
      await closeItem();
      for (const item of callItems(completion, head.id)) {
        await send("response.output_item.added", { output_index: output.length, item: { ...item, status: "in_progress", arguments: "" } });
        await send("response.function_call_arguments.delta", { ...at(item.id), delta: item["arguments"] });
        await send("response.function_call_arguments.done", { ...at(item.id), name: item["name"], arguments: item["arguments"] });
        await closeWith(item);
      }
      const isWhole = completion.finishReason !== "length";
      await send(isWhole ? "response.completed" : "response.incomplete", {
        response: responseObject(head, isWhole ? "completed" : "incomplete", output, { completion }),
      });
    },
    async fail(code, message) {
      await send("response.failed", { response: responseObject(head, "failed", output, { error: { code, message } }) });
    },
  };
}
