import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServerContext } from "../context.js";
import { badRequest, errorOfRun } from "../errors.js";
import { hangUpSignal } from "../hang-up.js";
import { openSse } from "../sse.js";
import { playRun, prepareAsking } from "./ask.js";
import type { ChatMessage } from "./chat-request.js";
import { readClientTools } from "./client-tools.js";
import { type Conversation, readConversation } from "./conversation.js";
import { type Completion, completionOf } from "./outcome.js";
import { callItems, messageItem, type OutputItem, type ResponseHead, reasoningItem, responseObject } from "./response-objects.js";
import { createResponseStore, type ResponseStore } from "./response-store.js";
import { responseStream } from "./response-stream.js";
import { type ReadResponses, readResponsesRequest } from "./responses-request.js";
import { restOfAnswer } from "./stream-text.js";
import { listen } from "./trace.js";

/** `POST /v1/responses`: the subset that clients use (docs/spec/cli.md 17.10). */
export function responsesRoutes(app: FastifyInstance, context: ServerContext): void {
  const store = createResponseStore();
  app.post("/v1/responses", (request, reply) => respond(request, reply, context, store));
}

async function respond(request: FastifyRequest, reply: FastifyReply, context: ServerContext, store: ResponseStore): Promise<unknown> {
  const body = readResponsesRequest(request.body);
  const owner = context.keyNameOf(request);
  const messages = [...earlierMessages(body, store, owner), ...body.messages];
  const conversation = withInstructions(readConversation(messages), body.instructions);
  const clientTools = readClientTools(body.tools);
  const found = await context.teams.find(body.model, body.build);
  const leave = context.admission.enter();
  const hangUp = hangUpSignal(reply.raw, context.stopping);
  const head: ResponseHead = {
    id: `resp_${request.id}`,
    created_at: Math.floor(Date.now() / 1000),
    model: body.model,
    previous_response_id: body.previousId,
    instructions: body.instructions,
    store: body.store,
  };
  const listener = listen();
  try {
    const prepared = await prepareAsking({ conversation, found, clientTools, signal: hangUp.signal }, context.options);
    const end = async (onTrace: (text: string) => Promise<void>, onText: (text: string) => Promise<void>): Promise<Completion> => {
      const finished = await playRun(prepared, async (event) => {
        for (const heard of listener.hear(event)) {
          if (heard.type === "content") await onText(heard.text);
          else await onTrace(`${heard.lines.map(prepared.redact).join("\n")}\n`);
        }
      });
      context.metrics.ended(finished);
      return completionOf(finished, listener.view(), found.name, context.options.cwd);
    };
    const keep = (completion: Completion): void => {
      if (body.store) store.keep(head.id, owner, [...messages, ...answerMessages(completion)]);
    };
    if (!body.stream) {
      let trace = "";
      const completion = await end(
        async (text) => {
          trace += text;
        },
        () => Promise.resolve(),
      ).catch((error: unknown) => {
        throw errorOfRun(error, prepared.redact);
      });
      keep(completion);
      const status = completion.finishReason === "length" ? "incomplete" : "completed";
      return responseObject(head, status, outputOf(completion, trace, head.id), { completion });
    }
    reply.hijack();
    const sse = openSse(reply.raw, { "x-request-id": request.id });
    const stream = responseStream(sse, head);
    let sent = "";
    try {
      await stream.begin();
      const say = async (text: string): Promise<void> => {
        if (text === "") return;
        sent += text;
        await stream.text(text);
      };
      const completion = await end(stream.trace, say);
      await say(restOfAnswer(sent, completion.text));
      keep(completion);
      await stream.complete(completion);
    } catch (error) {
      const failed = errorOfRun(error, prepared.redact);
      if (failed.status === 500) request.log.error({ cause: failed.cause }, "a streamed run failed");
      await stream.fail(failed.body.error.code ?? "server_error", failed.message);
    } finally {
      sse.end();
    }
    return reply;
  } finally {
    hangUp.release();
    leave();
  }
}

/** @throws ApiError 400 for a response that is not known to this client */
function earlierMessages({ previousId }: ReadResponses, store: ResponseStore, owner: string | null): readonly ChatMessage[] {
  if (previousId === null) return [];
  const messages = store.find(previousId, owner);
  if (messages !== undefined) return messages;
  throw badRequest(
    "The response in `previous_response_id` is not known here, or no longer: send its conversation as `input`.",
    "previous_response_id",
    "previous_response_not_found",
  );
}

const withInstructions = (conversation: Conversation, instructions: string | null): Conversation =>
  instructions === null || instructions.trim() === ""
    ? conversation
    : { ...conversation, instructions: [instructions, conversation.instructions].filter((text) => text !== null).join("\n\n") };

const answerMessages = (completion: Completion): readonly ChatMessage[] => [
  {
    role: "assistant",
    content: completion.text,
    tool_calls: callItems(completion, "").map((item) => ({
      id: String(item["call_id"]),
      function: { name: String(item["name"]), arguments: String(item["arguments"]) },
    })),
  },
];

const outputOf = (completion: Completion, trace: string, id: string): readonly OutputItem[] => [
  ...(trace === "" ? [] : [reasoningItem(`rs_${id}`, trace)]),
  ...(completion.text === "" && completion.calls.length > 0 ? [] : [messageItem(`msg_${id}`, completion.text, "completed")]),
  ...callItems(completion, id),
];
