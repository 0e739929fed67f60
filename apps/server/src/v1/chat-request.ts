import { z } from "zod";
import { badRequest } from "../errors.js";

const part = z.looseObject({ type: z.string() });
/** Text, or parts of which the code says which kinds it takes. */
const content = z.union([z.string(), z.array(part)]);
const call = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.union([z.string(), z.looseObject({})]).nullish() }),
});

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer", "user"]), content }),
  z.looseObject({ role: z.literal("assistant"), content: content.nullish(), tool_calls: z.array(call).nullish() }),
  z.looseObject({ role: z.literal("tool"), content: content.nullish(), tool_call_id: z.string().nullish() }),
]);

const tool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.json()).nullish(),
  }),
});

const toolChoice = z.union([z.enum(["none", "auto", "required"]), z.looseObject({ function: z.looseObject({ name: z.string() }) })]);

/** Body of `POST /v1/chat/completions` (docs/spec/cli.md 17.3). What is not named here is accepted and ignored. */
export const chatRequest = z.looseObject({
  model: z.string().nullish(),
  messages: z.array(message).min(1, "must not be empty"),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  /** Of `massgen/build`. */
  massgen: z.looseObject({}).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequest>;
export type ChatMessage = ChatRequest["messages"][number];
export type MessageContent = z.infer<typeof content>;

/** @throws ApiError 400 naming the first field that is wrong */
export function readChatRequest(body: unknown): ChatRequest {
  const request = readAs(chatRequest, body);
  if (request.n != null && request.n !== 1) throw badRequest("`n` must be 1: a team gives one answer.", "n", "unsupported_value");
  return request;
}

/** @throws ApiError 400 naming the first field that is wrong */
export function readAs<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const issue = deepest(read.error.issues[0]);
  const param = issue === undefined || issue.path.length === 0 ? null : issue.path.map(String).join(".");
  throw badRequest(
    param === null ? "The body must be a JSON object." : `\`${param}\`: ${issue?.message ?? "invalid"}.`,
    param,
    "invalid_value",
  );
}

/** Of a union, what the alternative that fits best had to say. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== "invalid_union" || issue.errors.length === 0) return issue;
  const inner = issue.errors.map((errors) => errors[0]).filter((one) => one !== undefined);
  const best = inner.toSorted((one, other) => other.path.length - one.path.length)[0];
  return best === undefined || best.path.length === 0 ? issue : deepest({ ...best, path: [...issue.path, ...best.path] });
}
