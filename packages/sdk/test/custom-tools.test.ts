import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { replayRun, run } from "../src/index.js";

const simulators: Simulator[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folderWithTools(): Promise<string> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "massgen-tools-")));
  folders.push(cwd);
  await mkdir(join(cwd, "tools"));
  const zod = import.meta.resolve("@massgen/tools");
  const written = `import { defineTool, z } from ${JSON.stringify(zod)};\nexport const shout = defineTool({ name: "shout", description: "Says it loudly.", input: z.object({ text: z.string(), mark: z.string() }), risk: "read", run: ({ text, mark }) => text.toUpperCase() + mark });\n`;
  await writeFile(join(cwd, "tools", "shout.ts"), written);
  return cwd;
}

async function ask(cwd: string, backend: object, record = false): Promise<string> {
  const seen: string[] = [];
  const respond = scriptedTeam({ "ada-model": [step.tool("custom_tool__loud", { text: "hello" }), step.answer("Said.")] });
  const simulator = await startSimulator({
    respond: (request) => {
      seen.push(JSON.stringify(request.messages));
      return respond(request);
    },
  });
  simulators.push(simulator);
  const base = { type: "chatcompletion", model: "ada-model", base_url: simulator.baseUrl("chat_completions"), max_retries: 0 };
  const config = { agents: [{ id: "ada", backend: { ...base, ...backend } }], orchestrator: { record } };
  await run("Say it.", { config, env: { HOME: cwd, PATH: process.env["PATH"] }, cwd, enableLogging: record });
  return seen.join("\n");
}

describe("custom tools of a config", () => {
  it.each([{}, { cwd: "work" }])("run with their preset arguments, with and without files (%o)", async (files) => {
    const cwd = await folderWithTools();
    const tool = { name: "loud", function: "shout", path: "./tools/shout.ts", preset_args: { mark: "!" } };
    expect(await ask(cwd, { ...files, custom_tools: [tool] })).toContain("HELLO!");
  });

  it("a recorded run that used them is run again without them", async () => {
    const cwd = await folderWithTools();
    await ask(cwd, { custom_tools: [{ name: "loud", function: "shout", path: "./tools/shout.ts", preset_args: { mark: "!" } }] }, true);
    await rm(join(cwd, "tools"), { recursive: true });
    const [log = ""] = await readdir(join(cwd, ".massgen", "massgen_logs"));
    expect((await replayRun(join(cwd, ".massgen", "massgen_logs", log))).difference).toBeNull();
  });

  it("a Python tool is left out and the run goes on", async () => {
    const cwd = await folderWithTools();
    expect(await ask(cwd, { custom_tools: [{ name: ["mine"], path: "tools/mine.py", function: ["mine"] }] })).not.toContain("HELLO");
  });

  it("one that agents could take for the vote stops the run before it starts", async () => {
    const cwd = await folderWithTools();
    await expect(ask(cwd, { custom_tools: [{ name: "vote", function: "shout", path: "./tools/shout.ts" }] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("agents[0].backend.custom_tools[0]"),
    });
  });

  it("code that lies where agents may write is not run", async () => {
    const cwd = await folderWithTools();
    await mkdir(join(cwd, ".massgen"));
    await writeFile(join(cwd, ".massgen", "mine.mjs"), "throw new Error('was run');\n");
    const asked = ask(cwd, { custom_tools: [{ name: "loud", function: "shout", path: "./.massgen/mine.mjs" }] });
    await expect(asked).rejects.toMatchObject({ message: expect.stringMatching(/lies in a folder agents may write/) });
  });
});
