import type { ReplyContent } from "../reply.js";
import { chatCompletions } from "./chat-completions.js";
import { lintResponses } from "./lint-responses.js";
import { readResponses } from "./read-responses.js";
import { responsesWriter, wholeResponse } from "./responses-writer.js";
import type { FinishReason, ReplyHead, Wire, WireUsage } from "./wire.js";

/** OpenAI's Responses, as it and xAI speak it. Errors and the list of models are those of its older API. */
export const responses: Wire = {
  api: "responses",
  basePath: "/v1",
  route: (method, path) => (method === "POST" && path === "/v1/responses" ? "generate" : null),
  read: readResponses,
  lint: lintResponses,
  stream: responsesWriter,
  whole: (head: ReplyHead, content: ReplyContent, finish: FinishReason, usage: WireUsage) =>
    JSON.stringify(wholeResponse(head, content, finish, usage)),
  error: chatCompletions.error,
  models: chatCompletions.models,
};
