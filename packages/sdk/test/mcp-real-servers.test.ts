import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "@massgen/contracts";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { expect, it, onTestFinished } from "vitest";
import { prepareRun, resolveTeam } from "../src/index.js";
import { inspectServers } from "../src/mcp.js";

// Servers that others wrote, as they are on npm.
const mcpPackage = new URL("../../mcp/package.json", import.meta.url);
const program = (name: string): string => createRequire(mcpPackage).resolve(`@modelcontextprotocol/${name}/dist/index.js`);
const everything = program("server-everything");
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4IScHAAK2AQU0pnWqAAAAAElFTkSuQmCC";

type Calls = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

/** Arguments for the tools that need some, by server. */
async function readCalls(folder: string): Promise<Calls> {
  const text = await readFile(new URL("../../mcp/test/fixtures/real-calls.json", import.meta.url), "utf8");
  return JSON.parse(text.replaceAll("FOLDER", folder)) as Calls;
}

async function listenEverything(): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const server = spawn(process.execPath, [everything, "streamableHttp"], { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (chunk: Buffer) => chunk.toString().includes("listening") && resolve());
    server.once("exit", () => reject(new Error("the server did not start")));
  });
  return port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

it("every tool of five servers that others wrote works by hand and from a run", { timeout: 60_000 }, async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "massgen-real-")));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const folder = join(cwd, "files");
  const refill = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await writeFile(join(folder, "a.txt"), "alpha\nbeta\n");
    await writeFile(join(folder, "p.png"), Buffer.from(PICTURE, "base64"));
  };
  await refill();
  const said = await readCalls(folder);
  const mcp_servers = {
    files: { command: "node", args: [program("server-filesystem"), folder] },
    graph: { command: "node", args: [program("server-memory")], env: { MEMORY_FILE_PATH: join(cwd, "memory.json") } },
    thinking: { command: "node", args: [program("server-sequential-thinking")] },
    everything: { command: "node", args: [everything, "stdio"] },
    remote: { url: `http://127.0.0.1:${await listenEverything()}/mcp`, security: { allow_localhost: true } },
  };

  const script: (readonly [name: string, input: JsonValue])[] = [];
  const perServer: (typeof script)[] = [];
  const simulator = await startSimulator({
    respond: (request) => {
      const steps = [...script.map(([name, input]) => step.tool(name, input)), step.text("All of them.")];
      return scriptedTeam({ "ada-model": steps })(request);
    },
  });
  onTestFinished(() => simulator.close());
  const backend = {
    type: "chatcompletion",
    model: "ada-model",
    base_url: simulator.baseUrl("chat_completions"),
    max_retries: 0,
    mcp_servers,
  };
  const env = { HOME: cwd, PATH: process.env["PATH"] };
  const { loaded } = await resolveTeam({ config: { agents: [{ id: "ada", backend }] } }, { env, cwd });

  const { signal } = new AbortController();
  const inspection = await inspectServers({ config: loaded.config!, env, cwd, home: cwd, signal, secrets: [] });
  onTestFinished(() => inspection.close());
  expect(inspection.servers.map(({ config, report }) => `${config.name} ${report.state} ${report.error}`)).toEqual(
    Object.keys(mcp_servers).map((name) => `${name} ready null`),
  );
  const failures: string[] = [];
  for (const { config, tools } of inspection.servers) {
    const prefix = `mcp__${config.name}__`;
    const calls = said[config.name === "remote" ? "everything" : config.name] ?? {};
    const names = tools.map(({ spec }) => spec.name.slice(prefix.length));
    // In the order of the table, which builds on what was written before.
    const ordered = [...Object.keys(calls).filter((name) => names.includes(name)), ...names.filter((name) => !(name in calls))];
    expect(Object.keys(calls).filter((name) => !names.includes(name))).toEqual([]);
    perServer.push(ordered.map((name) => [`${prefix}${name}`, calls[name] ?? {}]));
  }
  script.push(...perServer.flat());
  await Promise.all(
    perServer.map(async (calls) => {
      for (const [name, input] of calls) {
        const { isError, parts } = await inspection.call(name, input);
        if (isError) failures.push(`${name}: ${JSON.stringify(parts).slice(0, 300)}`);
      }
    }),
  );
  await inspection.close();
  expect(failures).toEqual([]);
  expect(script.length).toBeGreaterThan(45);

  await refill();
  await rm(join(cwd, "memory.json"), { force: true });
  const prepared = await prepareRun({ question: "Try them all.", loaded, env, cwd, logs: { cwd, version: "0.0.0" } });
  const { status } = await prepared.start().finished;
  expect([status, prepared.notes, simulator.requests.flatMap(({ violations }) => violations)]).toEqual(["completed", [], []]);
  // The last request has the whole conversation: every call with its result.
  const { messages } = simulator.requests.at(-1)!.body as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.stringify(content));
  expect(results).toHaveLength(script.length);
  const refused = results.flatMap((text, n) => (/^\W*Error: /.test(text) ? [`${script[n]?.[0]}: ${text.slice(0, 300)}`] : []));
  expect(refused).toEqual([]);
  expect(await readFile(join(folder, "c.txt"), "utf8")).toBe("gamma");
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("alpha\ndelta\n");
});
