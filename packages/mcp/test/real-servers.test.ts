import { spawn } from "node:child_process";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonValue, ToolOutput } from "@massgen/contracts";
import { expect, onTestFinished, test } from "vitest";
import { serverOf, type TestHub, temporaryFolder, textOf, tryHub } from "./try-hub.js";

/** Servers that others wrote, as they are on npm. */
const program = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));

type Calls = Readonly<Record<string, JsonValue>>;

/** Every tool the server has is called, and no other. */
async function callAll(hub: TestHub, server: string, calls: Calls): Promise<Readonly<Record<string, ToolOutput>>> {
  const prefix = `mcp__${server}__`;
  const names = hub.tools().flatMap(({ spec }) => (spec.name.startsWith(prefix) ? [spec.name.slice(prefix.length)] : []));
  expect(names.toSorted()).toEqual(Object.keys(calls).toSorted());
  const outputs: Record<string, ToolOutput> = {};
  for (const [name, input] of Object.entries(calls)) outputs[name] = await hub.call(`${prefix}${name}`, input);
  expect(
    Object.entries(outputs)
      .filter(([, { isError }]) => isError)
      .map(([name, output]) => `${name}: ${textOf(output)}`),
  ).toEqual([]);
  return outputs;
}

test("@modelcontextprotocol/server-filesystem: every tool", async () => {
  const folder = await realpath(await temporaryFolder());
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, "a.txt"), "alpha\nbeta\n");
  await writeFile(
    join(folder, "p.png"),
    Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4IScHAAK2AQU0pnWqAAAAAElFTkSuQmCC", "base64"),
  );
  const file = join(folder, "a.txt");
  const hub = await tryHub(
    [serverOf({ name: "files" }, ["node", program("@modelcontextprotocol/server-filesystem/dist/index.js"), folder])],
    { input: ["image"] },
  );
  const outputs = await callAll(hub, "files", {
    read_file: { path: file },
    read_text_file: { path: file, head: 1 },
    read_media_file: { path: join(folder, "p.png") },
    read_multiple_files: { paths: [file] },
    write_file: { path: join(folder, "b.txt"), content: "gamma" },
    edit_file: { path: file, edits: [{ oldText: "beta", newText: "delta" }] },
    create_directory: { path: join(folder, "new") },
    list_directory: { path: folder },
    list_directory_with_sizes: { path: folder },
    directory_tree: { path: folder },
    move_file: { source: join(folder, "b.txt"), destination: join(folder, "c.txt") },
    search_files: { path: folder, pattern: "*.txt" },
    get_file_info: { path: file },
    list_allowed_directories: {},
  });
  // What stands in the structured part as well is said once.
  expect(textOf(outputs["read_text_file"]!)).toBe("alpha");
  expect(outputs["read_media_file"]!.parts.some(({ type }) => type === "media")).toBe(true);
  // It would let roots of ours replace the folder it was given.
  expect(textOf(outputs["list_allowed_directories"]!)).toContain(folder);
});

test("@modelcontextprotocol/server-memory and server-sequential-thinking: every tool", async () => {
  const folder = await temporaryFolder();
  const hub = await tryHub([
    serverOf({ name: "memory" }, ["node", program("@modelcontextprotocol/server-memory/dist/index.js")], {
      MEMORY_FILE_PATH: join(folder, "memory.json"),
    }),
    serverOf({ name: "thinking" }, ["node", program("@modelcontextprotocol/server-sequential-thinking/dist/index.js")]),
  ]);
  const lamp = { entityName: "lamp", contents: ["bright"] };
  const relation = { from: "lamp", to: "desk", relationType: "stands on" };
  const outputs = await callAll(hub, "memory", {
    create_entities: { entities: ["lamp", "desk"].map((name) => ({ name, entityType: "thing", observations: [] })) },
    create_relations: { relations: [relation] },
    add_observations: { observations: [lamp] },
    read_graph: {},
    search_nodes: { query: "lamp" },
    open_nodes: { names: ["desk"] },
    delete_observations: { deletions: [{ entityName: "lamp", observations: ["bright"] }] },
    delete_relations: { relations: [relation] },
    delete_entities: { entityNames: ["lamp"] },
  });
  expect(textOf(outputs["read_graph"]!)).toContain("bright");
  await callAll(hub, "thinking", {
    sequentialthinking: { thought: "First.", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
  });
});

const everything = program("@modelcontextprotocol/server-everything/dist/index.js");

/** Arguments for the tools that need some. */
const said: Calls = {
  echo: { message: "hello" },
  "get-sum": { a: 2, b: 3 },
  "get-annotated-message": { messageType: "success", includeImage: true },
  "get-resource-links": { count: 2 },
  "get-resource-reference": { resourceType: "Text", resourceId: 1 },
  "get-structured-content": { location: "Chicago" },
  "trigger-long-running-operation": { duration: 0.2, steps: 2 },
  "simulate-research-query": { topic: "lamps" },
  "gzip-file-as-resource": { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" },
};

async function callEverything(hub: TestHub): Promise<Readonly<Record<string, ToolOutput>>> {
  const names = hub.tools().map(({ spec }) => spec.name.replace("mcp__everything__", ""));
  return callAll(hub, "everything", Object.fromEntries(names.map((name) => [name, said[name] ?? {}])));
}

test("@modelcontextprotocol/server-everything over stdio: every tool, every kind of result", async () => {
  const hub = await tryHub([serverOf({ name: "everything" }, ["node", everything, "stdio"])], { input: ["image"] });
  const outputs = await callEverything(hub);
  expect(textOf(outputs["echo"]!)).toBe("Echo: hello");
  expect(textOf(outputs["get-sum"]!)).toContain("5");
  expect(outputs["get-tiny-image"]!.parts.map(({ type }) => type)).toEqual(["text", "media", "text"]);
  expect(textOf(outputs["get-resource-links"]!)).toContain("[resource: ");
  expect(textOf(outputs["get-structured-content"]!).match(/temperature/g)).toHaveLength(1);
  // Its environment is what it was given, and nothing of ours.
  expect(textOf(outputs["get-env"]!)).not.toContain("npm_");
});

test("@modelcontextprotocol/server-everything over streamable HTTP: every tool", async () => {
  const port = await freePort();
  const server = spawn(process.execPath, [everything, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (chunk: Buffer) => chunk.toString().includes("listening") && resolve());
    server.once("exit", () => reject(new Error("the server did not start")));
  });
  const transport = {
    kind: "http",
    url: `http://127.0.0.1:${port}/mcp`,
    headers: {},
    readTimeoutMs: 10_000,
    networks: ["loopback"],
    trustedHosts: [],
  } as const;
  const hub = await tryHub([serverOf({ name: "everything", transport }, [])]);
  expect(hub.reports()).toMatchObject([{ state: "ready", error: null }]);
  const outputs = await callEverything(hub);
  expect(textOf(outputs["echo"]!)).toBe("Echo: hello");
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
