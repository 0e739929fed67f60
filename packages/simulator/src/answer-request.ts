import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonValue } from "@massgen/contracts";
import { monotonicMs, type OpenEntry } from "./ledger.js";
import type { SimulatorOptions } from "./options.js";
import type { Pace } from "./reply.js";
import { openOutlet } from "./sending/outlet.js";
import { sendReply } from "./sending/send-reply.js";
import { countTokens } from "./tokens.js";
import { asObject } from "./wire/json-access.js";
import { lintStrings } from "./wire/lint-strings.js";
import { fallbackWire, findRoute } from "./wire/routes.js";
import type { JsonObject, Violation, Wire } from "./wire/wire.js";

export interface ServerState {
  readonly options: SimulatorOptions;
  readonly requests: OpenEntry[];
  /** How many requests of each agent have reached its model. */
  readonly counts: Map<string, number>;
  readonly startedAtSeconds: number;
}

interface Received {
  readonly wire: Wire;
  readonly path: string;
  readonly text: string;
  readonly body: JsonObject;
  readonly arrivedAtMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

const AT_ONCE: Pace = { firstTokenMs: 0, tokensPerSecond: 0 };
const LARGEST_BODY_BYTES = 64 * 1024 * 1024;

/** Answers whatever comes in. Never rejects: what goes wrong becomes a response, or the end of the connection. */
export async function answerRequest(request: IncomingMessage, response: ServerResponse, state: ServerState): Promise<void> {
  try {
    await route(request, response, state);
  } catch (error) {
    const message = `the simulator failed: ${error instanceof Error ? error.message : String(error)}`;
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, fallbackWire.error(500, message, null));
  }
}

async function route(request: IncomingMessage, response: ServerResponse, state: ServerState): Promise<void> {
  const arrivedAtMs = monotonicMs();
  const path = (request.url ?? "/").split("?", 1)[0]!;
  const found = findRoute(request.method ?? "", path);
  const text = await readBody(request);
  if (text === null) return sendJson(response, 413, fallbackWire.error(413, "the body is too large", null));
  if (found === null)
    return sendJson(response, 404, fallbackWire.error(404, `unknown request URL: ${request.method} ${path}`, "unknown_url"));
  const { wire } = found;
  if (found.asks === "models") return sendJson(response, 200, wire.models(knownModels(state), state.startedAtSeconds));
  const body = parseObject(text);
  if (body === null) return sendJson(response, 400, wire.error(400, "the body is not a JSON object", null));
  await answerModelRequest({ wire, path, text, body, arrivedAtMs, headers: readHeaders(request) }, response, state);
}

async function answerModelRequest(received: Received, response: ServerResponse, state: ServerState): Promise<void> {
  const { wire, path, body, headers } = received;
  const { options } = state;
  const { prompt, canonicalText, includeUsage } = wire.read(body, path);
  // Only an escape can put into JSON what `lintStrings` looks for.
  const violations = [...wire.lint(body, path), ...(received.text.includes("\\u") ? lintStrings(body, "body") : [])];
  const refusal = refusalOf(prompt.model, violations, options);
  const agent = headers["x-simulated-agent"] ?? prompt.model;
  const keep = options.bodies !== "forget";
  const entry: OpenEntry = {
    api: wire.api,
    agent,
    model: prompt.model,
    index: null,
    arrivedAtMs: received.arrivedAtMs,
    firstByteAtMs: null,
    lastByteAtMs: null,
    status: null,
    body: keep ? body : null,
    canonicalText: keep ? canonicalText : "",
    inputTokens: countTokens(canonicalText),
    outputTokens: 0,
    clientLeft: false,
    violations,
  };
  const id = String(state.requests.push(entry));
  const outlet = openOutlet(response, entry, { requestId: `req_simulated_${id}`, timeScale: options.timeScale ?? 1 });
  if (refusal !== null) {
    outlet.head(refusal.status, { "content-type": "application/json" });
    return outlet.end(wire.error(refusal.status, refusal.message, refusal.code), 0);
  }
  const index = state.counts.get(agent) ?? 0;
  state.counts.set(agent, index + 1);
  entry.index = index;
  const reply = await options.respond({ ...prompt, api: wire.api, agent, index, headers, body, inputTokens: entry.inputTokens });
  const head = { id, model: prompt.model, createdAtSeconds: state.startedAtSeconds, includeUsage };
  const stamp = options.stamps === "clock" ? clockStamp : null;
  await sendReply(
    reply,
    { wire, head, streamed: prompt.stream, inputTokens: entry.inputTokens, pace: options.pace ?? AT_ONCE, stamp },
    outlet,
  );
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
}

function refusalOf(model: string, violations: readonly Violation[], options: SimulatorOptions): Refusal | null {
  const broken = violations[0];
  if (broken !== undefined && options.lenient !== true)
    return { status: 400, message: `Invalid request: ${broken.rule} (${broken.where}).`, code: null };
  if (options.models === undefined || options.models.includes(model)) return null;
  return { status: 404, message: `The model "${model}" does not exist.`, code: "model_not_found" };
}

const knownModels = ({ options, requests }: ServerState): readonly string[] =>
  options.models ?? [...new Set(requests.map((entry) => entry.model))];

const clockStamp = (): string => ` ${process.hrtime.bigint()}`;

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

/** The whole body as text; `null` when it is larger than any vendor takes. By events: iterating costs a fifth of the time of a request. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes <= LARGEST_BODY_BYTES) parts.push(part);
    });
    request.on("end", () => resolve(bytes <= LARGEST_BODY_BYTES ? Buffer.concat(parts).toString("utf8") : null));
    request.on("error", reject);
  });
}

function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text) as JsonValue);
  } catch {
    return null;
  }
}

const SECRETS = new Set(["authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie"]);

function readHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
    headers[name] = SECRETS.has(name) ? `…${text.slice(-4)}` : text;
  }
  return headers;
}
