import type { JsonValue, Message } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { openQuirks } from "../src/quirks.js";
import { bodyOf } from "./build-body.js";
import { question } from "./turns.js";

describe("reasoning in later requests (docs/spec/backends.md 10.3)", () => {
  const thought = (family: string, field: string, details?: JsonValue) =>
    ({
      type: "reasoning",
      text: "Hm.",
      opaque: { adapter: "chat-completions", family, field, ...(details === undefined ? {} : { details }) },
    }) as const;
  const call = { type: "tool_call", callId: "a", tool: "t", input: {} } as const;
  const done: Message = { role: "tool", results: [{ callId: "a", output: { parts: [{ type: "text", text: "ok" }], isError: false } }] };
  const later: Message = { role: "user", parts: [{ type: "text", text: "next" }] };

  function sent(
    model: string,
    parts: Extract<Message, { role: "assistant" }>["parts"],
    options: { readonly inLoop: boolean; readonly id?: string; readonly reasoning?: "always" | "never" },
  ) {
    const quirks = openQuirks();
    quirks.reasoning = options.reasoning ?? "by_family";
    const messages: readonly Message[] = [
      ...question,
      { role: "assistant", parts },
      ...(parts.includes(call) ? [done] : []),
      ...(options.inLoop ? [] : [later]),
    ];
    const {
      role: _role,
      tool_calls: _calls,
      ...fields
    } = bodyOf({ messages }, { model, ...(options.id === undefined ? {} : { id: options.id }) }, quirks).messages[2]!;
    return fields;
  }

  it.each([
    [
      "of the loop, in its field",
      "qwen3",
      [thought("qwen", "reasoning_content"), call],
      { inLoop: true },
      { content: null, reasoning_content: "Hm." },
    ],
    [
      "of the loop, in its other field",
      "openai/gpt-oss-120b",
      [thought("gpt-oss", "reasoning"), call],
      { inLoop: true },
      { content: null, reasoning: "Hm." },
    ],
    ["of the loop, from tags", "minimax-m2", [thought("minimax", "think"), call], { inLoop: true }, { content: "<think>Hm.</think>" }],
    ["of an earlier loop", "qwen3", [thought("qwen", "reasoning_content"), call], { inLoop: false }, { content: null }],
    [
      "without calls",
      "qwen3",
      [thought("qwen", "reasoning_content"), { type: "text", text: "Yes." }],
      { inLoop: true },
      { content: "Yes." },
    ],
    [
      "DeepSeek: of an earlier loop too",
      "deepseek-reasoner",
      [thought("deepseek", "reasoning_content"), call],
      { inLoop: false },
      { content: null, reasoning_content: "Hm." },
    ],
    [
      "DeepSeek: a blank one where the message came from elsewhere",
      "deepseek-reasoner",
      [thought("claude", "reasoning"), call],
      { inLoop: false },
      { content: null, reasoning_content: " " },
    ],
    ["DeepSeek without thinking", "deepseek-chat", [call], { inLoop: true }, { content: null }],
    ["Kimi, in the loop only", "kimi-k2-thinking", [call], { inLoop: true }, { content: null, reasoning_content: " " }],
    ["Kimi, behind it", "kimi-k2-thinking", [call], { inLoop: false }, { content: null }],
    ["of another family", "qwen3", [thought("deepseek", "reasoning_content"), call], { inLoop: true }, { content: null }],
    [
      "of another adapter",
      "qwen3",
      [{ type: "reasoning", text: "Hm.", opaque: { adapter: "anthropic", signature: "x" } } as const, call],
      { inLoop: true },
      { content: null },
    ],
    ["of nobody", "qwen3", [{ type: "reasoning", text: "Hm." } as const, call], { inLoop: true }, { content: null }],
    [
      "OpenRouter: details, unchanged, also later and without calls",
      "anthropic/claude",
      [thought("claude", "reasoning_details", [{ type: "reasoning.encrypted", data: "x=" }]), { type: "text", text: "Yes." } as const],
      { inLoop: false, id: "openrouter" },
      { content: "Yes.", reasoning_details: [{ type: "reasoning.encrypted", data: "x=" }] },
    ],
    [
      "a server that misses it",
      "strange",
      [call],
      { inLoop: true, reasoning: "always" as const },
      { content: null, reasoning_content: " " },
    ],
    [
      "a server that refuses it",
      "qwen3",
      [thought("qwen", "reasoning_content"), call],
      { inLoop: true, reasoning: "never" as const },
      { content: null },
    ],
  ])("%s", (_, model, parts, options, expected) => expect(sent(model, parts as never, options)).toEqual(expected));
});
