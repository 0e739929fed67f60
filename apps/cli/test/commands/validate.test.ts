import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

const folder = await mkdtemp(join(tmpdir(), "massgen-validate-"));
afterAll(() => rm(folder, { recursive: true }));
const agent = "agents:\n  - id: a\n    backend: {type: openrouter, model: m}\n";
const files: Readonly<Record<string, string>> = {
  "good.yaml": agent,
  "warned.yaml": `${agent}uii: {}\n`,
  "bad.yaml": "agents:\n  - id: a\n    backend: {type: opnai, api_key: sk-abcdefghijkl}\n",
  "broken.yaml": "agents:\n\t- id: a\n",
  "flow.yaml": "agent: {id: a, backend: {type: groq, api_key: $" + "{KEY}}}\n",
  "empty.yaml": "",
  "paths.yaml":
    "agents:\n  - id: a\n    backend: {type: ollama, model: m, cwd: ws}\norchestrator:\n  context_paths: [., ./gone, {path: new.md, permission: write}]\n",
  "notes.txt": agent,
};
for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);

async function validate(line: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { io, out, err } = fakeIo({ cwd: folder });
  const code = await runCli(["--validate", ...line.split(" ")], io, createSession());
  return { code, out: out(), err: err() };
}

describe("--validate", () => {
  it.each([
    ["good.yaml", 0, "✅ Configuration is valid!\n", ""],
    ["good.yaml --strict", 0, "✅ Configuration is valid!\n", ""],
    [
      "warned.yaml",
      0,
      "The configuration is valid.\n",
      "⚠️ warned.yaml:4:1 [uii] unknown key 'uii'\n    4 | uii: {}\n      | ^^^\n   💡 Did you mean 'ui'?",
    ],
    ["warned.yaml --strict", 1, "", "❌ warned.yaml:4:1 [uii] unknown key 'uii'"],
    ["bad.yaml", 1, "", "❌ bad.yaml:3:21 [agents[0].backend.type] unknown backend type 'opnai'"],
    ["broken.yaml", 1, "", "❌ broken.yaml:2:1 a tab cannot be used for indentation"],
    ["flow.yaml", 1, "", "❌ flow.yaml:1:48 a variable inside { } or [ ] needs quotes"],
    [
      "paths.yaml",
      0,
      "The configuration is valid.\n",
      "⚠️ paths.yaml:5:3 [orchestrator.context_paths] there is no './gone' here; a run from this folder would not start",
    ],
    ["paths.yaml --strict", 1, "", "❌ paths.yaml:5:3"],
    ["empty.yaml", 1, "", "❌ empty.yaml: the file is empty"],
    ["notes.txt", 1, "", "❌ notes.txt: unsupported file type '.txt'"],
    ["god.yaml", 1, "", "❌ config file not found: god.yaml\n   💡 Did you mean 'good.yaml'?"],
    ["@examples/single_grroq", 1, "", "❌ there is no example @examples/single_grroq"],
  ])("%s: exit %i", async (line, code, out, err) => {
    const said = await validate(line);
    expect(said).toMatchObject({ code, out });
    expect(said.err).toContain(err);
    expect(said.err).not.toContain("sk-abc");
  });

  it.each([
    ["good.yaml --json", 0, true, []],
    ["warned.yaml --json", 0, true, ["CFG040"]],
    ["warned.yaml --json --strict", 1, false, ["CFG040"]],
    ["bad.yaml --json", 1, false, ["CFG030"]],
    ["broken.yaml --json", 1, false, ["CFG004"]],
    ["empty.yaml --json", 1, false, ["CFG007"]],
    ["god.yaml --json", 1, false, ["CFG001"]],
    ["notes.txt --json", 1, false, ["CFG003"]],
  ])("%s: one object on stdout, exit %i", async (line, code, valid, codes) => {
    const said = await validate(line);
    expect(said).toMatchObject({ code, err: "" });
    const report = JSON.parse(said.out);
    expect(report.valid).toBe(valid);
    expect([...report.errors, ...report.warnings].map((issue: { code: string }) => issue.code)).toEqual(codes);
    expect(report.error_count).toBe(report.errors.length);
    expect(said.out).not.toContain("sk-abc");
  });
});
