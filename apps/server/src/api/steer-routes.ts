import { answerRequest, decideReview, sendInput, startRun, steerRun } from "@massgen/client";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { checkSameOrigin } from "../auth.js";
import type { ServerContext } from "../context.js";
import { ApiError, badRequest } from "../errors.js";
import { readAs } from "../v1/chat-request.js";
import { entryIn, type WithId } from "./runs-route.js";
import { teamOfSession } from "./session-turns.js";

type WithRequest = { Params: { id: string; request: string } };

/** The run API as far as it changes something: start, steer, say, answer, decide (docs/spec/cli.md 17.9). */
export function steerRoutes(app: FastifyInstance, context: ServerContext): void {
  const { runs } = context;
  const entryOf = entryIn(runs);

  app.post("/api/runs", async (request, reply) => {
    const { question, sessionId = null, answersRequests, reviewsChanges, contextPaths, ...asked } = readAs(startRun, request.body);
    if (contextPaths.length > 0) checkFolders(request, context);
    const model = asked.model ?? (sessionId === null ? null : await teamOfSession(sessionId, context)) ?? "massgen";
    const key = context.keyNameOf(request);
    const summary = await runs.start({ question, model, sessionId, answersRequests, reviewsChanges, contextPaths, key });
    return reply
      .code(201)
      .header("location", `/api/runs/${encodeURIComponent(summary.id)}`)
      .send(summary);
  });
  app.post<WithId>("/api/runs/:id/answer-now", async (request) => {
    const { reason = "asked for over the API" } = readAs(steerRun, request.body ?? {});
    return { took: await (await entryOf(request)).answerNow(reason) };
  });
  app.post<WithId>("/api/runs/:id/cancel", async (request) => {
    const { reason = "cancelled over the API" } = readAs(steerRun, request.body ?? {});
    return { took: await (await entryOf(request)).cancel(reason) };
  });
  app.post<WithId>("/api/runs/:id/input", async (request) => {
    const { text, agent = null } = readAs(sendInput, request.body);
    return { took: await (await entryOf(request)).sendInput(text, agent) };
  });
  app.post<WithRequest>("/api/runs/:id/requests/:request", async (request) => {
    const { reply } = readAs(answerRequest, request.body);
    return { took: await (await entryOf(request)).answerRequest(request.params.request, reply) };
  });
  app.post<WithId>("/api/runs/:id/review", async (request) => {
    const decision = readAs(decideReview, request.body);
    return { took: await (await entryOf(request)).decideReview(decision) };
  });
}

/** Folders of this machine are for whoever may write its teams, which name folders too. @throws ApiError 403, 400 */
function checkFolders(request: FastifyRequest, { options, queue }: ServerContext): void {
  if (options.setup !== true)
    throw new ApiError(403, "Folders of this machine are not open to clients: name a config that has them.", { param: "contextPaths" });
  checkSameOrigin(request);
  if (queue !== null)
    throw badRequest("A run of the queue may be played on any machine: name a config that has the folders.", "contextPaths", "not_here");
}
