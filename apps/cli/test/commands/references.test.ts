import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readRequest } from "../../src/args/read-request.js";
import { runDry } from "../../src/commands/dry-run.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

const folder = await mkdtemp(join(tmpdir(), "massgen-at-"));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(join(folder, "a.ts"), "");
await writeFile(join(folder, "bare"), "");

/** The question of the run and what its log says of its config. */
async function ask(question: string, flags: readonly string[] = [], stdin: string | null = null) {
  const fake = fakeIo({ cwd: folder, stdin });
  const asked = stdin === null ? [question] : [];
  const { request } = readRequest(["--dry-run", "--json", "--model", "ollama/m", ...flags, ...asked], fake.io);
  if (request.kind !== "dry-run") throw new Error(request.kind);
  await runDry(request, fake.io, createSession(), 0);
  const { log_dir } = JSON.parse(fake.out()) as { readonly log_dir: string };
  return { record: await readFile(join(log_dir, "execution_metadata.yaml"), "utf8"), err: fake.err() };
}

describe("@path in the question of the command line", { timeout: 20_000 }, () => {
  it("names files for the agents, and is kept on record so that a resumed run has them too", async () => {
    const { record } = await ask("Explain @a.ts and @bare, @alice");
    expect(record).toContain(`Explain ${folder}/a.ts and ${folder}/bare, @alice`);
    expect(record).toMatch(/contextPaths:\s+- path: .*a\.ts/);
  });

  it("is text with --no-parse-at-references, and in what is piped in", async () => {
    expect((await ask("Explain @a.ts", ["--no-parse-at-references"])).record).toContain("Explain @a.ts");
    expect((await ask("", [], "Explain @a.ts and @gone/x.ts")).record).toContain("Explain @a.ts and @gone/x.ts");
  });

  it("that is missing stops the run before it begins", async () => {
    await expect(ask("Explain @gone/x.ts")).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("Context paths not found"),
    });
  });
});
