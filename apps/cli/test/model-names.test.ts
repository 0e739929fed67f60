import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../src/cli.js";
import { createSession } from "../src/session.js";
import { fakeIo } from "./fake-io.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-names-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function massgen(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const fake = fakeIo({ cwd: folder, env });
  const code = await runCli(["--no-logs", "--automation", ...argv], fake.io, createSession());
  return { code, out: fake.out(), err: fake.err() };
}

describe("the name of a model", () => {
  it("that the vendor writes otherwise is mended, and a note says so", async () => {
    const { code, err } = await massgen(["--model", "claude-4-5-sonnet", "Why?"]);
    expect(code).toBe(1);
    expect(err).toContain("massgen: note: ");
    expect(err).toContain("the model 'claude-4-5-sonnet' is called 'claude-sonnet-4-5', which is used");
    expect(err).toContain("needs an API key: set ANTHROPIC_API_KEY");
  });

  it("that is written right needs no note", async () => {
    expect((await massgen(["--model", "claude-sonnet-4-5", "Why?"])).err).not.toContain("note:");
  });

  it.each([
    ["openai", "responses", "gtp-5-mini", "gpt-5-mini"],
    ["claude", "messages", "claude-sonet-4-5", "claude-sonnet-4-5"],
    ["gemini", "generate_content", "gemini-2.5-por", "gemini-2.5-pro"],
    ["groq", "chat_completions", "llama-3.3-70b-versatil", "llama-3.3-70b-versatile"],
  ] as const)("that %s does not know ends the run with names like it", async (type, api, model, near) => {
    const simulator = await startSimulator({ respond: () => ({ kind: "mute" }), models: ["another"] });
    try {
      const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k", GROQ_API_KEY: "k" };
      const { code, err } = await massgen(["--backend", type, "--model", model, "--base-url", simulator.baseUrl(api), "Why?"], env);
      expect(code).toBe(2);
      expect(err).toContain(`does not know the model "${model}"`);
      expect(err).toMatch(new RegExp(`Models with names like it: [^\\n]*${near.replaceAll(".", "\\.")}[,.]`));
    } finally {
      await simulator.close();
    }
  });
});
