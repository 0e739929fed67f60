/**
 * Validates every configuration that people get from us, those that ship with the program and those in the READMEs, with
 * the built program, as a user would: no key, no network.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root, run } from "../scripts/run.mjs";
import { walk } from "./boundaries/read-repository.mjs";
import { findFences } from "./find-fences.mjs";
import { isMain } from "./is-main.mjs";
import { documents } from "./snippets.mjs";

const program = join(root, "apps/cli/dist/massgen.cjs");

/** Stand in for keys that this machine may not have: validation asks whether there is one, never whether it is good. */
const keys = Object.fromEntries(
  ["OPENAI", "ANTHROPIC", "GEMINI", "XAI", "OPENROUTER", "GROQ", "CEREBRAS", "TOGETHER", "FIREWORKS"].map((vendor) => [
    `${vendor}_API_KEY`,
    "not-a-key",
  ]),
);

/** A config for an adapter of one's own names a key of its own. @param {string} file @returns {Record<string, string>} */
const keysNamedIn = (file) =>
  Object.fromEntries([...readFileSync(file, "utf8").matchAll(/\$\{(\w+_KEY)\}/g)].map(([, name]) => [name, "not-a-key"]));

/** Name to show → file. Blocks of a README are written out below `folder`. @param {string} folder @returns {[string, string][]} */
function configurations(folder) {
  const shipped = walk(root, "configs").filter((path) => /\.ya?ml$/.test(path));
  const shown = documents().flatMap((path) =>
    findFences(readFileSync(join(root, path), "utf8"), "yaml")
      .filter(({ code }) => /^agents?:/m.test(code))
      .map(({ line, code }) => ({ name: `${path}:${line}`, file: join(folder, path, `${line}.yaml`), code })),
  );
  for (const { file, code } of shown) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  return [
    ...shipped.map((path) => /** @type {[string, string]} */ ([path, join(root, path)])),
    ...shown.map(({ name, file }) => /** @type {[string, string]} */ ([name, file])),
  ];
}

if (isMain(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), "massgen-configs-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const all = configurations(folder);
  let refused = 0;
  for (const [name, file] of all) {
    const { ok, output } = await run([process.execPath, program, "--validate", file], {
      env: { ...keys, ...keysNamedIn(file) },
      cwd: folder,
    });
    if (!ok) console.log(`${name}:\n${output.trimEnd()}`);
    refused += ok ? 0 : 1;
  }
  console.log(`configs: ${all.length - refused} valid, ${refused} refused`);
  process.exitCode = refused === 0 && all.length > 0 ? 0 : 1;
}
