import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Check } from "../../src/doctor/check.js";
import { checkLines } from "../../src/doctor/check-lines.js";
import { checkCommands, checkFolders, checkNode, checkTerminal } from "../../src/doctor/check-machine.js";
import { checkModels } from "../../src/doctor/check-models.js";
import type { Ask } from "../../src/listings/ask-models.js";
import { cells } from "../../src/output/columns.js";
import { createPaint } from "../../src/output/paint.js";
import { fakeIo } from "../fake-io.js";

const folder = await mkdtemp(join(tmpdir(), "massgen-doctor-"));
afterAll(() => rm(folder, { recursive: true }));

const nobody: Ask = ({ shownUrl }) => Promise.resolve({ because: `${shownUrl} cannot be reached (ECONNREFUSED)` });
const models = (env: Readonly<Record<string, string>>, more: { online?: boolean; ask?: Ask } = {}): Promise<readonly Check[]> =>
  checkModels({ env, isSupported: () => true, online: more.online ?? false, ask: more.ask ?? nobody });
const named = (checks: readonly Check[], name: string): Check | undefined => checks.find((check) => check.name === name);

describe("what there is to ask", () => {
  it("CF-01 is a problem without keys and servers, also when a key is empty, and names the ways out", async () => {
    const checks = await models({ OPENAI_API_KEY: "  ", GROQ_API_KEY: "" });
    expect(named(checks, "Models")).toMatchObject({ state: "problem", remedy: expect.stringMatching(/\.env.*local server.*massgen demo/) });
    expect(named(checks, "Other keys")?.found).toContain("OPENAI_API_KEY");
  });

  it("is well with one key, which is named and not shown, and asks no vendor", async () => {
    const asked: string[] = [];
    const checks = await models(
      { OPENAI_API_KEY: "sk-very-secret" },
      {
        ask: (request, limitMs) => {
          asked.push(request.url);
          return nobody(request, limitMs);
        },
      },
    );
    expect(named(checks, "OpenAI")).toEqual({ name: "OpenAI", state: "ok", found: "OPENAI_API_KEY is set", remedy: null });
    expect(named(checks, "Models")).toBeUndefined();
    expect(JSON.stringify(checks)).not.toContain("very-secret");
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter((url) => !url.startsWith("http://localhost:"))).toEqual([]);
  });

  it("finds a local server and says how to use it; that is enough to run", async () => {
    const ask: Ask = (request, limitMs) =>
      request.url.includes(":11434") ? Promise.resolve({ models: ["qwen3"] }) : nobody(request, limitMs);
    const checks = await models({}, { ask });
    expect(named(checks, "Ollama")).toMatchObject({ state: "ok", found: 'runs with 1 model; try: massgen --model ollama/qwen3 "…"' });
    expect(named(checks, "Local servers")?.found).toContain("vLLM");
    expect(named(checks, "Models")).toBeUndefined();
  });

  it.each([
    [{ models: ["gpt"] }, "ok", /works/, /^$/],
    [{ because: "https://api.openai.com/v1/models answered with status 401" }, "problem", /status 401/, /new key.*OPENAI_API_KEY/],
    [{ because: "https://api.openai.com/v1/models cannot be reached (ENOTFOUND)" }, "problem", /ENOTFOUND/, /connection/],
  ] as const)("--online: the vendor's %j is %s", async (answer, state, found, remedy) => {
    const ask: Ask = (request, limitMs) => (request.url.includes("openai.com") ? Promise.resolve(answer) : nobody(request, limitMs));
    const check = named(await models({ OPENAI_API_KEY: "sk-1" }, { online: true, ask }), "OpenAI");
    expect(check).toMatchObject({ state, found: expect.stringMatching(found) });
    expect(check?.remedy ?? "").toMatch(remedy);
  });
});

describe("the machine", () => {
  it.each([
    ["18.20.0", "problem"],
    ["20.18.3", "problem"],
    ["20.19.0", "ok"],
    ["22.1.0", "ok"],
  ])("Node %s is %s", (version, state) => {
    expect(checkNode(version).state).toBe(state);
  });

  it("finds out where nothing can be kept, and writes nothing", async () => {
    expect(checkFolders(join(folder, ".massgen"), folder).map(({ state }) => state)).toEqual(["ok", "ok"]);
    const blocked = join(folder, "blocked");
    await writeFile(blocked, "");
    expect(checkFolders(join(blocked, ".massgen"), blocked).map(({ state }) => state)).toEqual(["problem", "note"]);
    expect(checkFolders(join(blocked, ".massgen"), folder)[0]?.found).toContain("is no folder");
  });

  it("takes a missing sandbox for a note with its remedy, and does not blame a config for docker", () => {
    const checks = checkCommands(
      { found: false, reason: "bubblewrap is not installed.", remedy: "Install it." },
      { found: false, reason: "command_line_execution_mode is docker, and neither docker nor podman is installed.", remedy: "" },
    );
    expect(checks).toEqual([
      { name: "Sandbox", state: "note", found: "bubblewrap is not installed.", remedy: "Install it." },
      expect.objectContaining({ name: "Containers", state: "note", found: "neither docker nor podman is installed" }),
    ]);
  });

  it.each([
    [{ LANG: "C.UTF-8", NO_COLOR: "" }, "ok", "100 columns, colour, unicode"],
    [{ LANG: "C.UTF-8", NO_COLOR: "1" }, "ok", "100 columns, no colour, unicode"],
    [{ LANG: "C.UTF-8", LC_ALL: "POSIX" }, "note", "100 columns, colour, no unicode"],
  ])("tells the abilities of a terminal with %j", (env, state, found) => {
    const { io } = fakeIo({ cwd: folder, env, isTerminal: true });
    expect(checkTerminal(io)).toMatchObject({ state, found });
  });
});

describe("the rows", () => {
  const checks: readonly Check[] = [
    { name: "Node", state: "ok", found: "22.1.0", remedy: null },
    { name: "Config", state: "problem", found: `bad\u001b[31m ${"word ".repeat(30)}`, remedy: "Look at it." },
  ];

  it.each([40, 60, 100, 200])("fit into %i columns, say the state in words, and obey no control character", (columns) => {
    const text = checkLines(checks, { paint: createPaint(false), columns });
    for (const line of text.split("\n")) expect(cells(line)).toBeLessThanOrEqual(Math.max(columns, 42));
    expect(text).toMatch(/^ok {4}Node {12}22\.1\.0$/m);
    expect(text).toMatch(/^FAIL {2}Config/m);
    expect(text).toMatch(/^ {22}-> Look at it\.$/m);
    expect(text).not.toContain("\u001b");
    expect(text).toMatch(/\n\n1 problem\.\n$/);
  });
});
