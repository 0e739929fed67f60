import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workspaceFiles } from "../../src/output/workspace-files.js";

let folder = "";
let root = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-files-"));
  root = join(folder, "workspace");
  await mkdir(join(root, "src"), { recursive: true });
  await writeFile(join(folder, "outside.txt"), "not yours");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = () =>
  workspaceFiles(
    (agent) => (agent === "ada" ? root : null),
    (text) => text.replaceAll("sk-secret", "[redacted]"),
  );

describe("the files of a workspace", () => {
  it("are listed folder by folder; what tools fill by the thousand, and links, are left out", async () => {
    await writeFile(join(root, "src", "a.ts"), "12345");
    await writeFile(join(root, "b.md"), "");
    await mkdir(join(root, "node_modules"));
    await writeFile(join(root, "node_modules", "x.js"), "1");
    await symlink(join(folder, "outside.txt"), join(root, "link.txt"));
    await symlink(folder, join(root, "up"));
    expect(await files().list("ada")).toEqual({
      files: [
        { path: "b.md", bytes: 0 },
        { path: "src/a.ts", bytes: 5 },
      ],
      isCut: false,
    });
    expect(await files().list("bob")).toBeNull();
  });

  it("are read from their beginning, without the keys in use", async () => {
    await writeFile(join(root, "long.txt"), `sk-secret ${"x".repeat(100_000)}`);
    const { text, bytes, isCut } = await files().read("ada", "long.txt");
    expect(text?.startsWith("[redacted] xxx")).toBe(true);
    expect({ bytes, isCut }).toEqual({ bytes: 100_010, isCut: true });
    await truncate(join(root, "long.txt"), 0);
    expect(await files().read("ada", "long.txt")).toEqual({ text: "", bytes: 0, isCut: false });
    await writeFile(join(root, "x.bin"), Buffer.from([1, 0, 2]));
    expect(await files().read("ada", "x.bin")).toEqual({ text: null, bytes: 3, isCut: false });
  });

  it.each(["../outside.txt", "src/../../outside.txt", "/etc/passwd", "link.txt", "up/outside.txt", "src", "gone.txt", "", "."])(
    "give nothing that is not in there: %j",
    async (path) => {
      await symlink(join(folder, "outside.txt"), join(root, "link.txt"));
      await symlink(folder, join(root, "up"));
      await expect(files().read("ada", path)).rejects.toThrow(/no longer there|no path in a workspace|no file/);
    },
  );

  it("say so when the workspace is gone", async () => {
    await rm(root, { recursive: true });
    await expect(files().list("ada")).rejects.toThrow("Its workspace is no longer there; what was presented is in final/ of the log.");
  });
});
