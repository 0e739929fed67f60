import { link, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPolicy, openFolder, openParent, openWithin, type Policy } from "../src/index.js";

let top: string;
let policy: Policy;
const at = (path: string): string => join(top, path);

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "policy-open-")));
  await mkdir(at("ws/dir"), { recursive: true });
  await mkdir(at("outside"));
  await writeFile(at("ws/dir/own.txt"), "own");
  await writeFile(at("outside/own.txt"), "secret");
  policy = createPolicy({ agents: new Map([["a", { workspace: at("ws") }]]), home: null });
});
afterEach(() => rm(top, { recursive: true, force: true }));

async function linkInsteadOf(path: string, target: string): Promise<void> {
  await rename(at(path), at(`${path}.was`));
  await symlink(at(target), at(path));
}
/** What somebody does between the decision and the use. */
const plants: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  ["a link in place of the file", () => linkInsteadOf("ws/dir/own.txt", "outside/own.txt")],
  ["a link in place of its folder", () => linkInsteadOf("ws/dir", "outside")],
];

describe("opening what was decided on", () => {
  it("reads and changes the file", async () => {
    const handle = await openWithin(await policy.decidePath("a", "write", "dir/own.txt"), "write");
    expect(await handle.readFile("utf8")).toBe("own");
    await handle.write("new", 0);
    await handle.close();
    expect(await readFile(at("ws/dir/own.txt"), "utf8")).toBe("new");
  });

  describe.each(plants)("T2.9 %s planted after the decision", (_, plant) => {
    it.each(["read", "write"] as const)("is not followed to %s", async (mode) => {
      const decision = await policy.decidePath("a", mode, "dir/own.txt");
      await plant();
      await expect(openWithin(decision, mode)).rejects.toMatchObject({ code: "SYMLINK_ESCAPE" });
      expect(await readFile(at("outside/own.txt"), "utf8")).toBe("secret");
    });
  });

  it("T2.9 creates nothing through a folder that became a link", async () => {
    const decision = await policy.decidePath("a", "create", "dir/new.txt");
    await plants[1]![1]();
    await expect(openWithin(decision, "create")).rejects.toMatchObject({ code: "SYMLINK_ESCAPE" });
    await expect(openParent(decision, { make: true })).rejects.toMatchObject({ code: "SYMLINK_ESCAPE" });
    expect(await readdir(at("outside"))).toEqual(["own.txt"]);
  });

  it("T2.9 notices before a rename that its folder went away", async () => {
    const folder = await openParent(await policy.decidePath("a", "write", "dir/own.txt"));
    await folder.verify();
    await rename(at("ws/dir"), at("outside/taken"));
    await expect(folder.verify()).rejects.toMatchObject({ code: "SYMLINK_ESCAPE" });
    await folder.close();
  });

  it("makes the folders that are missing and replaces a file in one step", async () => {
    const folder = await openParent(await policy.decidePath("a", "create", "new/deep/file.txt"), { make: true });
    await writeFile(folder.at("file.tmp"), "text", { flag: "wx" });
    await rename(folder.at("file.tmp"), folder.at("file.txt"));
    expect(() => folder.at("../x")).toThrow(TypeError);
    await folder.close();
    expect(await readFile(at("ws/new/deep/file.txt"), "utf8")).toBe("text");
  });

  it("does not change a file that has another name elsewhere", async () => {
    await link(at("outside/own.txt"), at("ws/linked.txt"));
    await expect(openWithin(await policy.decidePath("a", "write", "linked.txt"), "write")).rejects.toMatchObject({ code: "PATH_DENIED" });
  });

  it("does not take leave to look at a file for leave to read it", async () => {
    await expect(openWithin(await policy.decidePath("a", "stat", "dir/own.txt"), "read")).rejects.toThrow('decided on for "stat"');
    await expect(openWithin(await policy.decidePath("a", "read", "dir/own.txt"), "write")).rejects.toMatchObject({ code: "PATH_DENIED" });
  });

  it("lists the folder that was decided on, and no other", async () => {
    const decision = await policy.decidePath("a", "list", "dir");
    const folder = await openFolder(decision);
    await plants[1]![1]();
    expect(await readdir(folder.path)).toEqual(["own.txt"]);
    expect(await readFile(folder.at("own.txt"), "utf8")).toBe("own");
    await folder.close();
    await expect(openFolder(decision)).rejects.toMatchObject({ code: "SYMLINK_ESCAPE" });
  });

  it("does not open what was refused", async () => {
    await expect(openWithin(await policy.decidePath("a", "read", at("outside/own.txt")), "read")).rejects.toThrow("PATH_OUTSIDE");
  });
});
