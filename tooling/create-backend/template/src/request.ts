import { completeHistory, type ToolNames, tidyToolSchema } from "@massgen/backend-kit";
import type { JsonValue, Message, Part, ToolChoice, ToolSpec, TurnRequest } from "@massgen/contracts";
import type { ParrotOptions } from "./options.js";

type Json = { readonly [key: string]: JsonValue };

// TODO: the body that the vendor wants. This one is Chat Completions, as many servers speak it.
export function buildBody({ model, params = {} }: ParrotOptions, request: TurnRequest, names: ToolNames): Json {
  const { tools, toolChoice, maxOutputTokens } = request;
  return {
    ...params,
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: completeHistory(request.messages).flatMap((message) => renderMessage(message, names)),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => renderTool(tool, names)), tool_choice: renderChoice(toolChoice, names) }),
    ...(maxOutputTokens === null ? {} : { max_tokens: maxOutputTokens }),
  };
}

function renderMessage(message: Message, names: ToolNames): readonly Json[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.text }];
    case "user":
      return [{ role: "user", content: textOf(message.parts) }];
    case "tool":
      return message.results.map(({ callId, output }) => ({ role: "tool", tool_call_id: callId, content: textOf(output.parts) }));
    case "assistant": {
      const calls = message.parts.filter((part) => part.type === "tool_call");
      return [
        {
          role: "assistant",
          content: textOf(message.parts),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => renderCall(call, names)) }),
        },
      ];
    }
  }
}

const textOf = (parts: readonly Part[]): string => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

const renderCall = ({ callId, tool, input }: Extract<Part, { type: "tool_call" }>, names: ToolNames): Json => ({
  id: callId,
  type: "function",
  function: { name: names.toWire(tool), arguments: JSON.stringify(input) },
});

const renderTool = ({ name, description, input }: ToolSpec, names: ToolNames): Json => ({
  type: "function",
  function: { name: names.toWire(name), description, parameters: tidyToolSchema(input) as JsonValue },
});

const renderChoice = (choice: ToolChoice, names: ToolNames): JsonValue =>
  typeof choice === "string" ? choice : { type: "function", function: { name: names.toWire(choice.tool) } };
