import { completeHistory, sendableText, type ToolNames } from "@massgen/backend-kit";
import type { MediaPart, Message, Part, ToolOutput } from "@massgen/contracts";
import type { JsonObject } from "./json.js";
import { mediaNote, renderMedia } from "./media.js";
import type { Preset } from "./presets.js";
import type { Quirks } from "./quirks.js";
import { type ReplayRules, replayReasoning, replayRules } from "./reasoning.js";

export interface RenderContext {
  readonly model: string;
  readonly preset: Preset;
  readonly names: ToolNames;
  readonly quirks: Quirks;
  /** Of one adapter, whose model, preset and names do not change. Default: nothing is remembered. */
  readonly memory?: RenderMemory;
}

/** The history as this API takes it; equal histories give equal bytes. */
export function renderMessages(messages: readonly Message[], context: RenderContext): readonly JsonObject[] {
  const history = completeHistory(messages);
  const lastUser = history.findLastIndex((message) => message.role === "user");
  const replay = replayRules(context.model, context.quirks, context.preset.dialect === "openrouter", partsOf(history));
  const rendered: JsonObject[] = [];
  let before: Message | undefined;
  for (const [position, message] of history.entries()) {
    const inLoop = position > lastUser;
    rendered.push(
      ...remembered(message, `${context.quirks.version} ${inLoop} ${replay.thinks}`, context, () => render(message, before, inLoop)),
    );
    before = message;
  }
  return rendered;

  function render(message: Message, asked: Message | undefined, inLoop: boolean): readonly JsonObject[] {
    if (message.role === "system") return message.text === "" ? [] : [{ role: "system", content: sendableText(message.text) }];
    if (message.role === "user") return renderUser(message.parts, context.preset);
    if (message.role === "assistant") return renderAssistant(message.parts, inLoop, replay, context);
    return [...message.results.map(renderResult), ...renderResultMedia(message.results, toolsOf(asked), context.preset)];
  }
}

/** What became of the messages of a conversation, which are sent again with every turn: each is rendered once. */
export type RenderMemory = WeakMap<Message, { readonly circumstances: string; readonly as: readonly JsonObject[] }>;

function remembered(
  message: Message,
  circumstances: string,
  { memory }: RenderContext,
  render: () => readonly JsonObject[],
): readonly JsonObject[] {
  const known = memory?.get(message);
  if (known?.circumstances === circumstances) return known.as;
  const as = render();
  memory?.set(message, { circumstances, as });
  return as;
}

/** Results stand right behind their calls. */
function toolsOf(asked: Message | undefined): ReadonlyMap<string, string> {
  const parts = asked?.role === "assistant" ? asked.parts : [];
  return new Map(parts.flatMap((part) => (part.type === "tool_call" ? [[part.callId, part.tool] as const] : [])));
}

function* partsOf(history: readonly Message[]): Generator<Part> {
  for (const message of history) if (message.role === "assistant") yield* message.parts;
}

function renderUser(parts: readonly Part[], preset: Preset): readonly JsonObject[] {
  const texts = parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [sendableText(part.text)] : []));
  const hasMedia = parts.some((part) => part.type === "media");
  // A plain string where it will do: many compatible servers read nothing else.
  if (!hasMedia) return texts.length === 0 ? [] : [{ role: "user", content: texts.join("\n\n") }];
  const content = parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === "media") return [renderMedia(part, preset)];
    return part.type === "text" && part.text !== "" ? [{ type: "text", text: sendableText(part.text) }] : [];
  });
  return [{ role: "user", content }];
}

function renderAssistant(parts: readonly Part[], inLoop: boolean, replay: ReplayRules, { names }: RenderContext): readonly JsonObject[] {
  const calls = parts.flatMap((part): readonly JsonObject[] => {
    if (part.type !== "tool_call") return [];
    return [{ id: part.callId, type: "function", function: { name: names.toWire(part.tool), arguments: JSON.stringify(part.input) } }];
  });
  const text = parts.flatMap((part) => (part.type === "text" ? [sendableText(part.text)] : [])).join("");
  const { fields, prefix } = replayReasoning(parts, { hasCalls: calls.length > 0, inLoop }, replay);
  const content = sendableText(prefix) + text;
  // Neither text nor calls: only thoughts, or media nobody takes back. Vendors refuse such a message.
  if (content === "" && calls.length === 0) return [];
  return [{ role: "assistant", content: content === "" ? null : content, ...fields, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
}

/** The API has no field for a failed call, so the text says it. */
function renderResult({ callId, output }: { readonly callId: string; readonly output: ToolOutput }): JsonObject {
  const text = output.parts.map((part) => (part.type === "text" ? sendableText(part.text) : mediaNote(part, "shown below"))).join("\n");
  const content = text === "" ? "(no output)" : text;
  return { role: "tool", tool_call_id: callId, content: output.isError && !/^error\b/i.test(content) ? `Error: ${content}` : content };
}

/** Media of results stand in a user message behind all results of the step: few servers take them in a result. */
function renderResultMedia(
  results: readonly { readonly callId: string; readonly output: ToolOutput }[],
  toolOf: ReadonlyMap<string, string>,
  preset: Preset,
): readonly JsonObject[] {
  const content = results.flatMap(({ callId, output }): readonly JsonObject[] => {
    const media = output.parts.filter((part): part is MediaPart => part.type === "media");
    if (media.length === 0) return [];
    return [
      { type: "text", text: `From the result of ${toolOf.get(callId) ?? "a tool"} (${callId}):` },
      ...media.map((part) => renderMedia(part, preset)),
    ];
  });
  return content.length === 0 ? [] : [{ role: "user", content }];
}
