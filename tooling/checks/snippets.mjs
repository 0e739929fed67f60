/**
 * Compiles every `ts` block of the READMEs and docs, so that what people copy works. A block is a module of its own, seen
 * from the package whose README it is in; ```ts no-check is for what cannot compile, with the reason in the text.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root, run, tool } from "../scripts/run.mjs";
import { readRepository } from "./boundaries/read-repository.mjs";
import { committedFiles } from "./boundaries/text-rules.mjs";
import { findFences } from "./find-fences.mjs";
import { isMain } from "./is-main.mjs";

const DOCUMENTS = /^(?:README|CONTRIBUTING)\.md$|^(?:packages|apps)\/[^/]+\/README\.md$|^docs\/(?!spec\/|decisions\/).*\.md$/;
const FOLDER = ".snippets";

/** What people copy from: READMEs and guides. Specifications and decisions are read, not copied. */
export const documents = () => committedFiles(root).filter((path) => DOCUMENTS.test(path));

/** Entry specifier → source file, so that a block may import any of our packages. @returns {Record<string, string[]>} */
function sourcesByName() {
  const entries = readRepository(root).packages.flatMap((one) =>
    Object.entries(one.manifest["exports"] ?? {}).flatMap(([subpath, entry]) =>
      entry?.["@massgen/source"] === undefined
        ? []
        : [[one.name + subpath.slice(1), [`../${posix.join(one.dir, entry["@massgen/source"])}`]]],
    ),
  );
  return Object.fromEntries(entries);
}

/** Writes each block as `.snippets/<folder of its document>/<document>.<line>.ts`. @returns {number} how many */
function writeSnippets() {
  rmSync(join(root, FOLDER), { recursive: true, force: true });
  let count = 0;
  for (const path of documents()) {
    for (const { line, code } of findFences(readFileSync(join(root, path), "utf8"), "ts")) {
      const file = join(root, FOLDER, path.replace(/\.md$/, `.${line}.ts`));
      mkdirSync(dirname(file), { recursive: true });
      // `export {}` makes it a module, so that blocks do not see each other; on the last line, so that line numbers hold.
      writeFileSync(file, `${"\n".repeat(line - 1)}${code}\nexport {};\n`);
      linkModules(dirname(path));
      count++;
    }
  }
  writeFileSync(join(root, FOLDER, "tsconfig.json"), JSON.stringify(tsconfig()));
  return count;
}

/** A block may import what its package may. @param {string} folder */
function linkModules(folder) {
  const modules = join(root, folder, "node_modules");
  const link = join(root, FOLDER, folder, "node_modules");
  if (folder !== "." && existsSync(modules) && !existsSync(link)) symlinkSync(modules, link, "junction");
}

function tsconfig() {
  return {
    extends: "../tooling/tsconfig/tests.json",
    compilerOptions: { incremental: false, paths: sourcesByName(), noUnusedLocals: false },
    include: ["**/*.ts", "../examples/**/*"],
  };
}

if (isMain(import.meta.url)) {
  mkdirSync(join(root, FOLDER), { recursive: true });
  const count = writeSnippets();
  const { ok, output } =
    count === 0 ? { ok: true, output: "" } : await run(tool("tsc", "-p", `${FOLDER}/tsconfig.json`, "--pretty", "false"));
  // Errors name the copy; people want the document, and the line is the same.
  if (!ok) console.log(output.replaceAll(/^\.snippets[\\/](.*)\.\d+\.ts\(/gm, "$1.md(").trimEnd());
  console.log(`snippets: ${count} compiled${ok ? "" : ", with errors"}`);
  process.exitCode = ok && count > 0 ? 0 : 1;
}
