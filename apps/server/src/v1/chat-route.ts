import type { PreparedRun } from "@massgen/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServerContext } from "../context.js";
import { errorOfRun } from "../errors.js";
import { hangUpSignal } from "../hang-up.js";
import { openSse } from "../sse.js";
import { playRun, prepareAsking } from "./ask.js";
import { chatChunk, chatCompletion, type ReplyHead, toolCalls, usageChunk } from "./chat-objects.js";
import { readChatRequest } from "./chat-request.js";
import { readClientTools } from "./client-tools.js";
import { readConversation } from "./conversation.js";
import { type Completion, completionOf } from "./outcome.js";
import { restOfAnswer } from "./stream-text.js";
import { listen } from "./trace.js";

/** `POST /v1/chat/completions`, and without `/v1` (docs/spec/cli.md 17.2). */
export function chatRoutes(app: FastifyInstance, context: ServerContext): void {
  const handle = (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => chat(request, reply, context);
  app.post("/v1/chat/completions", handle);
  app.post("/chat/completions", handle);
}

async function chat(request: FastifyRequest, reply: FastifyReply, context: ServerContext): Promise<unknown> {
  const body = readChatRequest(request.body);
  const conversation = readConversation(body.messages);
  const clientTools = readClientTools(body);
  const model = body.model ?? "massgen";
  const found = await context.teams.find(model, body.massgen);
  const leave = context.admission.enter();
  const hangUp = hangUpSignal(reply.raw, context.stopping);
  try {
    const prepared = await prepareAsking({ conversation, found, clientTools, signal: hangUp.signal }, context.options);
    const head = { id: `chatcmpl-${request.id}`, created: Math.floor(Date.now() / 1000), model };
    const withTrace = request.headers["x-massgen-trace"] !== "off";
    const setting: Setting = { prepared, head, withTrace, name: found.name, context };
    if (body.stream !== true) return await whole(setting);
    reply.hijack();
    await streamed(reply, request, setting, body.stream_options?.include_usage === true);
    return reply;
  } finally {
    hangUp.release();
    leave();
  }
}

interface Setting {
  readonly prepared: PreparedRun;
  readonly head: ReplyHead;
  readonly withTrace: boolean;
  readonly name: string;
  readonly context: ServerContext;
}

async function whole({ prepared, head, withTrace, name, context }: Setting): Promise<object> {
  const listener = listen();
  const trace: string[] = [];
  try {
    const finished = await playRun(prepared, (event) => {
      for (const heard of listener.hear(event)) if (heard.type === "trace") trace.push(...heard.lines);
    });
    context.metrics.ended(finished);
    const completion = completionOf(finished, listener.view(), name, context.options.cwd);
    return chatCompletion(head, completion, withTrace ? [...trace, ...listener.rest()].map(prepared.redact) : []);
  } catch (error) {
    throw errorOfRun(error, prepared.redact);
  }
}

async function streamed(reply: FastifyReply, request: FastifyRequest, setting: Setting, wantsUsage: boolean): Promise<void> {
  const { prepared, head, withTrace, name, context } = setting;
  const sse = openSse(reply.raw, { "x-request-id": request.id });
  const usage = wantsUsage ? { usage: null } : {};
  const frame = (delta: object): Promise<void> => sse.send({ data: JSON.stringify(chatChunk(head, delta, null, usage)) });
  const listener = listen();
  let sent = "";
  const say = async (text: string): Promise<void> => {
    if (text === "") return;
    sent += text;
    await frame({ content: text });
  };
  const trace = async (lines: readonly string[]): Promise<void> => {
    // Clients take the first text for the end of the thinking.
    if (!withTrace || sent !== "" || lines.length === 0) return;
    await frame({ reasoning_content: `${lines.map(prepared.redact).join("\n")}\n` });
  };
  try {
    await frame({ role: "assistant", content: "" });
    const finished = await playRun(prepared, async (event) => {
      for (const heard of listener.hear(event)) await (heard.type === "trace" ? trace(heard.lines) : say(heard.text));
    });
    context.metrics.ended(finished);
    const completion = completionOf(finished, listener.view(), name, context.options.cwd);
    await trace(listener.rest());
    await say(restOfAnswer(sent, completion.text));
    await closeStream(completion);
  } catch (error) {
    if (!reply.raw.destroyed) {
      const failed = errorOfRun(error, prepared.redact);
      if (failed.status === 500) request.log.error({ cause: failed.cause }, "a streamed run failed");
      await sse.send({ data: JSON.stringify({ error: failed.body.error }) });
    }
  } finally {
    await sse.send({ data: "[DONE]" });
    sse.end();
  }

  async function closeStream(completion: Completion): Promise<void> {
    if (completion.calls.length > 0) await frame({ tool_calls: toolCalls(completion).map((call, index) => ({ index, ...call })) });
    const last = { massgen_metadata: completion.metadata, ...(wantsUsage ? { usage: null } : { usage: completion.usage }) };
    await sse.send({ data: JSON.stringify(chatChunk(head, {}, completion.finishReason, last)) });
    if (wantsUsage) await sse.send({ data: JSON.stringify(usageChunk(head, completion.usage)) });
  }
}
