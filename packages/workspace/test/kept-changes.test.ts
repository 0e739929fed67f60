import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyKeptChanges, copyOf, forgetChanges, openStage, readKeptChanges } from "@massgen/workspace";
import { beforeEach, describe, expect, it } from "vitest";
import { readTree, tempFolder, writeTree } from "./temp-folder.js";

let project = "";
let folder = "";

/** Changes of every kind, kept; the copies they were made in are gone. */
beforeEach(async () => {
  project = await tempFolder();
  writeTree(project, { "src/add.js": "a - b\n", "old/x.txt": "x\n", "run.sh": "echo\n", "big.bin": "0".repeat(17 * 2 ** 20) });
  const dir = await tempFolder();
  folder = join(await tempFolder(), "kept");
  const stage = await openStage({ paths: [project], dir, mayWrite: (path) => !path.endsWith("deep.txt") });
  const copy = stage.paths[0]!.copy;
  writeTree(copy, { "src/add.js": "a + b\n", "new/deep.txt": "new\n", "big.bin": "1".repeat(17 * 2 ** 20) });
  rmSync(join(copy, "old"), { recursive: true });
  chmodSync(join(copy, "run.sh"), 0o755);
  symlinkSync("add.js", join(copy, "src/link.js"));
  const kept = await stage.keep(folder);
  expect(kept.changes[0]?.name, "what runs later comes first").toBe("run.sh");
  await stage.discard();
});

const names = (changes: readonly { readonly name: string }[]) => changes.map(({ name }) => name).toSorted();
/** All but the one that `mayWrite` forbids. */
const ALL = ["big.bin", "old/x.txt", "run.sh", "src/add.js", "src/link.js"];

describe("changes that are kept", () => {
  it("are brought without the copies they were made in, whole, and leave nothing behind", async () => {
    const kept = readKeptChanges(folder)!;
    expect(names(kept.changes)).toEqual([...ALL, "new/deep.txt"].toSorted());
    expect([...kept.refused]).toEqual([join(project, "new/deep.txt")]);
    const report = await applyKeptChanges(folder);
    expect(names(report.applied)).toEqual(ALL);
    expect(report.conflicts).toEqual([]);
    expect(readFileSync(join(project, "src/add.js"), "utf8")).toBe("a + b\n");
    expect(readFileSync(join(project, "src/link.js"), "utf8")).toBe("a + b\n");
    expect(readFileSync(join(project, "big.bin"), "utf8").slice(0, 3)).toBe("111");
    expect(statSync(join(project, "run.sh")).mode & 0o111).toBe(0o111);
    expect(existsSync(join(project, "old"))).toBe(false);
    forgetChanges(folder, new Set([...report.applied, ...report.refused].map(({ path }) => path)));
    expect(existsSync(folder)).toBe(false);
    expect(readKeptChanges(folder)).toBe(null);
  });

  it("that were brought by somebody who died over it count as brought", async () => {
    await applyKeptChanges(folder, { only: new Set(["src/add.js", "old/x.txt", "big.bin"].map((name) => join(project, name))) });
    const report = await applyKeptChanges(folder);
    expect(names(report.applied)).toEqual(ALL);
    expect(report.conflicts).toEqual([]);
  });

  it("do not overwrite what was changed meanwhile; what is left stays in the folder", async () => {
    writeFileSync(join(project, "src/add.js"), "somebody else's\n");
    writeFileSync(join(project, "big.bin"), "2".repeat(17 * 2 ** 20));
    const report = await applyKeptChanges(folder);
    expect(names(report.conflicts.map(({ change }) => change))).toEqual(["big.bin", "src/add.js"]);
    expect(names(report.refused)).toEqual(["new/deep.txt"]);
    expect(readFileSync(join(project, "src/add.js"), "utf8")).toBe("somebody else's\n");
    const { keptAt } = report.conflicts.find(({ change }) => change.name === "src/add.js")!;
    expect(readFileSync(keptAt!, "utf8")).toBe("a + b\n");
    forgetChanges(folder, new Set(report.applied.map(({ path }) => path)));
    expect(names(readKeptChanges(folder)!.changes)).toEqual(["big.bin", "new/deep.txt", "src/add.js"]);
    expect(readFileSync(join(folder, "1/new/deep.txt"), "utf8")).toBe("new\n");
    expect(existsSync(join(folder, "1/run.sh"))).toBe(false);
  });

  it("of files that are not there yet: a file may be made in a folder that is", async () => {
    const home = await tempFolder();
    const dir = await tempFolder();
    const path = join(home, "report.md");
    writeFileSync(join(home, "other.md"), "not granted\n");
    const stage = await openStage({ paths: [path], dir });
    expect(copyOf(dir, 0, path)).toBe(stage.paths[0]!.copy);
    writeFileSync(copyOf(dir, 0, path), "made\n");
    const kept = join(await tempFolder(), "kept");
    await stage.keep(kept);
    expect(names((await applyKeptChanges(kept)).applied)).toEqual(["report.md"]);
    expect(readTree(home)).toEqual({ "other.md": "not granted\n", "report.md": "made\n" });
    expect(readdirSync(dir)).toEqual(["1"]);
  });
});
