import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CallToolResultSchema,
  ErrorCode,
  McpError,
  type Progress,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { JsonSchemaValidatorResult, jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import { guardFetch } from "../http/guard-fetch.js";
import { messageOf } from "../one-line.js";
import type { McpHost, McpServer } from "../server.js";
import { createStdioTransport } from "../stdio/stdio-transport.js";
import { readPages } from "../tools/choose-tools.js";
import { answerServer } from "./answer-server.js";
import { createDeadlines } from "./deadlines.js";
import { ServerFault, wordsOf } from "./server-fault.js";

interface RequestOptions {
  /** Only for `tools/call`. */
  readonly asTask?: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onProgress?(progress: Progress): void;
}

/** One connection to a server, from its `initialize` to its end. */
export interface Session {
  readonly hasResources: boolean;
  /** Entries of `tools/list`, all pages. */
  readTools(signal: AbortSignal): ReturnType<typeof readPages>;
  /** The result as the server sent it. Rejects with what the SDK, the server or the network said. */
  request(method: string, params: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<unknown>;
  /** Resolves with the cause, in words for people, when the connection is over. */
  readonly over: Promise<string>;
  /** Resolves when nothing of the server is left. Idempotent. */
  close(): Promise<void>;
}

const LIST_TIMEOUT_MS = 30_000;
/** As long as a timer can be: the time of a call is counted here, and not by the SDK. */
const NEVER_MS = 2 ** 31 - 1;
/** As long as a server may take to say good-bye. */
const FAREWELL_MS = 2_000;

/** What they promise of their results is looked at where the tool is called, within limits. */
const unchecked: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({ valid: true, data: input as T, errorMessage: undefined }),
};

/** @throws ServerFault in words for people; nothing of the server is left then */
export async function openSession(server: McpServer, host: McpHost, signal: AbortSignal, onListChanged: () => void): Promise<Session> {
  let end: (reason: string) => void = () => {};
  const over = new Promise<string>((resolve) => {
    end = resolve;
  });
  const deadlines = createDeadlines();
  const createClient = (): Client => {
    const capabilities = host.elicit === undefined ? {} : { elicitation: { form: {}, url: {} } };
    const client = new Client({ name: "massgen", version: host.version }, { capabilities, jsonSchemaValidator: unchecked });
    answerServer(client, server.name, host, deadlines);
    client.setNotificationHandler(ToolListChangedNotificationSchema, onListChanged);
    client.onerror = (error) => host.log(server.name, "debug", messageOf(error));
    return client;
  };
  const late = AbortSignal.timeout(server.connectTimeoutMs);
  const limit = AbortSignal.any([signal, late]);
  const isLate = (): boolean => late.aborted && !signal.aborted;
  const { client, close, fault } = await connect(server, host, limit, createClient).catch((error: unknown) => {
    throw isLate() ? tooLate(server) : error;
  });
  client.onclose = () => end(fault() ?? "the connection was closed");
  let closing: Promise<void> | null = null;
  return {
    hasResources: client.getServerCapabilities()?.resources !== undefined,
    readTools: (stop) =>
      readPages(
        (cursor) =>
          client.request({ method: "tools/list", params: cursor === null ? {} : { cursor } }, ResultSchema, {
            timeout: LIST_TIMEOUT_MS,
            signal: stop,
          }),
        "tools",
      ),
    async request(method, params, { asTask = false, timeoutMs, signal: outer, onProgress }) {
      // The SDK never takes its listener off again.
      const own = new AbortController();
      const onAbort = (): void => own.abort(outer.reason);
      if (outer.aborted) onAbort();
      else outer.addEventListener("abort", onAbort, { once: true });
      const deadline = deadlines.start(timeoutMs, () => own.abort(new McpError(ErrorCode.RequestTimeout, "Request timed out")));
      try {
        const options = { signal: own.signal, timeout: NEVER_MS, maxTotalTimeout: timeoutMs * 10 };
        if (asTask) return await runTask(client, params, { ...options, timeout: timeoutMs });
        return await client.request({ method, params: { ...params } }, ResultSchema, {
          ...options,
          maxTotalTimeout: NEVER_MS,
          onprogress: (progress) => {
            deadline.progressed();
            onProgress?.(progress);
          },
        });
      } finally {
        deadline.end();
        outer.removeEventListener("abort", onAbort);
      }
    },
    over,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** A call that the server works on by itself, until it is done, fails, or has taken ten times the time of a call. */
async function runTask(
  client: Client,
  { name, arguments: input }: Readonly<Record<string, unknown>>,
  options: TaskOptions,
): Promise<unknown> {
  const late = AbortSignal.timeout(options.maxTotalTimeout);
  const signal = AbortSignal.any([options.signal, late]);
  const params = { name: String(name), arguments: { ...(input as Readonly<Record<string, unknown>>) } };
  let id: string | null = null;
  try {
    for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, { ...options, signal, task: {} })) {
      if (message.type === "result") return message.result;
      if (message.type === "error") throw message.error;
      id = message.task.taskId;
    }
  } finally {
    if (signal.aborted && id !== null) await client.experimental.tasks.cancelTask(id).catch(() => {});
  }
  throw new McpError(ErrorCode.InternalError, "the task ended without a result");
}

interface TaskOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly maxTotalTimeout: number;
}

interface Connected {
  readonly client: Client;
  close(): Promise<void>;
  fault(): string | null;
}

async function connect(server: McpServer, host: McpHost, limit: AbortSignal, createClient: () => Client): Promise<Connected> {
  const { transport: setting, name } = server;
  if (setting.kind === "stdio") {
    const client = createClient();
    const transport = createStdioTransport(name, setting, host);
    const close = async (): Promise<void> => {
      await transport.close();
      await client.close().catch(() => {});
    };
    try {
      await client.connect(transport, { timeout: server.connectTimeoutMs, signal: limit });
      limit.throwIfAborted();
    } catch (error) {
      await close();
      throw new ServerFault(transport.fault() ?? wordsOf(error), error);
    }
    return { client, close, fault: transport.fault };
  }
  try {
    const { connectHttp } = await import("../http/connect-http.js");
    const auth = (await host.auth?.providerFor(setting.url)) ?? null;
    let fault: string | null = null;
    let breakOff = (): void => {};
    const fetch = guardFetch(host.fetch, setting, (reason) => {
      fault ??= reason;
      breakOff();
    });
    const { client, endSession } = await connectHttp({
      setting,
      fetch,
      auth,
      timeoutMs: server.connectTimeoutMs,
      signal: limit,
      createClient,
    });
    const close = async (): Promise<void> => {
      await Promise.race([endSession().catch(() => {}), farewell()]);
      await client.close().catch(() => {});
    };
    // The SDK would wait for the answer of a stream that has broken off.
    breakOff = () => void client.close().catch(() => {});
    return { client, close, fault: () => fault };
  } catch (error) {
    throw new ServerFault(wordsOf(error), error);
  }
}

const farewell = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, FAREWELL_MS).unref();
  });

const tooLate = ({ connectTimeoutMs }: McpServer): ServerFault =>
  new ServerFault(`it did not answer within ${connectTimeoutMs / 1000} s (connect_timeout)`, null);
