import { completeHistory, mediaKind, mediaNote, sendableText, type ToolNames } from "@massgen/backend-kit";
import type { MediaPart, Message, Part, ToolOutput, ToolResult } from "@massgen/contracts";
import type { JsonObject } from "./json.js";
import { inputText, renderMedia } from "./media.js";
import { payloadOf } from "./payload.js";
import type { Vendor } from "./vendors.js";

export interface RenderContext {
  readonly model: string;
  readonly vendor: Vendor;
  readonly names: ToolNames;
  /** Media kinds the model takes. */
  readonly taken: readonly string[];
  readonly systemText: Vendor["systemText"];
  /** Whether an item of an earlier response may go back. */
  readonly mayReturn: (item: JsonObject) => boolean;
}

export interface RenderedInput {
  /** `null`: there is no system text, or it stands in `input`. */
  readonly instructions: string | null;
  readonly input: readonly JsonObject[];
}

/** The history as this API takes it; equal histories give equal bytes. */
export function renderInput(messages: readonly Message[], context: RenderContext): RenderedInput {
  const history = completeHistory(messages);
  const begin = history.findIndex((message) => message.role !== "system");
  const leading = history.slice(0, begin === -1 ? history.length : begin);
  const system = leading.flatMap((message) => (message.role === "system" && message.text !== "" ? [message.text] : [])).join("\n\n");
  const toolOf = new Map<string, string>();
  const input = history.slice(leading.length).flatMap((message): readonly JsonObject[] => {
    if (message.role === "system") return message.text === "" ? [] : [systemMessage(message.text, context)];
    if (message.role === "user") return renderUser(message.parts, context);
    if (message.role === "tool") return renderResults(message.results, toolOf, context);
    for (const part of message.parts) if (part.type === "tool_call") toolOf.set(part.callId, part.tool);
    return renderAssistant(message.parts, context);
  });
  if (system === "") return { instructions: null, input };
  // A request without input is refused, so the system text has to be it.
  if (context.systemText === "message" || input.length === 0)
    return { instructions: null, input: [systemMessage(system, context), ...input] };
  return { instructions: sendableText(system), input };
}

function systemMessage(text: string, { vendor }: RenderContext): JsonObject {
  return { role: vendor.systemText === "message" ? "system" : "developer", content: sendableText(text) };
}

function renderUser(parts: readonly Part[], { taken }: RenderContext): readonly JsonObject[] {
  const texts = parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [sendableText(part.text)] : []));
  const hasMedia = parts.some((part) => part.type === "media");
  // A plain string where it will do: compatible servers read nothing more surely.
  if (!hasMedia) return texts.length === 0 ? [] : [{ role: "user", content: texts.join("\n\n") }];
  const content = parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === "media") return [renderMedia(part, taken)];
    return part.type === "text" && part.text !== "" ? [inputText(sendableText(part.text))] : [];
  });
  return [{ role: "user", content }];
}

/**
 * The items of one response, in their order. A reasoning item may only stand before the item it led to: one that nothing
 * follows any more, because a cut call was left out for example, goes too. Ids are left out of what is rebuilt here: a
 * message or call with an id is refused without the very reasoning it came with.
 */
function renderAssistant(parts: readonly Part[], context: RenderContext): readonly JsonObject[] {
  const items: JsonObject[] = [];
  let phase: string | null = null;
  for (const part of parts) {
    if (part.type === "reasoning") {
      const payload = payloadOf(part, context.model);
      if (payload?.is === "phase") phase = payload.phase;
      if (payload?.is === "item" && context.mayReturn(payload.item)) items.push(payload.item);
    } else if (part.type === "text" && part.text !== "") {
      const content = [{ type: "output_text", text: sendableText(part.text) }];
      items.push({ type: "message", role: "assistant", content, ...(phase === null ? {} : { phase }) });
      phase = null;
    } else if (part.type === "tool_call") {
      const name = context.names.toWire(part.tool);
      items.push({ type: "function_call", call_id: part.callId, name, arguments: JSON.stringify(part.input) });
    }
  }
  return items.slice(0, items.findLastIndex((item) => item["type"] !== "reasoning") + 1);
}

function renderResults(results: readonly ToolResult[], toolOf: ReadonlyMap<string, string>, context: RenderContext): readonly JsonObject[] {
  const items = results.map(({ callId, output }): JsonObject => {
    return { type: "function_call_output", call_id: callId, output: renderOutput(output, context) };
  });
  if (context.vendor.mediaInResults) return items;
  // Media stand in a user message behind all results of the step.
  const content = results.flatMap(({ callId, output }): readonly JsonObject[] => {
    const media = output.parts.filter((part): part is MediaPart => part.type === "media");
    if (media.length === 0) return [];
    const title = inputText(`From the result of ${toolOf.get(callId) ?? "a tool"} (${callId}):`);
    return [title, ...media.map((part) => renderMedia(part, context.taken))];
  });
  return content.length === 0 ? items : [...items, { role: "user", content }];
}

/** The API has no field for a failed call, so the text says it. */
function renderOutput({ parts, isError }: ToolOutput, { vendor, taken }: RenderContext): string | readonly JsonObject[] {
  const shown = (part: MediaPart): boolean => vendor.mediaInResults && taken.includes(mediaKind(part.mediaType) ?? "");
  const noteOf = (part: MediaPart): string =>
    vendor.mediaInResults ? mediaNote(part, "left out: this model does not take it") : mediaNote(part, "shown below");
  if (!parts.some((part) => part.type === "media" && shown(part))) {
    const text = parts.map((part) => (part.type === "text" ? sendableText(part.text) : noteOf(part))).join("\n");
    return withError(text === "" ? "(no output)" : text, isError);
  }
  const content = parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === "media") return [shown(part) ? renderMedia(part, taken) : inputText(noteOf(part))];
    return part.text === "" ? [] : [inputText(sendableText(part.text))];
  });
  return isError ? [inputText("Error:"), ...content] : content;
}

function withError(text: string, isError: boolean): string {
  return isError && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}
