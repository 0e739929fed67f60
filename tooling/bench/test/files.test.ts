import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changeFiles, copyByHand, inTempFolder, writeFiles } from "../src/files/trees.js";

it("the floor copies every file, and a round changes what it says", async () => {
  const folder = await inTempFolder(async (root) => {
    writeFiles(join(root, "w"), 120, 100);
    changeFiles(join(root, "w"), 120, 50, 100, 1);
    copyByHand(join(root, "w"), join(root, "copy"));
    expect(readdirSync(join(root, "copy"), { recursive: true })).toHaveLength(123);
    return root;
  });
  expect(existsSync(folder)).toBe(false);
});
