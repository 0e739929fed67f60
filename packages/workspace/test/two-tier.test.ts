import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRun } from "./open-run.js";
import { readTree, tempFolder, writeTree } from "./temp-folder.js";

const historyOf = (base: string): string => join(base, "snapshots", "20260102_101529_k7q2mz", "zeta", "history.git");
const git = (dir: string, ...args: readonly string[]): string => execFileSync("git", [`--git-dir=${dir}`, ...args], { encoding: "utf8" });

describe("the two-tier workspace", () => {
  it("T1.19: there are scratch/ and deliverable/, and a history of [INIT] and one [SNAPSHOT] for each version", async () => {
    const { base, run } = await openRun({ twoTier: true });
    const ada = await run.open("zeta");
    expect(readdirSync(ada.root).toSorted()).toEqual(["deliverable", "scratch"]);
    writeTree(ada.root, { "scratch/try.txt": "maybe", 'deliverable/with "quotes" \\ and é.md': "# one\n", "deliverable/empty": "" });
    await ada.publish();
    await ada.clear();
    expect(readdirSync(ada.root).toSorted(), "the next round has them too").toEqual(["deliverable", "scratch"]);
    writeTree(ada.root, { "deliverable/report.md": "# two\n" });
    const second = await ada.publish();
    const history = historyOf(base);
    expect(git(history, "log", "--format=%s|%an <%ae>", "main").trim().split("\n")).toEqual([
      "[SNAPSHOT] v0002|MassGen <massgen@localhost>",
      "[SNAPSHOT] v0001|MassGen <massgen@localhost>",
      "[INIT] Workspace|MassGen <massgen@localhost>",
    ]);
    expect(git(history, "ls-tree", "-r", "-z", "--name-only", "main~1").split("\0").filter(Boolean).toSorted()).toEqual([
      "deliverable/empty",
      'deliverable/with "quotes" \\ and é.md',
      "scratch/try.txt",
    ]);
    expect(git(history, "show", "main:deliverable/report.md")).toBe("# two\n");
    expect(git(history, "fsck", "--strict")).toBe("");
    await ada.restore(second);
    expect(readdirSync(ada.root).toSorted()).toEqual(["deliverable", "scratch"]);
  });

  it("T1.19: nothing that an agent leaves in its files is run or followed by git", async () => {
    const { base, run } = await openRun({ twoTier: true });
    const ada = await run.open("zeta");
    const ran = await tempFolder();
    mkdirSync(join(ada.root, "deliverable", ".git", "hooks"), { recursive: true });
    writeTree(ada.root, {
      "deliverable/.git/config": `[core]\n\tfsmonitor = touch ${ran}/monitor\n[filter "x"]\n\tclean = touch ${ran}/clean; cat\n`,
      "deliverable/.git/HEAD": "ref: refs/heads/main\n",
      ".gitattributes": "* filter=x\n",
      ".gitignore": "*\n",
      "deliverable/a.txt": "one",
    });
    writeFileSync(join(ada.root, "deliverable", ".git", "hooks", "post-commit"), `#!/bin/sh\ntouch ${ran}/hook\n`, { mode: 0o755 });
    await ada.publish();
    expect(readdirSync(ran)).toEqual([]);
    expect(git(historyOf(base), "ls-tree", "-r", "--name-only", "main").trim().split("\n")).toEqual([
      ".gitattributes",
      ".gitignore",
      "deliverable/a.txt",
    ]);
  });

  it("keeps the history of a run that is played again, without a second [INIT]", async () => {
    const { base, run } = await openRun({ twoTier: true });
    await (await run.open("zeta")).publish();
    await run.close();
    const again = await openRun({ twoTier: true, baseDir: base });
    await (await again.run.open("zeta")).publish();
    expect(git(historyOf(base), "log", "--format=%s", "main").trim().split("\n")).toEqual([
      "[SNAPSHOT] v0002",
      "[SNAPSHOT] v0001",
      "[INIT] Workspace",
    ]);
  });

  it("publishes all the same, and says so, when git refuses", async () => {
    const warnings: string[] = [];
    const base = join(await tempFolder(), ".massgen");
    mkdirSync(join(historyOf(base), ".."), { recursive: true });
    writeFileSync(historyOf(base), "in the way");
    const { run } = await openRun({ twoTier: true, baseDir: base, onWarning: (message) => warnings.push(message) });
    const ada = await run.open("zeta");
    writeTree(ada.root, { "deliverable/a.txt": "one" });
    const { version } = await ada.publish();
    expect(readTree(join(historyOf(base), "..", version, "workspace"))).toEqual({ "deliverable/a.txt": "one", "scratch/": "" });
    expect(warnings).toEqual([expect.stringMatching(/^The versions of .* get no history: /)]);
  });

  it("is not there unless it is asked for", async () => {
    const { base, run } = await openRun();
    const ada = await run.open("zeta");
    await ada.publish();
    expect(readdirSync(ada.root)).toEqual([]);
    expect(existsSync(historyOf(base))).toBe(false);
  });
});
