import { execFileSync } from "node:child_process";
import fs, { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRun } from "./open-run.js";
import { readTree, tempFolder, writeTree } from "./temp-folder.js";

const filesOf = (base: string, agent: string, version: string): string =>
  join(base, "snapshots", "20260102_101529_k7q2mz", agent, version, "workspace");

describe("snapshots", () => {
  it("T1.4: a version has the files of its moment; clearing keeps memory/ and tasks/", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { "a.txt": "one", "src/b.txt": "two", "memory/notes.md": "kept" });
    const ref = await ada.publish();
    expect(ref).toEqual({ agent: "zeta", version: "v0001" });
    writeTree(ada.root, { "a.txt": "later", "c.txt": "later" });
    await ada.clear();
    expect(readTree(ada.root)).toEqual({ "memory/notes.md": "kept" });
    expect(readTree(filesOf(base, "zeta", "v0001"))).toEqual({ "a.txt": "one", "src/b.txt": "two", "memory/notes.md": "kept" });
  });

  it("T1.5: an empty workspace gives an empty version, not the earlier files", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { "a.txt": "one" });
    await ada.publish();
    await ada.clear();
    expect((await ada.publish()).version).toBe("v0002");
    expect(readTree(filesOf(base, "zeta", "v0002"))).toEqual({});
  });

  it("T1.7: links that lead out, devices and pipes are named and never followed; links inside stay links", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { "real.txt": "mine", "d/x.txt": "x" });
    for (const [link, target] of [
      ["l", "/etc/passwd"],
      ["d/deep", "/etc"],
      ["up", ".."],
      ["d/loop", "."],
      ["round", "d/../../out"],
      ["sibling", "real.txt"],
      ["self", "self"],
    ])
      symlinkSync(target!, join(ada.root, link!));
    execFileSync("mkfifo", [join(ada.root, "pipe")]);
    const { skipped, links } = await run.manifestOf(await ada.publish());
    expect(skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "d/deep", reason: "skipped_symlink" },
      { path: "l", reason: "skipped_symlink" },
      { path: "pipe", reason: "special_file" },
      { path: "round", reason: "skipped_symlink" },
      { path: "up", reason: "skipped_symlink" },
    ]);
    expect(links.map(({ path }) => path).toSorted()).toEqual(["d/loop", "self", "sibling"]);
    expect(readTree(filesOf(base, "zeta", "v0001"))).toEqual({
      "d/loop": "->",
      "d/x.txt": "x",
      "real.txt": "mine",
      self: "->",
      sibling: "->",
    });
  });

  it("a link over a link cannot climb out: no `..` may follow a name", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { "a/b/c/x.txt": "x" });
    symlinkSync("../../..", join(ada.root, "a/b/c/top"));
    symlinkSync("a/b/c/top/../../secret", join(ada.root, "out"));
    const { skipped } = await run.manifestOf(await ada.publish());
    expect(skipped).toEqual([{ path: "out", reason: "skipped_symlink" }]);
    expect(existsSync(join(filesOf(base, "zeta", "v0001"), "out"))).toBe(false);
  });

  it("hard links are broken, and rights beyond reading and running are dropped", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    const outside = join(await tempFolder(), "outside.txt");
    writeFileSync(outside, "outside");
    linkSync(outside, join(ada.root, "hard.txt"));
    writeFileSync(join(ada.root, "run.sh"), "#!/bin/sh\n");
    fs.chmodSync(join(ada.root, "run.sh"), 0o6755);
    await ada.publish();
    const files = filesOf(base, "zeta", "v0001");
    expect(statSync(join(files, "hard.txt")).ino).not.toBe(statSync(outside).ino);
    expect(statSync(join(files, "run.sh")).mode & 0o7777).toBe(0o555);
    await ada.restore({ agent: "zeta", version: "v0001" });
    expect(statSync(join(ada.root, "run.sh")).mode & 0o7777).toBe(0o755);
    writeFileSync(join(ada.root, "hard.txt"), "changed");
    expect(readFileSync(outside, "utf8")).toBe("outside");
  });

  it("an unchanged file is shared with the version before, a changed one is not, and no version changes", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { "same.txt": "same", "changed.txt": "one" });
    await ada.publish();
    writeTree(ada.root, { "changed.txt": "two" });
    await ada.publish();
    await ada.clear();
    writeTree(ada.root, { "moved/same.txt": "same" });
    await ada.publish();
    const inode = (version: string, path: string): number => statSync(join(filesOf(base, "zeta", version), path)).ino;
    expect(inode("v0002", "same.txt")).toBe(inode("v0001", "same.txt"));
    expect(inode("v0003", "moved/same.txt")).toBe(inode("v0001", "same.txt"));
    expect(readTree(filesOf(base, "zeta", "v0001"))).toEqual({ "same.txt": "same", "changed.txt": "one" });
    expect(readTree(filesOf(base, "zeta", "v0002"))).toEqual({ "same.txt": "same", "changed.txt": "two" });
  });

  it("a change of the same size in the same moment is never missed", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    for (let round = 0; round < 50; round++) {
      writeFileSync(join(ada.root, "n.txt"), String(100 + round));
      const { version } = await ada.publish();
      expect(readFileSync(join(filesOf(base, "zeta", version), "n.txt"), "utf8")).toBe(String(100 + round));
    }
  });

  it("T1.8: what can be made again is not copied, unless it is asked for", async () => {
    const tree = { "node_modules/a/i.js": "1", "src/__pycache__/m.pyc": "2", "src/m.py": "3", ".agent/skills/s.md": "4", ".agent/x": "5" };
    for (const [include, expected] of [
      [[], ["src/m.py", ".agent/x"]],
      [["node_modules"], ["node_modules/a/i.js", "src/m.py", ".agent/x"]],
    ] as const) {
      const { base, run } = await openRun({ include });
      const ada = await run.open("zeta");
      writeTree(ada.root, tree);
      await ada.publish();
      expect(Object.keys(readTree(filesOf(base, "zeta", "v0001"))).toSorted()).toEqual([...expected].toSorted());
    }
  });

  it("over a limit the largest files are left out and named, and the rest is published", async () => {
    const { base, run } = await openRun({ limits: { maxFiles: 3, maxBytes: 10, maxFileBytes: 8 } });
    const ada = await run.open("zeta");
    writeTree(ada.root, { a: "1", b: "22", c: "333", d: "4444", e: "55555", f: "x".repeat(9) });
    const { skipped, bytes } = await run.manifestOf(await ada.publish());
    expect(skipped).toEqual([
      { path: "f", reason: "too_large" },
      { path: "e", reason: "over_size_limit" },
      { path: "d", reason: "over_file_limit" },
    ]);
    expect(bytes).toBe(6);
    expect(Object.keys(readTree(filesOf(base, "zeta", "v0001")))).toEqual(["a", "b", "c"]);
  });

  it("a full disk leaves no version and no rest of one, and says what to do", async () => {
    let left = 5;
    const disk = {
      ...fs,
      writeSync: ((...args: Parameters<typeof fs.writeSync>) => {
        if (left-- <= 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        return fs.writeSync(...args);
      }) as typeof fs.writeSync,
    };
    const { base, run } = await openRun({ disk });
    const ada = await run.open("zeta");
    writeTree(ada.root, Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, `text ${i}`])));
    await expect(ada.publish()).rejects.toMatchObject({ code: "STORE_FAILED", hint: expect.stringContaining("disk is full") });
    expect(readdirSync(join(base, "snapshots", "20260102_101529_k7q2mz", "zeta"))).toEqual([]);
    left = Number.POSITIVE_INFINITY;
    const ref = await ada.publish();
    expect((await run.manifestOf(ref)).files).toHaveLength(20);
  });

  it("cancelling leaves no rest of a version, and the next one is whole", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { a: "1" });
    await expect(ada.publish({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    expect(readdirSync(join(base, "snapshots", "20260102_101529_k7q2mz", "zeta"))).toEqual([]);
    await ada.publish();
  });

  it.runIf(process.getuid?.() !== 0)(
    "unreadable files and folders are named, the rest is published, and clearing removes them",
    async () => {
      const { run } = await openRun();
      const ada = await run.open("zeta");
      writeTree(ada.root, { "a.txt": "1", "secret.txt": "2", "locked/b.txt": "3" });
      fs.chmodSync(join(ada.root, "secret.txt"), 0);
      fs.chmodSync(join(ada.root, "locked"), 0);
      const { skipped, files } = await run.manifestOf(await ada.publish());
      expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
        ["locked", "unreadable"],
        ["secret.txt", "unreadable"],
      ]);
      expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
      await ada.clear();
      expect(readTree(ada.root)).toEqual({});
    },
  );

  it("names of any kind come through, also those that differ by case or by composition alone", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    const tree = {
      "ünï ☂.txt": "1",
      "A.txt": "2",
      "a.txt": "3",
      "e\u0301.txt": "4",
      "\u00e9.txt": "5",
      "new\nline": "6",
      "-rf": "7",
      "…/\u202egpj.exe": "8",
    };
    writeTree(ada.root, tree);
    await ada.publish();
    expect(readTree(filesOf(base, "zeta", "v0001"))).toEqual(readTree(ada.root));
  });

  it("restoring gives exactly the version: files, folders without files, and nothing else", async () => {
    const { run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { "a.txt": "one", "b/c.txt": "two" });
    mkdirSync(join(ada.root, "empty"));
    symlinkSync("a.txt", join(ada.root, "link"));
    const before = readTree(ada.root);
    const ref = await ada.publish();
    writeTree(ada.root, { "a.txt": "changed", "new/x.txt": "x", "node_modules/y": "y" });
    await ada.restore(ref);
    expect(readTree(ada.root)).toEqual(before);
    expect(lstatSync(join(ada.root, "link")).isSymbolicLink()).toBe(true);
    expect(statSync(join(ada.root, "a.txt")).nlink).toBe(1);
  });

  it("a version that is not there is named", async () => {
    const { run } = await openRun();
    const ada = await run.open("zeta");
    writeTree(ada.root, { "a.txt": "one" });
    await expect(ada.restore({ agent: "zeta", version: "v0007" })).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(ada.restore({ agent: "zeta", version: "../../x" })).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(readTree(ada.root)).toEqual({ "a.txt": "one" });
  });

  it("versions no fact names are pruned; the newest stays, and numbers are not used again", async () => {
    const { run } = await openRun();
    const ada = await run.open("zeta");
    const refs = [await ada.publish(), await ada.publish(), await ada.publish(), await ada.publish()];
    expect(await run.prune([refs[1]!])).toEqual([refs[0], refs[2]]);
    await ada.restore(refs[1]!);
    expect((await ada.publish()).version).toBe("v0005");
  });

  it("thousands of files are published, restored and shown", async () => {
    const { run } = await openRun({ limits: { maxFiles: 20_000 } });
    const ada = await run.open("zeta");
    for (let folder = 0; folder < 100; folder++) {
      mkdirSync(join(ada.root, `d${folder}`));
      for (let file = 0; file < 100; file++) writeFileSync(join(ada.root, `d${folder}`, `f${file}`), `${folder} ${file}`);
    }
    const ref = await ada.publish();
    expect((await run.manifestOf(ref)).files).toHaveLength(10_000);
    await ada.restore(ref);
    const { path } = await run.refreshView("alpha", new Map([["agent1", ref]]));
    expect(readFileSync(join(path, "agent1", "d99", "f99"), "utf8")).toBe("99 99");
  }, 60_000);
});
