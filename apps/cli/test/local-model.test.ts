import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../src/cli.js";
import { createSession } from "../src/session.js";
import { fakeIo } from "./fake-io.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-local-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function massgen(...argv: readonly string[]) {
  const fake = fakeIo({ cwd: folder });
  const code = await runCli(["--no-logs", "--automation", ...argv], fake.io, createSession());
  return { code, out: fake.out(), err: fake.err() };
}

describe("a local model without any configuration", () => {
  it.each(["ollama", "lmstudio", "vllm", "sglang"])("%s/<name> answers, without a key", async (type) => {
    const simulator = await startSimulator({ respond: scriptedTeam({ "qwen3:8b": [step.answer("Use LRU.")] }) });
    try {
      const { code, out } = await massgen("--model", `${type}/qwen3:8b`, "--base-url", simulator.baseUrl("chat_completions"), "Why?");
      expect(code).toBe(0);
      expect(out).toContain("a stand-in for qwen3:8b");
      expect(new Set(simulator.requests.map(({ model }) => model))).toEqual(new Set(["qwen3:8b"]));
      expect(simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
    } finally {
      await simulator.close();
    }
  });

  it("whose server does not run: the address and the command that starts it, exit 2", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { code, err } = await massgen("--model", "ollama/qwen3", "--base-url", `http://127.0.0.1:${port}/v1`, "Why?");
    expect(code).toBe(2);
    expect(err).toContain(`Ollama is not running: nothing answers at http://127.0.0.1:${port}/v1. Start it with \`ollama serve\`.`);
  });
});
