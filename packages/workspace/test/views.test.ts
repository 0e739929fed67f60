import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRun } from "./open-run.js";
import { readTree, writeTree } from "./temp-folder.js";

describe("views of peers", () => {
  it("T1.9: names are those of the configuration, also when only the last has answered; nothing tells whose files they are", async () => {
    const { run } = await openRun();
    const mid = await run.open("mid");
    writeTree(mid.root, { "a.txt": "one" });
    const ref = await mid.publish();
    const { path } = await run.refreshView("zeta", new Map([["agent3", ref]]));
    expect(readdirSync(path)).toEqual(["agent3"]);
    expect(path).not.toMatch(/zeta|alpha|mid/);
    expect(path).toBe((await run.open("zeta")).view);
  });

  it("T1.14: files and folders are read-only, and no links to the snapshot", async () => {
    const { run } = await openRun();
    const mid = await run.open("mid");
    writeTree(mid.root, { "d/a.txt": "one" });
    const { path } = await run.refreshView("zeta", new Map([["agent3", await mid.publish()]]));
    const modes = [".", "agent3", "agent3/d", "agent3/d/a.txt"].map((at) => statSync(join(path, at)).mode & 0o777);
    expect(modes).toEqual([0o555, 0o555, 0o555, 0o444]);
    expect(statSync(join(path, "agent3/d/a.txt")).nlink).toBe(1);
  });

  it("T1.6: a view shows the version of the answer, whatever its author has done since", async () => {
    const { run } = await openRun();
    const mid = await run.open("mid");
    writeTree(mid.root, { "a.txt": "one" });
    const first = await mid.publish();
    writeTree(mid.root, { "a.txt": "two" });
    const second = await mid.publish();
    writeTree(mid.root, { "a.txt": "unpublished" });
    const { path } = await run.refreshView("zeta", new Map([["agent3", first]]));
    expect(readTree(path)).toEqual({ "agent3/a.txt": "one" });
    await run.refreshView("zeta", new Map([["agent3", second]]));
    expect(readTree(path)).toEqual({ "agent3/a.txt": "two" });
  });

  it("a folder whose version is shown already is left alone, and one that is shown no more goes", async () => {
    const { run } = await openRun();
    const [mid, alpha] = [await run.open("mid"), await run.open("alpha")];
    writeTree(mid.root, { "a.txt": "one" });
    writeTree(alpha.root, { "b.txt": "two" });
    const [a, b] = [await mid.publish(), await alpha.publish()];
    const { path } = await run.refreshView(
      "zeta",
      new Map([
        ["agent3", a],
        ["agent2", b],
      ]),
    );
    const before = statSync(join(path, "agent3")).ino;
    await run.refreshView("zeta", new Map([["agent3", a]]));
    expect(statSync(join(path, "agent3")).ino).toBe(before);
    expect(readTree(path)).toEqual({ "agent3/a.txt": "one" });
  });

  it("T1.13: whoever looks during a refresh sees a whole version or nothing", async () => {
    const { run } = await openRun();
    const mid = await run.open("mid");
    const files = (text: string): Record<string, string> => Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, text]));
    writeTree(mid.root, files("one"));
    const first = await mid.publish();
    writeTree(mid.root, files("two"));
    const second = await mid.publish();
    const { path } = await run.refreshView("zeta", new Map([["agent3", first]]));
    let isDone = false;
    const refreshing = run.refreshView("zeta", new Map([["agent3", second]])).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const seen = new Set(Object.values(readTree(join(path, "agent3"))));
      expect(seen.size).toBeLessThanOrEqual(1);
      await new Promise(setImmediate);
    }
    await refreshing;
    expect(new Set(Object.values(readTree(path)))).toEqual(new Set(["two"]));
  });

  it("a version is not pruned while it is copied", async () => {
    const { run } = await openRun();
    const mid = await run.open("mid");
    writeTree(mid.root, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, "x"])));
    const first = await mid.publish();
    await mid.publish();
    const refreshing = run.refreshView("zeta", new Map([["agent3", first]]));
    await new Promise(setImmediate);
    expect(await run.prune([])).toEqual([]);
    const { path } = await refreshing;
    expect(Object.keys(readTree(path))).toHaveLength(300);
    expect(await run.prune([])).toEqual([first]);
  });

  it("two refreshes for one viewer follow each other; views and homes are gone with the run, snapshots stay", async () => {
    const { base, run } = await openRun();
    const mid = await run.open("mid");
    writeTree(mid.root, { "a.txt": "one" });
    const ref = await mid.publish();
    const [one, two] = await Promise.all([run.refreshView("zeta", new Map([["agent3", ref]])), run.refreshView("zeta", new Map())]);
    expect(one).toEqual(two);
    expect(readTree(one.path)).toEqual({});
    await run.close();
    await run.close();
    expect(existsSync(one.path)).toBe(false);
    expect(existsSync(mid.home)).toBe(false);
    expect(readdirSync(join(base, "temp_workspaces"))).toEqual([]);
    expect(readdirSync(join(base, "snapshots"))).toHaveLength(1);
    expect(readTree(mid.root)).toEqual({ "a.txt": "one" });
  });
});
