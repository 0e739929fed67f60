import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

const folder = await mkdtemp(join(tmpdir(), "massgen-explain-"));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(join(folder, ".env"), "GROQ_API_KEY=gsk_from_the_file_0123\n");
await writeFile(
  join(folder, "team.yaml"),
  'agents:\n  - id: ada\n    backend: {type: Groq, api_key: "$' +
    '{KEY}"}\n  - {id: bob, backend: {type: groq}}\ndisplay: {type: simple}\n',
);

async function massgen(
  line: string,
  env: Record<string, string> = { KEY: "sk-very-secret-0123456789" },
): Promise<{ code: number; out: string; err: string }> {
  const { io, out, err } = fakeIo({ cwd: folder, env });
  const code = await runCli(line.split(" "), io, createSession());
  return { code, out: out(), err: err() };
}

describe("config explain", () => {
  it("shows every value with its place, and no secret", async () => {
    const { code, out } = await massgen("config explain --config team.yaml --quick --orchestrator-timeout 60");
    expect(code).toBe(0);
    for (const row of [
      /^agents\[0\]\.backend\.type +groq +team\.yaml:3:21, written as "Groq"$/m,
      /^agents\[0\]\.backend\.api_key +\$\{KEY\} +team\.yaml:3:36, with KEY of the environment$/m,
      /^agents\[1\]\.backend\.api_key +\[REDACTED\] +\.env file: GROQ_API_KEY$/m,
      /^orchestrator\.max_new_answers_per_agent +1 +flag: --quick$/m,
      /^timeout_settings\.orchestrator_timeout_seconds +60 +flag: --orchestrator-timeout$/m,
      /^ui\.display_type +simple +team\.yaml:5:17, written at display\.type$/m,
      /^orchestrator\.voting_sensitivity +lenient +default$/m,
      /^orchestrator\.max_rounds +- +not set$/m,
    ])
      expect(out).toMatch(row);
    expect(out).not.toMatch(/secret|gsk_from/);
  });

  it("is narrowed by a path, by id too", async () => {
    expect((await massgen("config explain agents.bob.backend.type --config team.yaml")).out).toBe(
      "agents[1].backend.type  groq  team.yaml:4:31\n",
    );
  });

  it("prints the normalised config with --json, without secrets", async () => {
    const { out } = await massgen("config explain --config team.yaml --json");
    expect(JSON.parse(out)).toMatchObject({
      file: "team.yaml",
      values: expect.arrayContaining([expect.objectContaining({ path: "agents[0].id", value: "ada" })]),
      config: { agents: [{ backend: { type: "groq", apiKey: "[REDACTED]" } }, {}] },
    });
    expect(out).not.toMatch(/secret|gsk_from/);
  });

  it("says that a team without a file comes from the command line", async () => {
    expect((await massgen("config explain agents[0].backend.model --model gpt-5-mini")).out).toMatch(/gpt-5-mini +command line\n$/);
  });

  it("asks back about a key that is none", async () => {
    const { code, err } = await massgen("config explain orchestrator.max_round --config team.yaml");
    expect(code).toBe(1);
    expect(err).toContain('There is no config key "orchestrator.max_round".\nDid you mean "orchestrator.max_rounds"?');
  });

  it.each([
    ["config", 2, "config takes a verb: explain"],
    ["config show", 2, 'explain, not "show"'],
    ["config explain a b", 2, "unexpected argument"],
    ["config explain --config no.yaml", 1, "config file not found: no.yaml"],
  ])("%s: exit %i", async (line, exit, saying) => {
    const { code, err } = await massgen(line);
    expect(code).toBe(exit);
    expect(err).toContain(saying);
  });
});
