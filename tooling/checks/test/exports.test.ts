import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareExports, exportLists, updateExports } from "../exports.mjs";
import { fakeTree, manifest } from "./fake-tree.js";

const twoEntries = { ".": { "@massgen/source": "./src/index.ts" }, "./node": { "@massgen/source": "./src/node/index.ts" } };
const tree = () =>
  fakeTree({
    "packages/config/package.json": manifest("config", { exports: twoEntries }),
    "packages/config/src/index.ts": `export { parse, type Issue, type Config } from "./parse.js";\nexport { build as buildConfig } from "./build.js";\n`,
    "packages/config/src/node/index.ts": "export const load = (): void => {};\n",
    "packages/hidden/package.json": manifest("hidden", { private: true }),
    "packages/hidden/src/index.ts": "export const x = 1;\n",
  });

describe("export lists", () => {
  it("name what every entry of a published package gives, sorted", () => {
    expect([...exportLists(tree())]).toEqual([
      ["config.txt", "# @massgen/config\ntype Config\ntype Issue\nbuildConfig\nparse\n\n# @massgen/config/node\nload\n"],
    ]);
  });

  it("differ when a name comes, goes or changes its kind, until they are written anew", () => {
    const root = tree();
    updateExports(root);
    expect(compareExports(root)).toEqual([]);
    writeFileSync(join(root, "packages/config/src/index.ts"), `export { parse, type Issue, Config, extra } from "./parse.js";\n`);
    expect(compareExports(root)).toEqual([
      "@massgen/config: + Config",
      "@massgen/config: + extra",
      "@massgen/config: - type Config",
      "@massgen/config: - buildConfig",
    ]);
    updateExports(root);
    expect(compareExports(root)).toEqual([]);
  });
});
