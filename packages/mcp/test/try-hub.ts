import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonValue, ToolHandler, ToolOutput } from "@massgen/contracts";
import { systemAmbient } from "@massgen/core";
import { onTestFinished } from "vitest";
import { type HubEvents, type McpHost, type McpHub, type McpServer, openHub } from "../src/index.js";

export const fixtures: string = fileURLToPath(new URL("./fixtures/", import.meta.url));
export const fakeServer: string = join(fixtures, "fake-mcp.mjs");

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "massgen-mcp-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Fake {
  readonly server: McpServer;
  /** What the server says it was told and did. */
  log(): Promise<readonly { readonly [key: string]: unknown }[]>;
}

/** A server that behaves as described; see the head of `fixtures/fake-mcp.mjs`. */
export async function fake(behaviour: object, options: Partial<McpServer> = {}): Promise<Fake> {
  const folder = await temporaryFolder();
  const name = options.name ?? "fake";
  const log = join(folder, "log.jsonl");
  await writeFile(log, "");
  await writeFile(join(folder, "behaviour.json"), JSON.stringify({ name, ...behaviour }));
  return {
    server: serverOf({ name, ...options }, [process.execPath, fakeServer, join(folder, "behaviour.json")], { FAKE_MCP_LOG: log }),
    log: async () =>
      (await readFile(log, "utf8"))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { readonly [key: string]: unknown }),
  };
}

export const serverOf = (
  options: Partial<McpServer> & { readonly name: string },
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): McpServer => ({
  transport: { kind: "stdio", argv, cwd: fixtures, env },
  connectTimeoutMs: 10_000,
  callTimeoutMs: 10_000,
  maxRetries: 3,
  concurrency: 4,
  allowedTools: null,
  excludedTools: [],
  expectedTools: [...(options.allowedTools ?? []), ...(options.excludedTools ?? [])],
  trust: "low",
  isOptional: true,
  isPinned: false,
  readOnlyTools: [],
  destructiveTools: [],
  exposesResources: false,
  ...options,
});

export interface TestHub extends McpHub {
  readonly lines: readonly string[];
  tool(name: string): ToolHandler;
  call(name: string, input?: JsonValue, signal?: AbortSignal): Promise<ToolOutput>;
}

/** Open, ready, and closed at the end of the test. */
export async function tryHub(servers: readonly McpServer[], host: Partial<McpHost> = {}, events: HubEvents = {}): Promise<TestHub> {
  const lines: string[] = [];
  const complete: McpHost = {
    version: "0.0.0-test",
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
    fetch: globalThis.fetch,
    log: (server, level, line) => void lines.push(`${server} ${level} ${line}`),
    ...host,
  };
  const hub = openHub(servers, complete, new AbortController().signal, events);
  onTestFinished(() => hub.close());
  await hub.ready;
  const tool = (name: string): ToolHandler => {
    const found = hub.tools().find(({ spec }) => spec.name === name);
    if (found === undefined)
      throw new Error(
        `no tool ${name}; there are: ${hub
          .tools()
          .map(({ spec }) => spec.name)
          .join(", ")}`,
      );
    return found;
  };
  return {
    ...hub,
    lines,
    tool,
    call: (name, input = {}, signal = new AbortController().signal) =>
      tool(name).run(input, { agent: "a", callId: "call_1", channel: "work", ambient: systemAmbient(), signal, progress: () => {} }),
  };
}

export const textOf = ({ parts }: ToolOutput): string =>
  parts.map((part) => (part.type === "text" ? part.text : `<${part.mediaType}>`)).join("\n");
