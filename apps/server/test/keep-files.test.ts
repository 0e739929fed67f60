import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseFiles, keepFiles } from "../src/worker/keep-files.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-keep-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the files a worker keeps of a run", () => {
  it("are all that fit, the result first, then the small ones", () => {
    const files = [
      { path: "events.jsonl", bytes: 4_000_000 },
      { path: "huge.bin", bytes: 6_000_000 },
      ...Array.from({ length: 6 }, (_, place) => ({ path: `final/ada/workspace/${place}.bin`, bytes: 4_000_000 })),
      { path: "status.json", bytes: 1_000 },
    ];
    const kept = chooseFiles(files).map(({ path }) => path);
    expect(kept.slice(0, 6).every((path) => path.startsWith("final/"))).toBe(true);
    expect(kept.slice(6)).toEqual(["status.json"]);
  });

  it("are no links, and their folder is gone when they are handed on", async () => {
    await mkdir(join(folder, "run", "final"), { recursive: true });
    await writeFile(join(folder, "secret.txt"), "secret");
    await writeFile(join(folder, "run", "final", "answer.txt"), "ARC");
    await symlink(join(folder, "secret.txt"), join(folder, "run", "link.txt"));
    const put = new Map<string, string>();
    expect(await keepFiles(join(folder, "run"), async (path, content) => void put.set(path, content.toString()))).toBeNull();
    expect([...put]).toEqual([["final/answer.txt", "ARC"]]);
    expect(existsSync(join(folder, "run"))).toBe(false);
  });

  it("stay where they are when they cannot be handed on, and what is too large is said", async () => {
    await writeFile(join(folder, "answer.txt"), "ARC");
    await expect(keepFiles(folder, () => Promise.reject(new Error("the database is away")))).rejects.toThrow("away");
    expect(existsSync(join(folder, "answer.txt"))).toBe(true);
    await writeFile(join(folder, "huge.bin"), Buffer.alloc(5_000_001));
    expect(await keepFiles(folder, () => Promise.resolve())).toBe("1 of its files are too large, or too many, to be kept");
  });
});
