import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { customTool, defineTool, z } from "../src/index.js";
import { type CustomToolEntry, type LoadOptions, loadCustomTools } from "../src/node/index.js";
import { callTool } from "./desk.js";

const FOLDER = fileURLToPath(new URL("fixtures/custom", import.meta.url));
const load = (entry: Omit<CustomToolEntry, "where">, options: Partial<LoadOptions> = {}) =>
  loadCustomTools([{ where: "agents[0].backend.custom_tools[0]", ...entry }], { folders: [FOLDER], writableRoots: [], ...options });

describe("a tool of one's own", () => {
  const add = defineTool({
    name: "add",
    description: "Add.",
    input: z.object({ a: z.int().min(0), b: z.number().default(1) }),
    risk: "read",
    run: ({ a, b }) => String(a + b),
  });

  it("is shown to the model by a schema and gets checked arguments", async () => {
    const handler = customTool(add);
    expect(handler.spec).toEqual({
      name: "add",
      description: "Add.",
      input: { type: "object", properties: { a: { type: "integer", minimum: 0 }, b: { type: "number", default: 1 } }, required: ["a"] },
    });
    expect(await callTool([handler], "add", { a: 2 })).toEqual({ ok: true, text: "3" });
    const { ok, text } = await callTool([handler], "add", { a: -1, b: "x" });
    expect(ok).toBe(false);
    expect(text).toMatch(/^Error \[INVALID_ARGS\].*\n- a: .*\n- b: /);
  });

  it("keeps preset arguments from the model, which cannot set them either", async () => {
    const handler = customTool(add, { presetArgs: { b: 40 } });
    expect(handler.spec.input).toEqual({ type: "object", properties: { a: { type: "integer", minimum: 0 } }, required: ["a"] });
    expect(await callTool([handler], "add", { a: 2, b: 0 })).toMatchObject({ text: "42" });
  });

  it("T7.6 never sees names that reach into prototypes", async () => {
    const handler = customTool({ ...add, input: z.looseObject({ a: z.number() }), run: (input) => JSON.stringify(input) });
    expect(await callTool([handler], "add", JSON.parse('{"a":1,"deep":{"__proto__":{"x":1}}}'))).toMatchObject({ ok: false });
  });

  it.each([
    [{ path: "a.txt", note: "x" }, [{ kind: "path", op: "write", path: "a.txt" }]],
    [{ options: { outputDir: "out", sources: ["s1", "s2"] } }, ["out", "s1", "s2"].map((path) => ({ kind: "path", op: "write", path }))],
    [{ uri: "file:///etc/x%20y" }, [{ kind: "path", op: "write", path: "/etc/x y" }]],
    [{ uri: "https://example.com/", text: "hi" }, [{ kind: "external_write", what: "any" }]],
  ])("T2.16 what %j would touch is read off the names of the arguments", (input, effects) => {
    const handler = customTool({ name: "any", description: "", input: z.looseObject({}), run: () => "" });
    expect(handler.effects(input)).toEqual(effects);
  });

  it.each(["vote", "new_answer", "stop", "submit", "restart_orchestration"])("EC81: %s is refused as its name", (name) => {
    expect(() => customTool({ ...add, name })).toThrow(`"${name}"`);
    expect(() => customTool(add, { name })).toThrow(`"${name}"`);
  });

  it.each(["", "1st", "a b", "x".repeat(65), "a.b", "ü"])("%j is no name", (name) => {
    expect(() => customTool({ ...add, name })).toThrow("cannot be the name of a tool");
  });

  it("a schema JSON cannot express is named", () => {
    expect(() => customTool({ ...add, input: z.object({ when: z.date() }) })).toThrow(/input of the custom tool "add"/);
  });
});

describe("tools named in a configuration", () => {
  it("loads TypeScript, by export or by name, under the prefix", async () => {
    const { tools, problems, modules } = await load({
      path: "words.ts",
      function: "wordCount",
      name: "count",
      presetArgs: { unit: "letters" },
    });
    expect(problems).toEqual([]);
    expect(modules).toEqual([join(FOLDER, "words.ts")]);
    expect(tools[0]?.spec).toMatchObject({ name: "custom_tool__count", description: "Count the words of a text." });
    expect(await callTool(tools, "custom_tool__count", { text: "ab cd" })).toEqual({
      ok: true,
      text: '{\n  "unit": "letters",\n  "count": 5\n}',
    });
    const byName = await load({ path: "words.ts", function: "slow", category: "builtin" });
    expect(byName.tools[0]).toMatchObject({ spec: { name: "slow" }, timeoutMs: 50, risk: "external" });
  });

  it("T6.2 notes of a generator go to people, not to the model", async () => {
    const { tools } = await load({ path: "words.ts", function: "slow", category: "builtin" });
    expect(await callTool(tools, "slow", {})).toEqual({ ok: true, text: "counted" });
  });

  it("EC81: a tool called vote keeps the run from starting, whether its module or the configuration calls it so", async () => {
    for (const entry of [{ path: "one.mjs" }, { path: "words.ts", function: "wordCount", name: "vote" }, { name: "vote" }]) {
      const { tools, problems } = await load(entry);
      expect(tools).toEqual([]);
      expect(problems).toEqual([
        expect.objectContaining({ severity: "error", code: "CFG051", message: expect.stringContaining('called "vote"') }),
      ]);
    }
  });

  it("T6.1 a throwing tool fails with its message; what cannot be loaded is a warning and the tool is absent", async () => {
    const { tools } = await load({ path: "one.mjs", function: "failing" });
    await expect(callTool(tools, "custom_tool__failing", { path: "x" })).rejects.toThrow("no ink");
    const cases: readonly (readonly [Omit<CustomToolEntry, "where">, string])[] = [
      [{ path: "none.ts" }, "there is no module none.ts"],
      [{ path: "words.ts", function: "missing" }, 'has no tool "missing", but "slow", "word_count"'],
      [{ path: "words.ts", function: "bare" }, "wrap it in defineTool"],
      [{ path: "words.ts" }, "exports several tools"],
      [{ path: "fs" }, "there is no module fs"],
    ];
    for (const [entry, message] of cases) {
      const { tools: loaded, problems } = await load(entry);
      expect(loaded).toEqual([]);
      expect(problems).toEqual([
        expect.objectContaining({ severity: "warning", code: "CFG053", message: expect.stringContaining(message) }),
      ]);
    }
  });

  it("T6.1 runs no module an agent could have written", async () => {
    const { tools, problems, modules } = await load({ path: "words.ts", function: "slow" }, { writableRoots: [FOLDER] });
    expect([tools, modules]).toEqual([[], []]);
    expect(problems).toEqual([expect.objectContaining({ severity: "error", message: expect.stringContaining("agents may write") })]);
  });

  it("two tools of one name are an error", async () => {
    const entry = { where: "x", path: "words.ts", function: "slow" };
    const { tools, problems } = await loadCustomTools([entry, entry], { folders: [FOLDER], writableRoots: [] });
    expect(tools).toHaveLength(1);
    expect(problems).toEqual([expect.objectContaining({ severity: "error", code: "CFG051" })]);
    expect((await load({ path: "words.ts", function: "slow", category: "builtin" }, { takenNames: ["slow"] })).problems).toHaveLength(1);
  });

  it("finds packages, also those that can only be imported", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "massgen-tools-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const home = join(folder, "node_modules/@me/ink");
    await mkdir(home, { recursive: true });
    await writeFile(
      join(home, "package.json"),
      JSON.stringify({ name: "@me/ink", type: "module", exports: { ".": { import: "./ink.mjs" } } }),
    );
    await writeFile(join(home, "ink.mjs"), "export const tool = { name: 'ink', description: 'd', input: { _zod: {} }, run() {} };");
    await cp(fileURLToPath(new URL("../node_modules/zod", import.meta.url)), join(folder, "node_modules/zod"), {
      recursive: true,
      dereference: true,
    });
    await writeFile(
      join(home, "ink.mjs"),
      "import { z } from 'zod'; export const tool = { name: 'ink', description: 'd', input: z.object({}), run: () => 'dry' };",
    );
    const { tools, problems } = await load({ path: "@me/ink" }, { folders: [folder] });
    expect(problems).toEqual([]);
    expect(await callTool(tools, "custom_tool__ink", {})).toEqual({ ok: true, text: "dry" });
  });
});

describe("tools of the Python version", () => {
  it("two_num_tool is built in, with or without its path", async () => {
    for (const path of [undefined, "massgen/tool/_basic/_two_num_tool.py"]) {
      const { tools, problems } = await load({ name: "two_num_tool", ...(path === undefined ? {} : { path }) });
      expect(await callTool(tools, "custom_tool__two_num_tool", { x: 2, y: 3 })).toEqual({ ok: true, text: "The sum of 2 and 3 is 5." });
      expect(problems.map(({ severity }) => severity)).toEqual(path === undefined ? [] : ["info"]);
    }
  });

  it.each([
    [{ function: "save_file_content" }, "info", "is write_file here"],
    [{ function: "wrong_two_num_tool" }, "warning", "never loads"],
    [{ function: "understand_image", path: "massgen/tool/_multimodal_tools/understand_image.py" }, "warning", "reads pictures"],
    [{ function: "crawl4ai_md" }, "warning", "MCP server"],
    [{ function: "langgraph_lesson_planner" }, "warning", "Python agent framework"],
    [{ function: "mine", path: "mine.py" }, "warning", "is Python (mine.py)"],
    [{ function: "mine" }, "warning", "has no path"],
    [{ function: "constructor" }, "warning", "has no path"],
  ])("%j is told about as %s", async (entry, severity, message) => {
    const { tools, problems } = await load(entry);
    expect(tools).toEqual([]);
    expect(problems).toEqual([expect.objectContaining({ severity, message: expect.stringContaining(message) })]);
  });
});
