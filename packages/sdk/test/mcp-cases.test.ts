import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonValue } from "@massgen/contracts";
import { type SimulatedApi, type SimulatedRequest, type Step, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { prepareRun, resolveTeam } from "../src/index.js";

const fixtures = fileURLToPath(new URL("../../mcp/test/fixtures/", import.meta.url));

/** The vendors, by the API the simulator speaks; it refuses what breaks a rule of theirs. */
type Vendor = readonly [type: string, api: SimulatedApi, model: string];
const vendors: readonly Vendor[] = [
  ["chatcompletion", "chat_completions", "ada-model"],
  ["openai", "responses", "gpt-5-mini"],
  ["claude", "messages", "claude-sonnet-4-5"],
  ["gemini", "generate_content", "gemini-2.5-flash"],
];

interface Tried {
  readonly status: string;
  readonly notes: readonly string[];
  readonly bodies: readonly string[];
  /** Rules that requests broke. */
  readonly violations: readonly unknown[];
  /** Calls as the server got them. */
  readonly calls: readonly { readonly tool: string; readonly arguments: JsonValue }[];
  /** What is offered for the server, by a mark in its description. */
  offered(mark: string): Readonly<Record<string, unknown>> | null;
  readonly logDirectory: string;
}

/** A run of one agent whose model calls tools by what they are described as. */
async function tryCase(
  name: string,
  server: string,
  [type, api, model]: Vendor,
  calls: readonly (readonly [string, JsonValue])[],
): Promise<Tried> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "massgen-case-")));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const script = calls.map(
    ([mark, input]): Step =>
      (request: SimulatedRequest) => {
        const tool = describedAs(request.body, mark);
        return tool === null ? step.fail(418) : step.tool(String(tool["name"]), input);
      },
  );
  const simulator = await startSimulator({ respond: scriptedTeam({ [model]: [...script, step.text("Done.")] }) });
  onTestFinished(() => simulator.close());
  const log = join(cwd, "servers.jsonl");
  await writeFile(log, "");
  const desk = {
    command: "node",
    args: [join(fixtures, "fake-mcp.mjs"), join(fixtures, "cases", name, "server.json")],
    env: { FAKE_MCP_LOG: log },
  };
  const backend = {
    type,
    model,
    base_url: simulator.baseUrl(api),
    api_key: "made-up-key",
    max_retries: 0,
    mcp_servers: { [server]: desk },
  };
  const env = { HOME: cwd, PATH: process.env["PATH"] };
  const team = await resolveTeam({ config: { agents: [{ id: "ada", backend }] } }, { env, cwd });
  const prepared = await prepareRun({ question: "Try it.", loaded: team.loaded, env, cwd, logs: { cwd, version: "0.0.0" } });
  const { status } = await prepared.start().finished;
  const bodies = simulator.requests.map(({ body }) => JSON.stringify(body));
  return {
    status,
    notes: prepared.notes,
    bodies,
    violations: simulator.requests.flatMap(({ violations }) => violations),
    calls: (await readFile(log, "utf8"))
      .split("\n")
      .filter((line) => line.includes('"event":"call"'))
      .map((line) => JSON.parse(line) as Tried["calls"][number]),
    offered: (mark) => describedAs(JSON.parse(bodies[0] ?? "null") as JsonValue, mark),
    logDirectory: prepared.logDirectory ?? "",
  };
}

/** The definition with `mark` in its description, however deep the vendor wants it. */
function describedAs(value: JsonValue, mark: string): Readonly<Record<string, unknown>> | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value)) {
    const { name, description } = value as Readonly<Record<string, unknown>>;
    if (typeof name === "string" && typeof description === "string" && description.includes(mark)) return { ...value };
  }
  for (const part of Object.values(value)) {
    const found = describedAs(part, mark);
    if (found !== null) return found;
  }
  return null;
}

const readCase = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(fixtures, "cases", path), "utf8"));

describe.each(vendors)("a whole run with %s (%s, %s)", (...vendor) => {
  it("SC-01: tools with names the vendor refuses are offered under legal ones and called under their own", async () => {
    const marks = ["dot.", "underscore", "long-a", "long-b", "digit", "space", "chinese.", "chinese-two", "slash"];
    const run = await tryCase(
      "SC-01",
      "knowledge_base-of-the-northern-branch",
      vendor,
      marks.map((mark, n) => [`Marker-${mark}`, { q: `n${n}` }]),
    );
    const expected = (await readCase("SC-01/expected.json")) as { readonly [key: string]: readonly string[] };
    expect(run.status).toBe("completed");
    expect(run.calls.map(({ tool, arguments: input }) => `${tool} ${(input as { q: string }).q}`)).toEqual([
      ...expected["mustWork"]!,
      ...expected["shouldWorkOrBeLeftOutWithAWarning"]!,
    ]);
    expect(run.violations).toEqual([]);
    // The same names in every request, as a cache of the vendor's wants them.
    const names = run.bodies.map((body) => marks.map((mark) => describedAs(JSON.parse(body) as JsonValue, `Marker-${mark}`)?.["name"]));
    for (const later of names) expect(later).toEqual(names[0]);
    expect(new Set(names[0]).size).toBe(marks.length);
    expect(await textsBelow(run.logDirectory)).toContain("mcp__knowledge_base-of-the-northern-branch__files.read");
  });

  it("SC-02: every schema is offered in a form the vendor takes, and what a parameter is called stays", async () => {
    const { tools } = (await readCase("SC-02/server.json")) as { readonly tools: readonly { readonly name: string }[] };
    const input = { type: "t", title: "u", properties: "v" };
    const run = await tryCase("SC-02", "shapes", vendor, [["Schema trial keyword_names", input]]);
    expect(run.status).toBe("completed");
    expect(run.violations).toEqual([]);
    expect(tools.filter(({ name }) => run.offered(`Schema trial ${name}`) === null)).toEqual([]);
    expect(run.calls).toMatchObject([{ tool: "keyword_names", arguments: input }]);
  });
});

describe.each(vendors.filter(([type]) => type === "chatcompletion" || type === "claude"))("a whole run with %s", (...vendor) => {
  it("MC-03: results too large, pictures and nothing at all: one limit for the whole, no base64 in a text", async () => {
    const marks = ["Bulk-one", "Bulk-many", "Picture-small", "Picture-large", "Mixed-result", "Empty-result"];
    const run = await tryCase(
      "MC-03",
      "bulk",
      vendor,
      marks.map((mark) => [mark, {}]),
    );
    expect(run.status).toBe("completed");
    expect(run.violations).toEqual([]);
    expect(run.calls).toHaveLength(marks.length);
    const strings = stringsIn(JSON.parse(run.bodies.at(-1) ?? "null") as JsonValue);
    // A picture where the vendor has a place for one, and in no text.
    const isPicture = (text: string): boolean => /^(?:data:image\/[a-z]+;base64,)?[A-Za-z0-9+/]{80,}=*$/.test(text);
    const texts = strings.filter((text) => !isPicture(text));
    expect(texts.filter((text) => text.length > 31_000).map(({ length }) => length)).toEqual([]);
    const all = texts.join("\n");
    const long = texts.filter((text) => /Zeile über Straße 🚢|block of text/.test(text));
    expect(long.map((text) => /…|left out|more/.test(text) && !/\p{Surrogate}/u.test(text))).toEqual([true, true]);
    expect(/[A-Za-z0-9+/]{500}/.test(all)).toBe(false);
    const said = ["caption", "[resource: a.md · file:///notes/a.md]", "# B", "[audio left out: audio/wav", "(no output)"];
    expect(said.filter((text) => !all.includes(text))).toEqual([]);
    // What a model takes in as a picture is sent as one; for others a line stands in its place.
    expect(strings.filter(isPicture).length + (all.match(/\[image left out/g)?.length ?? 0)).toBe(2);
    expect(await sizeBelow(run.logDirectory)).toBeLessThan(20 * 1024 * 1024);
  });
});

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function textsBelow(folder: string): Promise<string> {
  return (await Promise.all((await filesBelow(folder)).map((file) => readFile(file, "utf8")))).join("\n");
}

async function sizeBelow(folder: string): Promise<number> {
  const sizes = await Promise.all((await filesBelow(folder)).map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
