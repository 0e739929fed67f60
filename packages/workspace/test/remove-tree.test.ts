import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createPacer } from "../src/pacer.js";
import { removeTree } from "../src/tree/remove-tree.js";
import { readTree, tempFolder, writeTree } from "./temp-folder.js";

const pace = createPacer();

it("T1.18: refuses the root, home, short paths, links, the roots themselves, other folders and mounts, and removes nothing", async () => {
  const root = await tempFolder();
  const outside = await tempFolder();
  writeTree(outside, { "a/b/c.txt": "mine" });
  writeTree(root, { "real/x.txt": "x", "file.txt": "x" });
  symlinkSync(outside, join(root, "link"));
  const paths = [
    "/",
    homedir(),
    "/tmp",
    "/usr/bin",
    root,
    join(root, ".."),
    join(root, "link"),
    join(root, "link", "a"),
    join(root, "file.txt"),
    join(outside, "a"),
  ];
  for (const path of paths) await expect(removeTree(path, [root], pace), path).rejects.toMatchObject({ code: "PATH_DENIED" });
  if (process.platform === "linux")
    await expect(removeTree("/dev/shm", ["/", "/dev"], pace)).rejects.toMatchObject({ code: "PATH_DENIED" });
  expect(readTree(outside)).toEqual({ "a/b/c.txt": "mine" });
  expect(existsSync(join(root, "real/x.txt"))).toBe(true);
});

it("removes read-only trees and links, and what links lead to stays", async () => {
  const root = await tempFolder();
  const outside = await tempFolder();
  writeTree(outside, { "keep.txt": "mine" });
  mkdirSync(join(root, "t/d"), { recursive: true });
  writeFileSync(join(root, "t/d/f"), "x", { mode: 0o444 });
  symlinkSync(outside, join(root, "t/d/out"));
  chmodSync(join(root, "t/d"), 0o500);
  chmodSync(join(root, "t"), 0o500);
  await removeTree(join(root, "t"), [root], pace);
  await removeTree(join(root, "t"), [root], pace);
  expect(existsSync(join(root, "t"))).toBe(false);
  expect(readTree(outside)).toEqual({ "keep.txt": "mine" });
});
