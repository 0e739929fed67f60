import { describe, expect, it } from "vitest";
import { checkBoundaries } from "../boundaries.mjs";
import { fakeTree, manifest, type Tree } from "./fake-tree.js";

const arrows = {
  "packages/contracts": { ring: 0, ours: [], outside: [] },
  "packages/core": { ring: 1, ours: ["contracts"], outside: [] },
  "packages/backend-x": { ring: 1, ours: ["contracts"], outside: ["openai"] },
  "packages/logs": { ring: 2, ours: ["contracts"], outside: [] },
} as const;

/** A tree without a fault; each test spoils one thing. */
const sound: Tree = {
  "packages/contracts/package.json": manifest("contracts"),
  "packages/contracts/src/index.ts": `export type { Clock } from "./clock.js";\n`,
  "packages/contracts/src/clock.ts": "export interface Clock { now(): number }\n",
  "packages/core/package.json": manifest("core", { dependencies: { "@massgen/contracts": "workspace:*" } }),
  "packages/core/tsconfig.json": { references: [{ path: "../contracts" }] },
  "packages/core/src/index.ts": `export { run } from "./run.js";\n`,
  "packages/core/src/run.ts": `import type { Clock } from "@massgen/contracts";\nexport const run = (clock: Clock): number => clock.now();\n`,
  "packages/backend-x/package.json": manifest("backend-x", { dependencies: { openai: "catalog:" } }),
  "packages/backend-x/src/index.ts": `export const create = async (): Promise<unknown> => await import("openai");\n`,
  "packages/logs/package.json": manifest("logs"),
  "packages/logs/src/index.ts": `export { readFileSync } from "node:fs";\n`,
};

const check = (changes: Tree = {}) => checkBoundaries(fakeTree({ ...sound, ...changes }), arrows);
const found = (changes: Tree) => check(changes).violations.map(({ rule, where, message }) => `${rule} | ${where} | ${message}`);
const line = (count: number) => "export {};\n".repeat(count);

describe("boundaries", () => {
  it("finds nothing in a sound tree, and says what it read", () => {
    expect(check()).toEqual({ violations: [], warnings: [], packages: 4, modules: 6, imports: 5 });
  });

  it("says so when it read nothing", () => {
    expect(checkBoundaries(fakeTree({}), {}).violations[0]?.message).toBe("holds no package.");
    expect(found({ "packages/logs/src/index.ts": "", "packages/logs/package.json": manifest("logs", { exports: {} }) })).toEqual([]);
  });

  it("reports a file it cannot parse instead of passing over it", () => {
    expect(found({ "packages/core/src/run.ts": "export const = 1;" })).toContainEqual(
      expect.stringMatching(/run\.ts \| is not TypeScript: /),
    );
  });
});

describe("arrows", () => {
  it.each<[string, Tree, RegExp]>([
    [
      "a package without a row",
      { "packages/new/package.json": manifest("new"), "packages/new/src/index.ts": "export {};" },
      /table \| packages\/new \| has no row/,
    ],
    [
      "a dependency that is not drawn",
      { "packages/logs/package.json": manifest("logs", { dependencies: { "@massgen/core": "workspace:*" } }) },
      /arrows \| packages\/logs\/package\.json \| dependencies has core: no arrow logs → core is drawn/,
    ],
    [
      "an import that is not drawn",
      { "packages/contracts/src/clock.ts": `import "@massgen/core";` },
      /arrows \| packages\/contracts\/src\/clock\.ts:1 \| imports @massgen\/core: no arrow contracts → core/,
    ],
    ["an import of a subpath", { "packages/contracts/src/clock.ts": `import "@massgen/logs/node";` }, /imports @massgen\/logs: no arrow/],
    [
      "an import hidden in a type",
      { "packages/contracts/src/clock.ts": `export type T = import("@massgen/core").T;` },
      /imports @massgen\/core/,
    ],
    [
      "an adapter that sees the engine",
      { "packages/backend-x/src/index.ts": `export { run } from "@massgen/core";` },
      /adapters never see the engine/,
    ],
    ["a package that imports itself by name", { "packages/core/src/run.ts": `import "@massgen/core";` }, /imports its own package by name/],
    [
      "an import that package.json does not declare",
      { "packages/logs/src/index.ts": `import type {} from "@massgen/contracts";` },
      /undeclared \| packages\/logs\/src\/index\.ts:1 \| imports @massgen\/contracts, which packages\/logs\/package\.json does not declare/,
    ],
    [
      "a dependency from outside that nobody decided on",
      { "packages/core/package.json": manifest("core", { dependencies: { "@massgen/contracts": "workspace:*", "left-pad": "catalog:" } }) },
      /depends on left-pad; core may depend on nothing from outside/,
    ],
    [
      "a version beside the catalog",
      { "packages/backend-x/package.json": manifest("backend-x", { dependencies: { openai: "^6.0.0" } }) },
      /versions \| .* names openai as "\^6\.0\.0"/,
    ],
    [
      "a missing project reference",
      { "packages/core/tsconfig.json": { references: [] } },
      /references \| packages\/core\/tsconfig\.json \| lacks a reference to packages\/contracts/,
    ],
    [
      "an import of another package's files",
      { "packages/core/src/run.ts": `import type {} from "../../contracts/src/clock.js";` },
      /own folder \| .* is outside packages\/core/,
    ],
    [
      "a source that imports a test",
      { "packages/core/src/run.ts": `import "../test/fake.js";` },
      /own folder \| .* sources import sources/,
    ],
  ])("fails on %s", (_, changes, expected) => {
    expect(found(changes).join("\n")).toMatch(expected);
  });

  it("lets tests import the test tools and nothing beyond", () => {
    const declared = { devDependencies: { "@massgen/core": "workspace:*", vitest: "catalog:" } };
    const tree = {
      "packages/logs/package.json": manifest("logs", declared),
      "packages/logs/test/a.test.ts": `import "@massgen/core"; import "@massgen/logs"; import "vitest";`,
    };
    expect(found(tree)).toEqual([]);
    expect(found({ ...tree, "packages/logs/src/index.ts": `import "@massgen/core";` }).join()).toMatch(/no arrow logs → core/);
    expect(found({ "packages/core/test/a.test.ts": `import "@massgen/logs";` }).join()).toMatch(/no arrow core → logs/);
  });

  it("fails on a cycle between packages, also through a development dependency", () => {
    const cycle = { "packages/contracts/package.json": manifest("contracts", { devDependencies: { "@massgen/core": "workspace:*" } }) };
    expect(found(cycle)).toEqual(["package cycle | contracts | depends on itself: contracts → core → contracts."]);
  });
});

describe("any runtime", () => {
  const inCore = (text: string) => found({ "packages/core/src/run.ts": text }).map((one) => one.split(" | ").slice(1).join(" "));

  it.each([
    [`import "node:fs";`, "imports node:fs"],
    [`import type { Stats } from "fs";`, "imports fs"],
    ["export const now = () => Date.now();", "reads Date.now"],
    ["export const now = new Date();", "reads new Date()"],
    [`export const now = Date();`, "reads Date()"],
    ["const { now } = Date;", "reads Date.now"],
    ["export const dice = Math.random;", "reads Math.random"],
    ["setTimeout(() => {}, 1);", "reads setTimeout"],
    ["globalThis.setTimeout(() => {}, 1);", "reads setTimeout"],
    [`globalThis["setInterval"](() => {}, 1);`, "reads setInterval"],
    ["export const key = process.env.KEY;", "reads the global process.env"],
    ["export const t = performance.now();", "reads performance.now"],
    ["export const id = crypto.randomUUID();", "reads crypto.randomUUID"],
    ["export const soon = AbortSignal.timeout(5);", "reads AbortSignal.timeout"],
    [`export const page = fetch("/");`, "reads fetch"],
    ["export const b = Buffer.from([]);", "reads the global Buffer.from"],
    [`console.log("hi");`, "reads the global console.log"],
    ["export const load = (name: string) => import(name);", "imports something computed"],
  ])("ring 1 may not say %s", (text, expected) => {
    expect(inCore(`\n${text}`)).toEqual([expect.stringContaining(`packages/core/src/run.ts:2 ${expected}`)]);
  });

  it.each([
    "export const when = new Date(0);",
    "export const later = (fetch: typeof globalThis.fetch) => fetch;",
    "export const wait = (setTimeout: () => void) => setTimeout();",
    "export const card = { process: 1, Date: 2 };",
    "export const digest = crypto.subtle.digest;",
    "export const text = [new URL('a:b'), Math.max(1, 2), new TextDecoder().decode()];",
  ])("ring 1 may say %s", (text) => {
    expect(inCore(text)).toEqual([]);
  });

  it("lets the ambient file of core read clock and chance, but no process", () => {
    expect(
      found({ "packages/core/src/ambient/system-ambient.ts": "export const a = [Date.now, Math.random, setTimeout, fetch];" }),
    ).toEqual([]);
    expect(found({ "packages/core/src/ambient/system-ambient.ts": "export const a = process;" })).toHaveLength(1);
  });

  it("lets a folder node/ behind a subpath use Node, as long as the root does not reach it", () => {
    const node = { "packages/core/src/node/index.ts": `export { readFileSync } from "node:fs";` };
    expect(found(node)).toEqual([]);
    expect(found({ ...node, "packages/core/src/index.ts": `export { readFileSync } from "./node/index.js";` }).join()).toMatch(
      /imports \.\/node\/index\.js, which needs Node/,
    );
  });
});

describe("files", () => {
  it("fails on a cycle between files, type imports included", () => {
    const cycle = { "packages/core/src/run.ts": `import type {} from "./stop.js";`, "packages/core/src/stop.ts": `import "./run.js";` };
    expect(found(cycle)).toEqual(["file cycle | packages/core/src/run.ts | imports itself: src/run.ts → src/stop.ts → src/run.ts."]);
  });

  it.each([
    [`export * from "./run.js";`, "exports everything of a file"],
    ["export default 1;", "exports a default"],
  ])("a package root may not say %s", (text, expected) => {
    expect(found({ "packages/core/src/index.ts": text }).join()).toContain(expected);
  });

  it("fails on an entry that does not exist", () => {
    expect(
      found({ "packages/logs/package.json": manifest("logs", { exports: { "./x": { "@massgen/source": "./src/x.ts" } } }) }).join(),
    ).toMatch(/exports packages\/logs\/src\/x\.ts, which does not exist/);
  });

  it("fails over 600 lines, warns over 400, and takes a written reason", () => {
    const long = { "packages/core/src/run.ts": line(601) };
    expect(found(long)).toEqual([expect.stringMatching(/^size \| packages\/core\/src\/run\.ts \| has 601 lines/)]);
    expect(found({ ...long, "tooling/size-exceptions.txt": "# path: why\npackages/core/src/run.ts: a table of 600 rows\n" })).toEqual([]);
    expect(found({ ...long, "tooling/size-exceptions.txt": "packages/core/src/run.ts:\n" })).toHaveLength(1);
    expect(found({ "tooling/size-exceptions.txt": "packages/core/src/run.ts: once long\n" }).join()).toMatch(/needs no excuse any more/);
    expect(check({ "packages/core/src/run.ts": line(401) }).warnings).toHaveLength(1);
  });

  it.each([
    ["a home", `see ${["", "root", "x"].join("/")}`],
    ["a work folder", `see ${["", "work", "x"].join("/")}`],
    ["a registry", `https:${["", "", "registry."].join("/")}example.com`],
    ["a registry setting", ["registry", "=https://example.com"].join("")],
  ])("fails on a file that mentions %s", (_, text) => {
    expect(found({ "docs/a.md": `fine\n${text}\n` })).toEqual([expect.stringMatching(/^traces \| docs\/a\.md:2 \| /)]);
  });

  it("fails on a link that leads nowhere", () => {
    const text = "[here](b.md#part), [gone](../c.md), [page](https://example.com), [part](#part)\n";
    expect(found({ "docs/a.md": text, "docs/b.md": "" })).toEqual(["links | docs/a.md:1 | refers to c.md, which does not exist."]);
  });

  it("fails on a rule that is cited from a document nobody wrote", () => {
    const rules = ["docs/spec", "rules.md"].join("/"); // in one piece it would be cited here
    const cited = { "packages/core/src/run.ts": `// EC36, ${rules} 1.5\n` };
    expect(found(cited)).toEqual([`links | packages/core/src/run.ts:1 | refers to ${rules}, which does not exist.`]);
    expect(found({ ...cited, [rules]: "" })).toEqual([]);
  });

  it("leaves alone what git ignores", () => {
    expect(found({ ".gitignore": "logs/\n", "logs/a.txt": ["", "work", "x"].join("/") })).toEqual([]);
  });
});
