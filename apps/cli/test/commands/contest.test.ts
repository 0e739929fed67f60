import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-contest-"));
  await mkdir(join(folder, "project"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each([[["compare", "Fix it.", "--config", "team.yaml"]], [["eval", "--dataset", "@examples/arithmetic", "--config", "team.yaml"]]])(
  "%j: contenders are not let loose on one folder that they may write",
  async (argv) => {
    const agent = (id: string): string => `  - {id: ${id}, backend: {type: ollama, model: m, cwd: ws}}\n`;
    const paths = "orchestrator: {context_paths: [{path: project, permission: write}]}\n";
    await writeFile(join(folder, "team.yaml"), `agents:\n${agent("a")}${agent("b")}${paths}`);
    const fake = fakeIo({ cwd: folder, env: { HOME: folder } });
    expect(await runCli(argv, fake.io, createSession())).toBe(1);
    expect(fake.err()).toContain("cannot be compared while they write to project");
  },
);
