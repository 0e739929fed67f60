import type { RunEvent } from "@massgen/contracts";
import type { z } from "zod";
import {
  type ArtefactList,
  apiError,
  artefactList,
  type DecideReview,
  modelList,
  type RequestReply,
  type Review,
  type RunList,
  type RunSummary,
  review,
  runList,
  runSummary,
  type SendInput,
  type SessionTurns,
  type StartRun,
  type Steered,
  sessionList,
  sessionTurns,
  steered,
} from "./contract.js";
import { type SetupClient, setupClient } from "./setup-client.js";
import { type WatchOptions, watchStream } from "./watch.js";
import { runtimeFetch } from "./web-edge.js";

export interface ClientOptions {
  /** Address of the server, with the prefix of a proxy if there is one: `https://host/massgen`. */
  readonly baseUrl: string;
  /** Where the server asks for one. */
  readonly apiKey?: string;
  /** Default: that of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What the server answered from status 400 on, or that it could not be reached (`status` 0). */
export class ClientError extends Error {
  readonly status: number;
  readonly code: string | null;
  /** Asking again will not help. */
  readonly final: boolean;

  constructor(status: number, message: string, code: string | null) {
    super(message);
    this.name = "ClientError";
    this.status = status;
    this.code = code;
    this.final = status >= 400 && status < 500 && status !== 408 && status !== 429;
  }
}

/** The run API of one server. Every method rejects with `ClientError`; a signal aborts the request, never the run. */
export interface MassgenClient extends SetupClient {
  startRun(run: StartRun, signal?: AbortSignal): Promise<RunSummary>;
  /** Newest first. */
  listRuns(options?: { readonly limit?: number; readonly offset?: number }, signal?: AbortSignal): Promise<RunList>;
  run(id: string, signal?: AbortSignal): Promise<RunSummary>;
  /** Facts from `after` on and the deltas that pass, until the run is over; survives broken connections. */
  watch(id: string, options?: WatchOptions): AsyncIterable<RunEvent>;
  answerNow(id: string, reason?: string): Promise<Steered>;
  cancel(id: string, reason?: string): Promise<Steered>;
  /**
   * Says something to agents at work: to all, or to one by its id. Each hears it before its next request to its model, and the
   * facts `input_received` and `input_delivered` tell of it. `took: false`: nobody was left to hear it.
   */
  sendInput(id: string, input: SendInput): Promise<Steered>;
  /**
   * Says to a request of a run (fact `request_opened`) what a person decided. `took: false`: it was answered, or its two minutes
   * are over, or the run was started without `answersRequests`.
   */
  answerRequest(id: string, requestId: string, reply: RequestReply): Promise<Steered>;
  /**
   * What the presenter changed in files of the user's. Once the events of a run have ended, this waits until it is known:
   * `open` for a run that was started with `reviewsChanges`, `decided` with what became of each file, or `none`.
   */
  review(id: string, signal?: AbortSignal): Promise<Review>;
  /** Decides an open review; `review` then tells what became of each file. `took: false`: none is open, or somebody else was first. */
  decideReview(id: string, decision: DecideReview): Promise<Steered>;
  artefacts(id: string, signal?: AbortSignal): Promise<ArtefactList>;
  /** The bytes of one of them. */
  artefact(id: string, path: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** The run so far as one HTML page that needs no server, without script and without secrets the server knows. */
  exportPage(id: string, signal?: AbortSignal): Promise<string>;
  sessions(signal?: AbortSignal): Promise<z.infer<typeof sessionList>>;
  /** One of them with its turns. Rejects with status 409 while one is at work. */
  session(id: string, signal?: AbortSignal): Promise<SessionTurns>;
  /** Names for `StartRun.model`: the default team and the examples. */
  teams(signal?: AbortSignal): Promise<readonly string[]>;
}

/**
 * @example
 * const client = createClient({ baseUrl: "http://127.0.0.1:4000" });
 * const { id } = await client.startRun({ question: "Which cache policy fits?" });
 * for await (const event of client.watch(id)) if (event.type === "vote_cast") console.log(event.agent, event.targetLabel);
 */
export function createClient({ baseUrl, apiKey, fetch = runtimeFetch }: ClientOptions): MassgenClient {
  const root = baseUrl.replace(/\/+$/, "");
  const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...key, ...(init.body === undefined ? {} : { "content-type": "application/json" }), ...init.headers };
    let response: Response;
    try {
      response = await fetch(`${root}${path}`, { ...init, headers });
    } catch (error) {
      init.signal?.throwIfAborted();
      throw new ClientError(0, `${root} does not answer: ${error instanceof Error ? error.message : String(error)}`, "unreachable");
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  async function json<T extends z.ZodType>(schema: T, path: string, init: RequestInit = {}): Promise<z.infer<T>> {
    const response = await ask(path, init);
    const read = schema.safeParse(await response.json().catch(() => undefined));
    if (!read.success)
      throw new ClientError(response.status, `${path} was answered with something else than expected.`, "unexpected_answer");
    return read.data;
  }

  const withSignal = (signal: AbortSignal | undefined): RequestInit => (signal === undefined ? {} : { signal });
  const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });
  const runPath = (id: string): string => `/api/runs/${encodeURIComponent(id)}`;
  const steer = (id: string, what: string, reason: string | undefined): Promise<Steered> =>
    json(steered, `${runPath(id)}/${what}`, post(reason === undefined ? {} : { reason }));

  return {
    startRun: (run, signal) => json(runSummary, "/api/runs", { ...post(run), ...withSignal(signal) }),
    listRuns: ({ limit = 50, offset = 0 } = {}, signal) => json(runList, `/api/runs?limit=${limit}&offset=${offset}`, withSignal(signal)),
    run: (id, signal) => json(runSummary, runPath(id), withSignal(signal)),
    watch: (id, options = {}) =>
      watchStream(async (after, signal) => {
        const query = `after=${after}${options.factsOnly === true ? "&facts=only" : ""}`;
        const { body } = await ask(`${runPath(id)}/events?${query}`, { headers: { accept: "text/event-stream" }, ...withSignal(signal) });
        if (body === null) throw new ClientError(0, "The stream of events is empty.", "unexpected_answer");
        return body;
      }, options),
    answerNow: (id, reason) => steer(id, "answer-now", reason),
    cancel: (id, reason) => steer(id, "cancel", reason),
    sendInput: (id, input) => json(steered, `${runPath(id)}/input`, post(input)),
    answerRequest: (id, requestId, reply) => json(steered, `${runPath(id)}/requests/${encodeURIComponent(requestId)}`, post({ reply })),
    review: (id, signal) => json(review, `${runPath(id)}/review`, withSignal(signal)),
    decideReview: (id, decision) => json(steered, `${runPath(id)}/review`, post(decision)),
    artefacts: (id, signal) => json(artefactList, `${runPath(id)}/artefacts`, withSignal(signal)),
    async artefact(id, path, signal) {
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      const response = await ask(`${runPath(id)}/artefacts/${encoded}`, withSignal(signal));
      return new Uint8Array(await response.arrayBuffer());
    },
    exportPage: async (id, signal) => (await ask(`${runPath(id)}/export`, withSignal(signal))).text(),
    sessions: (signal) => json(sessionList, "/api/sessions", withSignal(signal)),
    session: (id, signal) => json(sessionTurns, `/api/sessions/${encodeURIComponent(id)}`, withSignal(signal)),
    ...setupClient(json),
    teams: async (signal) => (await json(modelList, "/v1/models", withSignal(signal))).data.map(({ id }) => id),
  };
}

async function errorOf(response: Response): Promise<ClientError> {
  const read = apiError.safeParse(await response.json().catch(() => undefined));
  return read.success
    ? new ClientError(response.status, read.data.error.message, read.data.error.code)
    : new ClientError(response.status, `The server answered with status ${response.status}.`, null);
}
