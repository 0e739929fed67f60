import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "@massgen/exec";
import { type SimulatedReply, type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lendDependencies } from "../src/hands/lend-dependencies.js";
import { run } from "../src/index.js";

let folder = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "massgen-lend-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(...path: readonly string[]): Promise<void> {
  const file = join(folder, ...path);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, "dep");
}

const read = (...path: readonly string[]): Promise<string | null> => readFile(join(folder, ...path), "utf8").catch(() => null);

describe("dependencies beside a version", () => {
  it.each(["link", "copy"] as const)("%s: stand where they stood, wherever the version has the folder they stood in", async (how) => {
    await write("from", "node_modules", "dep", "index.js");
    await write("from", "packages", "web", "node_modules", "dep", "index.js");
    await write("from", "gone", "node_modules", "dep", "index.js");
    await write("to", "packages", "web", "index.js");
    const linked = await lendDependencies(join(folder, "from"), join(folder, "to"), how);
    expect(await read("to", "node_modules", "dep", "index.js")).toBe("dep");
    expect(await read("to", "packages", "web", "node_modules", "dep", "index.js")).toBe("dep");
    expect(await read("to", "gone", "node_modules", "dep", "index.js")).toBeNull();
    const both = [join(folder, "from", "node_modules"), join(folder, "from", "packages", "web", "node_modules")];
    expect(linked).toEqual(how === "link" ? both : []);
    await writeFile(join(folder, "to", "node_modules", "new"), "x");
    expect(await read("from", "node_modules", "new")).toBe(how === "link" ? "x" : null);
  });

  it("a link to somewhere else is not lent, and what the version has is kept", async () => {
    await write("elsewhere", "secret");
    await write("from", "venv", "theirs");
    await write("to", "venv", "own");
    await symlink(join(folder, "elsewhere"), join(folder, "from", "node_modules"));
    expect(await lendDependencies(join(folder, "from"), join(folder, "to"), "link")).toEqual([]);
    expect(await read("to", "node_modules", "secret")).toBeNull();
    expect(await read("to", "venv", "theirs")).toBeNull();
  });
});

/** Installs something, answers, and votes for itself. */
function respond({ messages }: SimulatedRequest): SimulatedReply {
  const text = messages.map((message) => message.text).join("\n");
  if (text.includes("The team has decided")) return { kind: "message", text: "Done." };
  if (text.includes("<current_answers>"))
    return { kind: "message", toolCalls: [{ name: "vote", input: { agent_id: "agent1", reason: "fine" } }] };
  if (messages.some(({ role }) => role === "tool"))
    return { kind: "message", toolCalls: [{ name: "new_answer", input: { content: `installed by ${messages.length}` } }] };
  return {
    kind: "message",
    toolCalls: [
      { name: "write_file", input: { path: "node_modules/four/index.js", content: "module.exports = 4;" } },
      { name: "write_file", input: { path: "check.cjs", content: 'process.exit(require("four") === 4 ? 0 : 1);' } },
    ],
  };
}

const sandbox = await findSandbox({ platform: process.platform, path: process.env["PATH"] ?? "", hostHome: tmpdir() });

describe.skipIf(!sandbox.found)("W21: a check of files that need what was installed", () => {
  it("finds it, and cannot change it", async () => {
    const simulator = await startSimulator({ respond });
    try {
      const backend = { type: "chatcompletion", base_url: simulator.baseUrl("chat_completions"), api_key: "key-12345678", cwd: "ws" };
      const result = await run("What is 2 + 2?", {
        config: {
          agents: ["m1", "m2"].map((model) => ({ id: model, backend: { ...backend, model } })),
          orchestrator: { verify: "node check.cjs && ! touch node_modules/four/more 2>/dev/null" },
        },
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: folder },
        enableLogging: true,
      });
      const decision = await readFile(join(result.logDirectory!, "decision.md"), "utf8");
      expect(decision).toMatch(/^\| agent1\.1 .*passed/m);
    } finally {
      await simulator.close();
    }
  });
});
