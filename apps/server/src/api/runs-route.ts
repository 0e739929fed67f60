import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ServerContext } from "../context.js";
import { ApiError } from "../errors.js";
import type { Artefacts } from "../runs/artefacts.js";
import { notFound, type Runs } from "../runs/open-runs.js";
import type { RunEntry } from "../runs/run-entry.js";
import { readAs } from "../v1/chat-request.js";
import { pageOf } from "./export-page.js";
import { streamEvents } from "./stream-events.js";

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});
const eventsQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  facts: z.enum(["only"]).optional(),
});

export type WithId = { Params: { id: string } };
type WithFile = { Params: { id: string; "*": string } };

/** The run API as far as it only looks: list, watch, and what runs leave (docs/spec/cli.md 17.9). */
export function runRoutes(app: FastifyInstance, context: ServerContext): void {
  const { runs } = context;
  const entryOf = entryIn(runs);

  app.get("/api/runs", ({ query }) => {
    const { limit, offset } = readAs(listQuery, query);
    return runs.list(limit, offset);
  });
  app.get<WithId>("/api/runs/:id", async (request) => (await entryOf(request)).summary());
  app.get<WithId>("/api/runs/:id/events", async (request, reply) => {
    const entry = await entryOf(request);
    const { after, facts } = readAs(eventsQuery, request.query);
    const known = Number(request.headers["last-event-id"]);
    await streamEvents(reply, entry, Number.isSafeInteger(known) && known > after ? known : after, facts === "only", context.stopping);
    return reply;
  });
  app.get<WithId>("/api/runs/:id/review", async (request) => (await entryOf(request)).review());
  app.get<WithId>("/api/runs/:id/export", async (request, reply) => {
    const page = await pageOf(await entryOf(request), context.options.env, context.stopping);
    return reply.type("text/html; charset=utf-8").headers(NO_PAGE_OF_OURS).send(page);
  });
  app.get<WithId>("/api/runs/:id/artefacts", async (request) => artefactsOf(await entryOf(request)).list());
  app.get<WithFile>("/api/runs/:id/artefacts/*", async (request, reply) =>
    sendFile(reply, await artefactsOf(await entryOf(request)).open(request.params["*"])),
  );
}

/** The run that a path names. @throws ApiError 404 */
export const entryIn =
  (runs: Runs) =>
  async ({ params: { id } }: FastifyRequest<WithId>): Promise<RunEntry> => {
    const entry = await runs.find(id);
    if (entry === null) throw notFound(id);
    return entry;
  };

function artefactsOf({ artefacts, id }: RunEntry): Artefacts {
  if (artefacts === null) throw new ApiError(404, `The run ${id} keeps no files.`, { code: "no_files" });
  return artefacts;
}

/** What models wrote is never a page of this server: no browser shows it, guesses its type or runs it. */
const NO_PAGE_OF_OURS = {
  "content-disposition": "attachment",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

function sendFile(reply: FastifyReply, { bytes, body }: Awaited<ReturnType<Artefacts["open"]>>): FastifyReply {
  return reply
    .type("application/octet-stream")
    .headers({ "content-length": bytes, ...NO_PAGE_OF_OURS })
    .send(body);
}
