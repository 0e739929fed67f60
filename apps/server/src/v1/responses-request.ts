import { z } from "zod";
import { badRequest } from "../errors.js";
import { type ChatMessage, type ChatRequest, readAs } from "./chat-request.js";

const part = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(part)]);
const item = z.union([
  z.looseObject({ type: z.literal("message").optional(), role: z.enum(["user", "assistant", "system", "developer"]), content }),
  z.looseObject({ type: z.literal("function_call"), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output: content }),
  z.looseObject({ type: z.literal("reasoning") }),
]);
const tool = z.looseObject({
  type: z.string(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.json()).nullish(),
});

/** Body of `POST /v1/responses`, what clients use of it. What is not named here is accepted and ignored. */
export const responsesRequest = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.union([z.enum(["none", "auto", "required"]), z.looseObject({ name: z.string().optional() })]).nullish(),
  massgen: z.looseObject({}).nullish(),
});
type ResponsesRequest = z.infer<typeof responsesRequest>;

/** A request in the words of Chat Completions, so that both mean the same. */
export interface ReadResponses {
  readonly model: string;
  readonly stream: boolean;
  readonly store: boolean;
  readonly build: unknown;
  readonly previousId: string | null;
  /** Of this request alone, and not kept for the next. */
  readonly instructions: string | null;
  readonly messages: readonly ChatMessage[];
  readonly tools: Pick<ChatRequest, "tools" | "tool_choice">;
}

/** @throws ApiError 400 naming the first field that is wrong, and tools that only the vendor could run */
export function readResponsesRequest(body: unknown): ReadResponses {
  const request = readAs(responsesRequest, body);
  return {
    model: request.model ?? "massgen",
    stream: request.stream === true,
    store: request.store !== false,
    build: request.massgen,
    previousId: request.previous_response_id ?? null,
    instructions: request.instructions ?? null,
    messages: typeof request.input === "string" ? [{ role: "user", content: request.input }] : request.input.flatMap(messageOf),
    tools: toolsOf(request),
  };
}

function messageOf(entry: Exclude<ResponsesRequest["input"], string>[number]): readonly ChatMessage[] {
  if ("role" in entry && entry.role !== undefined) return [{ role: entry.role, content: entry.content } as ChatMessage];
  if (entry.type === "function_call")
    return [
      { role: "assistant", tool_calls: [{ id: entry.call_id, function: { name: entry.name, arguments: entry.arguments } }] } as ChatMessage,
    ];
  if (entry.type === "function_call_output") return [{ role: "tool", tool_call_id: entry.call_id, content: entry.output } as ChatMessage];
  // Reasoning is the model's own and cannot be read by another.
  return [];
}

function toolsOf({ tools, tool_choice: choice }: ResponsesRequest): ReadResponses["tools"] {
  const hosted = tools?.find(({ type }) => type !== "function");
  if (hosted !== undefined)
    throw badRequest(`Tools of the type \`${hosted.type}\` are not supported: send functions.`, "tools", "unsupported_tool");
  const functions = (tools ?? []).map(({ name, description, parameters }, index) => {
    if (name == null || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
      throw badRequest(`\`tools.${index}.name\`: must be 1 to 64 letters, digits, _ or -.`, `tools.${index}.name`, "invalid_value");
    return { type: "function" as const, function: { name, description, parameters } };
  });
  const named = typeof choice === "object" && choice !== null ? { function: { name: choice.name ?? "" } } : choice;
  return { tools: functions, tool_choice: named };
}
