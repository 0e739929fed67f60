import { execFile } from "node:child_process";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { gitInfo, parseStatus, recentGitInfo } from "../src/git-info.js";
import { tempFolder } from "./temp-folder.js";

const git = (cwd: string, ...args: readonly string[]): Promise<unknown> =>
  promisify(execFile)("git", ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=trunk", ...args], { cwd });

describe("what git says of the working folder", () => {
  it("gives git no key", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "git"), `#!/bin/sh\nenv > '${folder}/env'\n`, { mode: 0o755 });
    await gitInfo(folder, { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, OPENAI_API_KEY: "sk-planted", AWS_PROFILE: "prod" });
    expect(await readFile(join(folder, "env"), "utf8")).not.toMatch(/planted|AWS_/);
  });

  it("is asked once for runs that begin together in one folder, and by itself in another", async () => {
    let asked = 0;
    const look = async (cwd: string) => ({ commit: cwd, branch: null, dirty: ++asked < 0 });
    const [one, two, three] = await Promise.all(["/bench/a", "/bench/a", "/bench/b"].map((folder) => recentGitInfo(folder, look)));
    expect({ asked, commits: [one?.commit, two?.commit, three?.commit] }).toEqual({
      asked: 2,
      commits: ["/bench/a", "/bench/a", "/bench/b"],
    });
  });

  it("is nothing outside a repository", async () => expect(await gitInfo(await tempFolder())).toBeNull());

  it("is commit, branch and whether tracked files are changed", async () => {
    const folder = await tempFolder();
    await git(folder, "init");
    expect(await gitInfo(folder)).toBeNull();
    await writeFile(join(folder, "a.txt"), "one");
    await git(folder, "add", ".");
    await git(folder, "commit", "-m", "first");
    await writeFile(join(folder, "untracked.txt"), "x");
    expect(await gitInfo(folder)).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), branch: "trunk", dirty: false });
    await writeFile(join(folder, "a.txt"), "two");
    expect(await gitInfo(folder)).toMatchObject({ dirty: true });
    await git(folder, "checkout", "--detach");
    expect(await gitInfo(folder)).toMatchObject({ branch: null });
  });

  it("T7.8: runs no monitor, hook or filter that the repository names", async () => {
    const folder = await tempFolder();
    const ran = await tempFolder();
    await git(folder, "init");
    await writeFile(join(folder, ".gitattributes"), "*.txt filter=a=b.c\n*.md filter=old\n");
    await writeFile(join(folder, "a.txt"), "one");
    await writeFile(join(folder, "b.md"), "one");
    await git(folder, "add", ".");
    await git(folder, "commit", "-m", "first");
    const touch = (name: string): string => `touch '${ran}/${name}'; exit 1`;
    await git(folder, "config", "core.fsmonitor", touch("monitor"));
    await git(folder, "config", "filter.a=b.c.clean", touch("clean"));
    await git(folder, "config", "filter.a=b.c.required", "true");
    await git(folder, "config", "filter.old.process", touch("process"));
    const hook = join(folder, ".git", "hooks", "post-index-change");
    await writeFile(hook, `#!/bin/sh\ntouch '${ran}/hook'\n`, { mode: 0o755 });
    // Git looks into a file whose times are not those it noted.
    for (const name of ["a.txt", "b.md"]) await utimes(join(folder, name), 1, 1);
    expect(await gitInfo(folder)).toMatchObject({ branch: "trunk" });
    expect(await readdir(ran)).toEqual([]);
    await writeFile(join(folder, "a.txt"), "two");
    expect(await gitInfo(folder)).toMatchObject({ dirty: true });
    expect(await readdir(ran)).toEqual([]);
    await git(folder, "status").catch(() => undefined);
    expect(await readdir(ran), "the trap would have caught it").not.toEqual([]);
  });

  it("is nothing when git answers something else", () => expect(parseStatus("fatal: what?")).toBeNull());
});
