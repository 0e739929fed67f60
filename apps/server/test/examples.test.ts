import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSimulatedTeam } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "./serve.js";

const FOLDER = fileURLToPath(new URL("../examples/", import.meta.url));
const ids = ["ada", "bob"];

/** Plainly and by the name of a file: docs/spec/cli.md 17.4. */
const MODELS = ["massgen", "massgen/path:team.yaml"];

function pythonWith(module: string): boolean {
  try {
    execFileSync("python3", ["-c", `import ${module}`], { stdio: "ignore", timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

async function play(command: string, args: readonly string[], model: string): Promise<string> {
  const served = await serve(
    createSimulatedTeam({ models: ids.map((id) => `${id}-model`), pace: { firstTokenMs: 0, tokensPerSecond: 0 } }),
    ids,
  );
  onTestFinished(() => served.close());
  const env = { PATH: process.env["PATH"] ?? "", HOME: served.folder, MASSGEN_URL: served.url, MASSGEN_MODEL: model };
  const { stdout } = await promisify(execFile)(command, args, { cwd: FOLDER, env, timeout: 100_000 });
  return stdout;
}

const ANSWERS = /^answer: .*simulated final answer[\s\S]*^trace: (?!1 )\d+ lines\nstreamed: .*simulated final answer/m;
const RESPONSES = /^winner: (ada|bob)$[\s\S]*^goes on: .*simulated final answer/m;

describe("the examples for clients that know nothing of MassGen", () => {
  it.each(MODELS)("openai-client.ts asks %s", { timeout: 120_000 }, async (model) => {
    const told = await play(process.execPath, ["--import", "tsx", "openai-client.ts"], model);
    expect(told).toMatch(ANSWERS);
    expect(told).toMatch(RESPONSES);
  });

  it.skipIf(!pythonWith("openai")).each(MODELS)(
    "openai_client.py asks %s, where Python has openai",
    { timeout: 120_000 },
    async (model) => {
      const told = await play("python3", ["openai_client.py"], model);
      expect(told).toMatch(ANSWERS);
      expect(told).toMatch(RESPONSES);
    },
  );

  it.skipIf(!pythonWith("litellm")).each(MODELS)(
    "litellm_client.py asks %s, where Python has litellm",
    { timeout: 120_000 },
    async (model) => {
      expect(await play("python3", ["litellm_client.py"], model)).toMatch(ANSWERS);
    },
  );
});
