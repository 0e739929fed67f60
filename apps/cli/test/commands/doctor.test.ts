import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import type { Check } from "../../src/doctor/check.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

const folder = await mkdtemp(join(tmpdir(), "massgen-doctor-"));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(
  join(folder, "team.yaml"),
  "agents:\n  - {id: ada, backend: {type: groq}}\n  - {id: bob, backend: {type: claude_code, cwd: work}}\n",
);
await writeFile(join(folder, "bad.yaml"), "agents:\n  - {id: ada, backend: {type: groqq}}\n");

async function doctor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { io, out, err } = fakeIo({ cwd: folder, env });
  const code = await runCli(["doctor", ...args], io, createSession());
  return { code, out: out(), err: err() };
}
const checksOf = (out: string): readonly Check[] => (JSON.parse(out) as { readonly checks: readonly Check[] }).checks;

describe("massgen doctor", () => {
  it("is well with a key, shows no key, and leaves no file", async () => {
    const before = await readdir(folder);
    const { code, out } = await doctor([], { OPENAI_API_KEY: "sk-very-secret" });
    expect(code).toBe(0);
    for (const row of [
      /^ok {4}Node/m,
      /^ok {4}OpenAI +OPENAI_API_KEY is set$/m,
      /^note {2}Config +none here$/m,
      /^ok {4}Logs/m,
      /^Ready: /m,
    ])
      expect(out).toMatch(row);
    expect(out).not.toContain("secret");
    expect(await readdir(folder)).toEqual(before);
  });

  it("tells of every agent of the config what keeps it from running: exit 1", async () => {
    const { code, out } = await doctor(["--config", "team.yaml", "--json"], { OPENAI_API_KEY: "sk-1" });
    expect(code).toBe(1);
    expect(checksOf(out).filter(({ state }) => state === "problem")).toEqual([
      { name: "Agent ada", state: "problem", found: "no key for Groq", remedy: "Set GROQ_API_KEY, or store it with: massgen --setup" },
      expect.objectContaining({ name: "Agent bob", found: expect.stringContaining("not supported yet") }),
    ]);
  });

  it.each([
    ["bad.yaml", /bad\.yaml:2:\d+/, /massgen --validate .*bad\.yaml/],
    ["none.yaml", /none\.yaml/, /./],
  ])("locates what is wrong with %s: exit 1", async (file, found, remedy) => {
    const { code, out } = await doctor(["--config", file, "--json"], { OPENAI_API_KEY: "sk-1" });
    expect(code).toBe(1);
    const config = checksOf(out).find(({ name }) => name === "Config");
    expect(config?.state).toBe("problem");
    expect(config?.found).toMatch(found);
    expect(config?.remedy).toMatch(remedy);
  });

  it("starts the MCP servers of a config that is named: one that fails is a FAIL only where it is needed", async () => {
    const servers = "gone: {command: node, args: [nowhere.mjs]}, needed: {command: node, args: [nowhere.mjs], optional: false}";
    const text = `agents:\n  - {id: ada, backend: {type: ollama, model: m, mcp_servers: {${servers}}}}\n`;
    await mkdir(join(folder, ".massgen"), { recursive: true });
    await Promise.all([writeFile(join(folder, "mcp.yaml"), text), writeFile(join(folder, ".massgen", "config.yaml"), text)]);
    const env = { OPENAI_API_KEY: "sk-1", PATH: process.env["PATH"] ?? "" };
    const { code, out } = await doctor(["--config", "mcp.yaml", "--json"], env);
    expect(code).toBe(1);
    expect(checksOf(out).filter(({ name }) => name.startsWith("MCP"))).toEqual([
      {
        name: "MCP gone",
        state: "note",
        found: expect.stringMatching(/Cannot find module.*A run goes on without it\.$/),
        remedy: expect.stringContaining("node nowhere.mjs"),
      },
      {
        name: "MCP needed",
        state: "problem",
        found: expect.stringMatching(/^exited with code 1: Error: Cannot find module/),
        remedy: expect.stringContaining("by hand"),
      },
    ]);
    // One that lies in the folder is read and not started: it may be somebody else's.
    const read = await doctor(["--json"], env);
    expect(read.code).toBe(0);
    expect(checksOf(read.out).find(({ name }) => name === "MCP servers")?.found).toBe(
      "gone, needed; with --online they are started and asked",
    );
    await rm(join(folder, ".massgen"), { recursive: true });
  });

  it("takes no argument: exit 2", async () => {
    expect(await doctor(["what"])).toMatchObject({ code: 2, out: "" });
  });
});
