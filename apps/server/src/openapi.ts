import {
  answerRequest,
  apiError,
  artefactList,
  checkConfig,
  checkedConfig,
  decideReview,
  draftConfig,
  draftedConfig,
  folderListing,
  removedKey,
  review,
  runList,
  runSummary,
  saveConfig,
  savedConfig,
  sendInput,
  sessionList,
  sessionTurns,
  setupState,
  startRun,
  steered,
  steerRun,
  storedKey,
  storeKey,
  teamContent,
  teamList,
} from "@massgen/client";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ServerContext } from "./context.js";
import { chatRequest } from "./v1/chat-request.js";
import { responsesRequest } from "./v1/responses-request.js";

interface Operation {
  readonly method: "get" | "post" | "put" | "delete";
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** Of the 2xx answer; `null`: not JSON, or as OpenAI's. */
  readonly answer: z.ZodType | null;
  readonly status?: 201;
  readonly query?: Readonly<Record<string, string>>;
  readonly type?: string;
}

/** Every path of the server; the test holds it against the routes there are. */
const operations: readonly Operation[] = [
  {
    method: "get",
    path: "/health",
    summary: "The server is there.",
    answer: z.object({ status: z.string(), service: z.string(), version: z.string() }),
  },
  {
    method: "get",
    path: "/ready",
    summary: "The server can take a run now; 503 when it cannot.",
    answer: z.object({ status: z.string(), active: z.number(), max: z.number() }),
  },
  { method: "get", path: "/metrics", summary: "Figures for Prometheus.", answer: null, type: "text/plain" },
  { method: "get", path: "/openapi.json", summary: "This document.", answer: z.looseObject({}) },
  { method: "post", path: "/mcp", summary: "The team as tools, over MCP's streamable HTTP.", answer: z.looseObject({}) },
  { method: "get", path: "/mcp", summary: "The same: what the server says by itself.", answer: null, type: "text/event-stream" },
  { method: "delete", path: "/mcp", summary: "Ends a session of it.", answer: null },
  {
    method: "post",
    path: "/v1/chat/completions",
    summary: "Asks a team; as OpenAI's Chat Completions.",
    body: chatRequest,
    answer: z.looseObject({}),
  },
  { method: "post", path: "/chat/completions", summary: "The same without the version.", body: chatRequest, answer: z.looseObject({}) },
  {
    method: "post",
    path: "/v1/responses",
    summary: "Asks a team; as OpenAI's Responses.",
    body: responsesRequest,
    answer: z.looseObject({}),
  },
  { method: "get", path: "/v1/models", summary: "The teams that may be asked.", answer: z.looseObject({}) },
  { method: "get", path: "/v1/models/{id}", summary: "One of them.", answer: z.looseObject({}) },
  { method: "post", path: "/api/runs", summary: "Starts a run.", body: startRun, answer: runSummary, status: 201 },
  {
    method: "get",
    path: "/api/runs",
    summary: "Runs, newest first.",
    answer: runList,
    query: { limit: "1 to 200, default 50", offset: "default 0" },
  },
  { method: "get", path: "/api/runs/{id}", summary: "One run.", answer: runSummary },
  {
    method: "get",
    path: "/api/runs/{id}/events",
    summary: "Its facts, each once and in order, and what passes besides: `record` with its number as id, `delta`, `end`.",
    answer: null,
    type: "text/event-stream",
    query: { after: "number of the last record that is known; so does Last-Event-ID", facts: "only: no deltas" },
  },
  { method: "post", path: "/api/runs/{id}/answer-now", summary: "Asks for the result.", body: steerRun, answer: steered },
  { method: "post", path: "/api/runs/{id}/cancel", summary: "Ends it.", body: steerRun, answer: steered },
  { method: "post", path: "/api/runs/{id}/input", summary: "Says something to agents at work.", body: sendInput, answer: steered },
  {
    method: "post",
    path: "/api/runs/{id}/requests/{request}",
    summary: "Answers a request for a person's consent.",
    body: answerRequest,
    answer: steered,
  },
  {
    method: "get",
    path: "/api/runs/{id}/review",
    summary: "What it changed in files of the user's, and what came of that.",
    answer: review,
  },
  {
    method: "post",
    path: "/api/runs/{id}/review",
    summary: "Decides what of it is brought there.",
    body: decideReview,
    answer: steered,
  },
  {
    method: "get",
    path: "/api/runs/{id}/export",
    summary: "All of it so far as one page that needs nothing else.",
    answer: null,
    type: "text/html",
  },
  { method: "get", path: "/api/runs/{id}/artefacts", summary: "Its files.", answer: artefactList },
  { method: "get", path: "/api/runs/{id}/artefacts/{path}", summary: "The bytes of one.", answer: null, type: "application/octet-stream" },
  {
    method: "get",
    path: "/api/sessions",
    summary: "Conversations, newest first.",
    answer: sessionList,
    query: { limit: "1 to 1000, default 50" },
  },
  { method: "get", path: "/api/sessions/{id}", summary: "One with its turns; not with a queue.", answer: sessionTurns },
];

/** With `setup` alone. */
const setupOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/api/setup",
    summary: "Providers, whether there is a key of each, and whether a run can begin.",
    answer: setupState,
  },
  { method: "put", path: "/api/setup/keys", summary: "Keeps a provider's key.", body: storeKey, answer: storedKey },
  { method: "delete", path: "/api/setup/keys/{variable}", summary: "Takes a provider's key out of that file.", answer: removedKey },
  { method: "get", path: "/api/configs", summary: "Teams: those of the folder, and the examples.", answer: teamList },
  {
    method: "get",
    path: "/api/configs/content",
    summary: "The text of one.",
    answer: teamContent,
    query: { model: "as the list names it" },
  },
  {
    method: "get",
    path: "/api/folders",
    summary: "What is in a folder of the machine, to choose what agents may see.",
    answer: folderListing,
    query: { path: "absolute, with ~, or below the folder of the server" },
  },
  { method: "post", path: "/api/configs/check", summary: "What is wrong with a config.", body: checkConfig, answer: checkedConfig },
  { method: "post", path: "/api/configs/draft", summary: "Writes the text of a config.", body: draftConfig, answer: draftedConfig },
  { method: "post", path: "/api/configs", summary: "Keeps a config.", body: saveConfig, answer: savedConfig, status: 201 },
];

/** The document of the server, in OpenAPI 3.1. */
const openApiDocument = (version: string, operations: readonly Operation[]): object => ({
  openapi: "3.1.0",
  info: { title: "MassGen", version, description: "A team of models behind one API." },
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } }, schemas: { Error: schemaOf(apiError, "output") } },
  security: [{ key: [] }],
  paths: Object.fromEntries(
    [...new Set(operations.map(({ path }) => path))].map((path) => [
      path,
      Object.fromEntries(operations.filter((one) => one.path === path).map((one) => [one.method, describe(one)])),
    ]),
  ),
});

function describe({ path, summary, body, answer, status = undefined, query = {}, type = "application/json" }: Operation): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const inQuery = Object.entries(query).map(([name, description]) => ({ name, in: "query", description, schema: { type: "string" } }));
  const schema = answer === null ? { type: "string" } : schemaOf(answer, "output");
  return {
    summary,
    ...(path === "/health" || path === "/ready" ? { security: [] } : {}),
    ...(inPath.length + inQuery.length === 0 ? {} : { parameters: [...inPath, ...inQuery] }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } } }),
    responses: {
      [String(status ?? 200)]: { description: summary, content: { [type]: { schema } } },
      default: { description: "An error.", content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } },
    },
  };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function operationsOf({ recorded, setup }: ServerContext["options"]): readonly Operation[] {
  if (recorded !== undefined)
    return operations.filter(({ method, path }) => method === "get" && !/^\/(?:v1|mcp|api\/sessions)\b/.test(path));
  return setup === true ? [...operations, ...setupOperations] : operations;
}

export function openApiRoutes(app: FastifyInstance, { options }: ServerContext): void {
  let document: object | null = null;
  // Made when it is asked for: most starts of a server are not.
  app.get("/openapi.json", () => {
    document ??= openApiDocument(options.version, operationsOf(options));
    return document;
  });
}
