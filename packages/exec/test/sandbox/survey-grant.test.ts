import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { surveyGrant } from "@massgen/exec";
import { afterAll, describe, expect, it } from "vitest";
import { openBench, sandbox } from "../bench.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "exec-survey-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const path of ["src/deep", ".git/objects", "node_modules/x"]) mkdirSync(join(folder, path), { recursive: true });
for (const path of [".env", "src/deep/server.pem", "src/a.txt", ".git/config", "node_modules/x/.env"])
  writeFileSync(join(folder, path), "secret");
symlinkSync(join(folder, ".env"), join(folder, "src/link.env"));

const judge = (path: string) => {
  const name = basename(path);
  if (name === ".git" || name === "node_modules") return "protected";
  return name === ".env" || name.endsWith(".pem") ? "hidden" : "open";
};

describe("a survey of what was granted", () => {
  it("finds secrets and what is protected, at any depth, and does not look into what is closed as a whole", async () => {
    expect(await surveyGrant(folder, judge)).toEqual({
      protected: [join(folder, ".git"), join(folder, "node_modules")],
      hidden: [join(folder, ".env"), join(folder, "src/deep/server.pem")],
    });
  });

  it("says when a folder is too large to be sure", async () => {
    await expect(surveyGrant(folder, judge, { mostEntries: 3 })).rejects.toThrow("more than 3 files and folders");
  });

  it.skipIf(!sandbox.found)(`gives the sandbox what it has to close${sandbox.found ? "" : `: skipped: ${sandbox.reason}`}`, async () => {
    const survey = await surveyGrant(folder, judge);
    const bench = await openBench({ sandboxed: true, grants: () => ({ writable: [folder], ...survey }) });
    try {
      const running = await bench.runner.start({
        command: `cd ${folder}; cat .env src/deep/server.pem src/link.env; mv src/deep x; echo evil > .git/config; cat src/a.txt && touch src/new`,
        workDir: ".",
        timeoutMs: 20_000,
      });
      const { stdout, exitCode } = await running.ended;
      expect(exitCode).toBe(0);
      expect(stdout.head).toBe("secret");
    } finally {
      await bench.close();
    }
  });
});
