import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Path → text. An object is written as JSON. */
export type Tree = Readonly<Record<string, string | object>>;

/** A git folder with these files, removed when the test ends. */
export function fakeTree(tree: Tree): string {
  const root = mkdtempSync(join(tmpdir(), "massgen-checks-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  execFileSync("git", ["init", "--quiet", root]);
  for (const [path, content] of Object.entries({ "package.json": { private: true }, ...tree })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return root;
}

/** The manifest of a package with one root entry. */
export function manifest(name: string, fields: object = {}): object {
  return { name: `@massgen/${name}`, exports: { ".": { "@massgen/source": "./src/index.ts" } }, ...fields };
}
