import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/run.mjs";
import { bundleForEdge } from "../edge-bundles.mjs";
import { fakeTree } from "./fake-tree.js";

const bundle = (index: string, shared: readonly string[] = []) =>
  bundleForEdge(
    join(
      fakeTree({
        "index.ts": index,
        "node_modules/deep/package.json": { name: "deep", main: "./a.js" },
        "node_modules/deep/a.js": `module.exports = require("fs");`,
        "node_modules/light/package.json": { name: "light", main: "./node.js", browser: "./web.js" },
        "node_modules/light/node.js": `module.exports = require("fs");`,
        "node_modules/light/web.js": "module.exports = 1;",
      }),
      "index.ts",
    ),
    shared,
  );

describe("edge bundles", () => {
  it("are made of web standards and of what a dependency has for browsers", async () => {
    const { bytes, faults } = await bundle(`import light from "light"; export const x: string = light + fetch.name;`);
    expect(faults).toEqual([]);
    expect(bytes).toBeGreaterThan(10);
  });

  it.each([
    [`export { readFileSync } from "node:fs";`, /index\.ts:1: node:fs is a Node module/],
    [`export const x = () => import("child_process");`, /child_process is a Node module/],
    [`export { default } from "deep";`, /deep\/a\.js:1: fs is a Node module/],
    [`export { x } from "not-installed";`, /Could not resolve "not-installed"/],
  ])("fail on %s", async (index, expected) => {
    expect((await bundle(index)).faults.join()).toMatch(expected);
  });

  it("leave outside what the user shares", async () => {
    expect((await bundle(`export { x } from "not-installed";`, ["not-installed"])).faults).toEqual([]);
  });

  it("of the client leave a page most of its budget: schemas bring what they use of zod, not its 50 languages", async () => {
    const { bytes, faults } = await bundleForEdge(join(root, "packages/client/src/index.ts"), []);
    expect(faults).toEqual([]);
    expect(bytes).toBeLessThan(120_000);
  });
});
