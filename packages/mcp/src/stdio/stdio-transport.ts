import { setTimeout as wait } from "node:timers/promises";
import { type ProcessResult, type RunningProcess, startProcess } from "@massgen/exec";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { oneLine } from "../one-line.js";
import type { McpHost, McpTransport } from "../server.js";
import { createMessageReader } from "./read-messages.js";
import { findProgram, isInside, serverEnvironment } from "./server-environment.js";

export interface StdioTransport extends Transport {
  /** Why the connection is over, for people; `null` while nothing is known. */
  fault(): string | null;
}

type Setting = Extract<McpTransport, { kind: "stdio" }>;

/** From the end of its input until a server is ended by signals. */
const GRACE_MS = 2_000;
const LAST_LINES = 20;
const ERROR_LINE = /^\s*(?:Uncaught )?(?:[A-Za-z_.]*(?:Error|Exception)\b|error\b|fatal\b|panic)[^:]*: \S/i;

/**
 * A server as a process of its own group that ends with everything it started, however this program ends. What it writes
 * to standard error goes to the log.
 */
export function createStdioTransport(name: string, { argv, cwd, env }: Setting, host: McpHost): StdioTransport {
  const lastLines: string[] = [];
  let partial = "";
  let running: RunningProcess | null = null;
  let fault: string | null = null;
  let isClosed = false;

  const logError = (text: string): void => {
    const lines = (partial + text).split("\n");
    partial = (lines.pop() ?? "").slice(-64 * 1024);
    for (const line of lines) {
      host.log(name, "debug", `stderr: ${line}`);
      if (line.trim() === "") continue;
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
    }
  };

  const reader = createMessageReader({
    onMessage: (message) => transport.onmessage?.(message),
    onNoise: (line) => host.log(name, "debug", `stdout, no message: ${oneLine(line, 500)}`),
    onBroken(reason) {
      fault = `${reason}; the connection was closed`;
      void close();
    },
  });

  function over(result: ProcessResult): void {
    if (partial !== "") logError("\n");
    const how = result.signal === null ? `exited with code ${result.exitCode}` : `was ended by ${result.signal}`;
    // Node.js ends a crash with its version, and above it a stack: the line that names the error says more.
    const last = lastLines.findLast((line) => ERROR_LINE.test(line)) ?? lastLines.at(-1);
    fault ??= `${how}${last === undefined ? "" : `: ${oneLine(last)}`}`;
    host.log(name, isClosed ? "debug" : "warning", `the server ${how}`);
    running = null;
    transport.onclose?.();
  }

  async function close(): Promise<void> {
    isClosed = true;
    const server = running;
    if (server === null) return;
    server.stdin?.end();
    const timer = new AbortController();
    const isOver = await Promise.race([server.ended.then(() => true), wait(GRACE_MS, false, { signal: timer.signal }).catch(() => false)]);
    timer.abort();
    if (!isOver) await server.end();
  }

  const transport: StdioTransport = {
    async start() {
      const [program = "", ...args] = argv;
      const variables = serverEnvironment(host.env, env);
      const found = findProgram(program, { cwd, path: variables["PATH"] ?? "" });
      if (found === null) {
        fault = `there is no program ${JSON.stringify(program)}${program.includes("/") ? "" : " on the path"}`;
        throw new Error(fault);
      }
      if ((host.writableRoots ?? []).some((root) => isInside(found, root))) {
        fault = `the program ${JSON.stringify(program)} lies in a folder agents may write, and is not started`;
        throw new Error(fault);
      }
      running = await startProcess({
        argv: [found, ...args],
        cwd,
        env: variables,
        timeoutMs: null,
        keepBytes: 0,
        outputLimitBytes: null,
        holdStdin: true,
        onChunk: (stream, chunk) => (stream === "stdout" ? reader.add(chunk) : logError(chunk.toString("utf8"))),
      });
      void running.ended.then(over);
      // Closed while it was being started.
      if (isClosed) await close();
    },
    send(message) {
      const stdin = running?.stdin;
      if (stdin == null || !stdin.writable) return Promise.reject(new Error(fault ?? "Not connected"));
      return new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    close,
    fault: () => fault,
  };
  return transport;
}
