import { describe, expect, it } from "vitest";
import { checkFiles, checkManifest } from "../published.mjs";

const sound = {
  license: "Apache-2.0",
  type: "module",
  engines: { node: ">=20.19.0" },
  publishConfig: { access: "public" },
  description: "Does one thing.",
  sideEffects: false,
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
};

describe("published files", () => {
  it("accept a sound manifest, and a program without sideEffects", () => {
    expect(checkManifest(sound)).toEqual([]);
    expect(checkManifest({ ...sound, sideEffects: undefined, bin: { massgen: "./dist/massgen.cjs" } })).toEqual([]);
  });

  it.each([
    [{ license: "MIT" }, "license"],
    [{ type: "commonjs" }, "type"],
    [{ engines: {} }, "engines.node"],
    [{ publishConfig: {} }, "publishConfig.access"],
    [{ description: "thing" }, "description"],
    [{ sideEffects: undefined }, "sideEffects"],
    [{ dependencies: { "@massgen/core": "workspace:*" } }, "workspace:"],
    [{ dependencies: { zod: "catalog:" } }, "catalog:"],
    [{ exports: { ".": { "@massgen/source": "./src/index.ts" } } }, "@massgen/source"],
  ])("refuse %j", (fields, expected) => {
    expect(checkManifest({ ...sound, ...fields })).toEqual([expect.stringContaining(expected)]);
  });

  it("hold licence and README, and nothing of the workspace", () => {
    const files = ["package.json", "LICENSE", "README.md", "dist/index.js", "dist/index.d.ts", "dist/index.js.map"];
    expect(checkFiles(files)).toEqual([]);
    expect(checkFiles(files.slice(2))).toEqual(["lacks LICENSE"]);
    expect(checkFiles([...files, "src/index.ts", "dist/.tsbuildinfo", "dist/index.d.ts.map", ".env"])).toHaveLength(4);
  });
});
