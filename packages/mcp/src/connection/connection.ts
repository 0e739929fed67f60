import { setTimeout as wait } from "node:timers/promises";
import { oneLine } from "../one-line.js";
import type { McpHost, McpServer, ServerReport } from "../server.js";
import { chooseTools } from "../tools/choose-tools.js";
import { type Definitions, renewDefinitions } from "./definitions.js";
import { ServerFault, wordsOf } from "./server-fault.js";
import { openSession, type Session } from "./session.js";

/** A server over the whole run: started, asked for its tools, started again when it is lost. */
export interface Connection {
  readonly server: McpServer;
  /** Never rejects: the report says what came of it. */
  readonly ready: Promise<void>;
  report(): ServerReport;
  definitions(): Definitions;
  /** The session there is, or the one that is being opened again. @throws ServerFault when there is none */
  session(signal: AbortSignal): Promise<Session>;
  /** A session that turned out to be of no use is replaced. */
  drop(session: Session, reason: string): void;
  hasResources(): boolean;
  close(): Promise<void>;
}

const RETRY_AFTER_MS: readonly number[] = [1_000, 2_000, 4_000];
/** Servers that change several tools say so several times. */
const SETTLE_MS = 500;

export interface ConnectionEvents {
  /** Something for the person to know: a sentence about the server. */
  onWarning(message: string): void;
  onReport(): void;
}

export function openConnection(server: McpServer, host: McpHost, signal: AbortSignal, events: ConnectionEvents): Connection {
  const stop = new AbortController();
  const limit = AbortSignal.any([signal, stop.signal]);
  let state: ServerReport["state"] = "starting";
  let error: string | null = null;
  let definitions: Definitions | null = null;
  let current: Session | null = null;
  /** While there is none: the one to come. */
  let opening: Promise<Session | null>;
  let isRelisting = false;

  const set = (next: ServerReport["state"], why: string | null): void => {
    state = next;
    error = why === null ? null : oneLine(why);
    host.log(server.name, why === null ? "info" : "warning", why === null ? `is ${next}` : `is ${next}: ${error}`);
    events.onReport();
  };

  async function list(session: Session): Promise<void> {
    const { entries, problem } = await session.readTools(limit);
    const { tools, problems } = chooseTools(entries, server);
    if (definitions === null) for (const message of [...problems, ...(problem === null ? [] : [problem])]) events.onWarning(message);
    const known = definitions ?? { tools, changed: new Set<string>() };
    definitions = renewDefinitions(known, tools, { isPinned: server.isPinned, warn: events.onWarning });
  }

  function relist(): void {
    if (isRelisting) return;
    isRelisting = true;
    void settle().catch((cause: unknown) => host.log(server.name, "warning", `its changed tools could not be read: ${wordsOf(cause)}`));
  }

  async function settle(): Promise<void> {
    await wait(SETTLE_MS, undefined, { signal: limit, ref: false }).finally(() => {
      isRelisting = false;
    });
    if (current === null) return;
    await list(current);
    host.log(server.name, "info", `changed its tools: ${definitions?.tools.length ?? 0} now`);
    events.onReport();
  }

  /** @throws ServerFault */
  async function attempt(): Promise<Session> {
    const session = await openSession(server, host, limit, relist);
    try {
      await list(session);
    } catch (cause) {
      await session.close();
      throw new ServerFault(`its tools could not be read: ${wordsOf(cause)}`, cause);
    }
    current = session;
    set("ready", null);
    void session.over.then((reason) => lost(session, reason));
    return session;
  }

  function lost(session: Session, reason: string): void {
    if (current !== session || limit.aborted) return;
    current = null;
    void session.close();
    set("failed", reason);
    opening = reopen(reason);
  }

  async function reopen(reason: string): Promise<Session | null> {
    for (const delayMs of RETRY_AFTER_MS) {
      try {
        await wait(delayMs, undefined, { signal: limit, ref: false });
        return await attempt();
      } catch (cause) {
        if (limit.aborted) return null;
        set("failed", `${reason}; starting it again failed: ${wordsOf(cause)}`);
      }
    }
    return null;
  }

  opening = attempt().catch((cause: unknown) => {
    if (!stop.signal.aborted) set("failed", signal.aborted ? "it was not waited for" : wordsOf(cause));
    return null;
  });

  return {
    server,
    ready: opening.then(() => {}),
    report: () => ({ name: server.name, state, tools: definitions?.tools.length ?? 0, error }),
    definitions: () => definitions ?? { tools: [], changed: new Set() },
    async session(outer) {
      const session = current ?? (await unlessAborted(opening, outer));
      if (session === null || session !== current) throw new ServerFault(error ?? "there is no connection", null);
      return session;
    },
    drop: (session, reason) => lost(session, reason),
    hasResources: () => current?.hasResources ?? false,
    async close() {
      if (state === "closed") return;
      stop.abort(new Error("closed"));
      const session = current ?? (await opening);
      current = null;
      await session?.close();
      // What could not be used stays so in every report.
      if (state !== "failed") set("closed", null);
    },
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
