import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openStage, recordChanges, type Stage, type StageOptions } from "@massgen/workspace";
import { describe, expect, it } from "vitest";
import { readTree, tempFolder, writeTree } from "./temp-folder.js";

const PROJECT = {
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "README.md": "one\ntwo\nthree\n",
  ".env": "TOKEN=1\n",
  "old/x.txt": "x\n",
};

async function stageOf(
  files: Readonly<Record<string, string>>,
  options: Partial<StageOptions> = {},
): Promise<{ project: string; staged: string; stage: Stage; dir: string }> {
  const project = await tempFolder();
  writeTree(project, files);
  const dir = await tempFolder();
  const stage = await openStage({ paths: [project], dir, ...options });
  return { project, dir, stage, staged: stage.paths[0]!.copy };
}

describe("staged delivery", () => {
  it("shows what was done, with lines and diffs, and touches nothing until it is accepted", async () => {
    const { project, staged, stage } = await stageOf(PROJECT);
    writeTree(staged, {
      "src/add.js": "export const add = (a, b) => a + b;\n",
      "new/deep.txt": "new\n",
      "logo.png": "\x89PNG\0",
      "package.json": "{}\n",
    });
    rmSync(join(staged, "old"), { recursive: true });
    const changes = await stage.changes();
    expect(
      changes.map(({ name, kind, addedLines, removedLines, isBinary, runsLater }) => [
        name,
        kind,
        addedLines,
        removedLines,
        isBinary,
        runsLater,
      ]),
    ).toEqual([
      ["package.json", "added", 1, 0, false, true],
      ["logo.png", "added", 0, 0, true, false],
      ["new/deep.txt", "added", 1, 0, false, false],
      ["old/x.txt", "deleted", 0, 1, false, false],
      ["src/add.js", "modified", 1, 1, false, false],
    ]);
    expect(changes.at(-1)!.diff).toBe(
      "--- a/src/add.js\n+++ b/src/add.js\n@@ -1,1 +1,1 @@\n-export const add = (a, b) => a - b;\n+export const add = (a, b) => a + b;\n",
    );
    expect(changes.at(-1)!.path).toBe(join(project, "src/add.js"));
    expect(readTree(project)).toEqual(PROJECT);
    const report = await stage.apply();
    expect([report.applied.length, report.conflicts, report.refused]).toEqual([5, [], []]);
    expect(readTree(project)).toEqual(readTree(staged));
    expect(existsSync(join(project, "old"))).toBe(false);
    expect(await stage.changes()).toEqual([]);
  });

  it("a place that was changed meanwhile is left as it is, and the presenter's file is kept", async () => {
    const { project, staged, stage } = await stageOf({ ...PROJECT, "gone.txt": "1", "deleted.txt": "1", "both-deleted.txt": "1" });
    writeTree(staged, { "README.md": "agent\n", "added.txt": "agent\n", "gone.txt": "agent\n", "src/add.js": "agent\n" });
    rmSync(join(staged, "deleted.txt"));
    rmSync(join(staged, "both-deleted.txt"));
    writeTree(project, { "README.md": "user\n", "added.txt": "user\n", "deleted.txt": "user\n" });
    rmSync(join(project, "gone.txt"));
    rmSync(join(project, "both-deleted.txt"));
    const kept = await tempFolder();
    const report = await stage.apply({ conflictsTo: kept });
    expect(report.applied.map(({ name }) => name)).toEqual(["both-deleted.txt", "src/add.js"]);
    expect(report.conflicts.map(({ change, reason }) => [change.name, reason])).toEqual([
      ["deleted.txt", "it was changed meanwhile"],
      ["README.md", "it was changed meanwhile"],
      ["added.txt", "something of this name was made meanwhile"],
      ["gone.txt", "it was removed meanwhile"],
    ]);
    expect(readTree(project)).toMatchObject({
      "README.md": "user\n",
      "added.txt": "user\n",
      "deleted.txt": "user\n",
      "src/add.js": "agent\n",
    });
    expect(Object.values(readTree(kept))).toEqual(["agent\n", "agent\n", "agent\n"]);
    expect(report.conflicts[1]!.keptAt).toMatch(/README\.md$/);
  });

  it("a source that was touched but has its old content is no conflict", async () => {
    const { project, staged, stage } = await stageOf(PROJECT);
    writeTree(staged, { "README.md": "agent\n" });
    writeTree(project, { "README.md": PROJECT["README.md"] });
    expect((await stage.apply()).applied).toHaveLength(1);
  });

  it("what may not be written is refused by name, and .git is neither compared nor brought", async () => {
    const { project, staged, stage } = await stageOf(
      { ...PROJECT, ".git/config": "[core]\n" },
      { mayWrite: (path) => !path.endsWith(".env") },
    );
    writeTree(staged, {
      ".env": "TOKEN=stolen\n",
      ".git/config": "[core]\nfsmonitor = evil\n",
      "sub/.git/hooks/pre-commit": "evil",
      "README.md": "agent\n",
    });
    const report = await stage.apply();
    expect(report.refused.map(({ name }) => name)).toEqual([".env"]);
    expect(readTree(project)).toEqual({ ...PROJECT, "README.md": "agent\n", ".git/config": "[core]\n" });
  });

  it("only what was chosen is brought; the rest can follow, or be discarded", async () => {
    const { project, staged, stage, dir } = await stageOf(PROJECT);
    writeTree(staged, { "README.md": "agent\n", "src/add.js": "agent\n" });
    await stage.apply({ only: new Set([join(project, "README.md")]) });
    expect(readTree(project)).toEqual({ ...PROJECT, "README.md": "agent\n" });
    expect((await stage.changes()).map(({ name }) => name)).toEqual(["src/add.js"]);
    await stage.discard();
    expect(readdirSync(dir)).toEqual([]);
    expect(readTree(project)).toEqual({ ...PROJECT, "README.md": "agent\n" });
  });

  it("a link planted in the project meanwhile is not written through", async () => {
    const { project, staged, stage } = await stageOf(PROJECT);
    const outside = await tempFolder();
    writeTree(outside, { "add.js": "outside" });
    writeTree(staged, { "src/add.js": "agent\n", "src/new.js": "agent\n" });
    rmSync(join(project, "src"), { recursive: true });
    symlinkSync(outside, join(project, "src"));
    expect((await stage.apply()).conflicts).toHaveLength(2);
    expect(readTree(outside)).toEqual({ "add.js": "outside" });
  });

  it("a link the presenter makes to somewhere outside is not brought, one inside is", async () => {
    const { project, staged, stage } = await stageOf(PROJECT);
    symlinkSync("/etc/passwd", join(staged, "evil"));
    symlinkSync("README.md", join(staged, "good"));
    rmSync(join(staged, "src/add.js"));
    symlinkSync("/etc/passwd", join(staged, "src/add.js"));
    const { skipped } = await stage.apply();
    expect(skipped.map(({ path }) => path)).toEqual([join(project, "evil"), join(project, "src/add.js")]);
    expect(readlinkSync(join(project, "good"))).toBe("README.md");
    expect(existsSync(join(project, "evil"))).toBe(false);
    expect(lstatSync(join(project, "good")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(project, "src/add.js"), "utf8")).toBe(PROJECT["src/add.js"]);
  });

  it("a file may become a folder and a folder a file; rights stay, and running is the presenter's to change", async () => {
    const { project, stage, staged } = await stageOf({ a: "file", "b/x": "x", "run.sh": "1", keep: "1" });
    chmodSync(join(project, "keep"), 0o640);
    rmSync(join(staged, "a"));
    rmSync(join(staged, "b"), { recursive: true });
    writeTree(staged, { "a/x": "x", b: "file", keep: "2" });
    chmodSync(join(staged, "run.sh"), 0o755);
    expect((await stage.apply()).conflicts).toEqual([]);
    expect(readTree(project)).toEqual({ "a/x": "x", b: "file", "run.sh": "1", keep: "2" });
    expect(statSync(join(project, "run.sh")).mode & 0o777).toBe(0o755);
    expect(statSync(join(project, "keep")).mode & 0o777).toBe(0o640);
  });

  it("a context path that is a file: only it is copied, seen and brought", async () => {
    const project = await tempFolder();
    writeTree(project, { "a.txt": "1", "b.txt": "2" });
    const stage = await openStage({ paths: [join(project, "a.txt")], dir: await tempFolder() });
    writeFileSync(stage.paths[0]!.copy, "changed");
    writeFileSync(join(stage.paths[0]!.copy, "..", "b.txt"), "other");
    await stage.apply();
    expect(readTree(project)).toEqual({ "a.txt": "changed", "b.txt": "2" });
  });

  it.runIf(process.getuid?.() !== 0)(
    "a folder the presenter closed has not lost its files, and one the user closed is a conflict",
    async () => {
      const { project, staged, stage } = await stageOf({ ...PROJECT, "ro/a.txt": "1" });
      writeTree(staged, { "ro/a.txt": "2" });
      chmodSync(join(staged, "old"), 0);
      chmodSync(join(project, "ro"), 0o555);
      const { conflicts, skipped } = await stage.apply();
      expect(conflicts.map(({ change }) => change.name)).toEqual(["ro/a.txt"]);
      expect(skipped).toEqual([{ path: join(project, "old"), reason: "unreadable" }]);
      expect(readTree(project)).toEqual({ ...PROJECT, "ro/a.txt": "1" });
    },
  );

  it("a full disk leaves the old file whole and no rest beside it", async () => {
    let isFull = false;
    const disk = {
      ...fs,
      writeSync: ((...args: Parameters<typeof fs.writeSync>) => {
        if (isFull) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        return fs.writeSync(...args);
      }) as typeof fs.writeSync,
    };
    const { project, staged, stage } = await stageOf(PROJECT, { disk });
    writeTree(staged, { "README.md": "agent\n" });
    isFull = true;
    const { conflicts } = await stage.apply();
    expect(conflicts[0]!.reason).toContain("no space left");
    expect(readTree(project)).toEqual(PROJECT);
    isFull = false;
    expect((await stage.apply()).applied).toHaveLength(1);
    expect(readFileSync(join(project, "README.md"), "utf8")).toBe("agent\n");
  });

  it("a presenter that writes to the context path itself leaves a list of changes too", async () => {
    const project = await tempFolder();
    writeTree(project, PROJECT);
    mkdirSync(join(project, ".massgen"));
    const record = await recordChanges({ paths: [project], dir: await tempFolder() });
    writeTree(project, { "README.md": "one\ntwo\nfour\n", ".massgen/log": "ours" });
    const changes = await record.changes();
    expect(changes.map(({ name, addedLines, removedLines }) => [name, addedLines, removedLines])).toEqual([["README.md", 1, 1]]);
    await record.discard();
  });
});
