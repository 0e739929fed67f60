/**
 * Looks at the packages as somebody who installs them gets them: packs each, then asks publint and are-the-types-wrong, and
 * checks what neither knows: that licence and README are in it, and that nothing of the workspace shines through.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { run, tool } from "../scripts/run.mjs";
import { isMain } from "./is-main.mjs";
import { packAll } from "./pack-all.mjs";

/** @param {string} tarball @returns {Promise<string[]>} what is wrong with it, one line each */
export async function checkTarball(tarball) {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  const manifest = JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }));
  return [...checkManifest(manifest), ...checkFiles(files), ...(await askPublint(tarball)), ...(await askAttw(tarball, manifest))];
}

/** @param {{ [field: string]: any }} manifest as published @returns {string[]} */
export function checkManifest(manifest) {
  const text = JSON.stringify(manifest);
  const must = [
    [manifest["license"] === "Apache-2.0", `license is "${manifest["license"]}", not "Apache-2.0"`],
    [manifest["type"] === "module", `type is "${manifest["type"]}", not "module"`],
    [manifest["engines"]?.node === ">=20.19.0", `engines.node is "${manifest["engines"]?.node}", not ">=20.19.0"`],
    [manifest["publishConfig"]?.access === "public", "publishConfig.access is not public"],
    [(manifest["description"] ?? "").endsWith("."), "description is not a sentence"],
    [manifest["bin"] !== undefined || manifest["sideEffects"] === false, "sideEffects is not false"],
    [!/"(?:workspace|catalog):/.test(text), "a workspace: or catalog: version was not replaced"],
    [!text.includes("@massgen/source"), "the condition @massgen/source is published; publishConfig.exports has to replace it"],
  ];
  return must.flatMap(([holds, message]) => (holds ? [] : [String(message)]));
}

/** @param {readonly string[]} files @returns {string[]} */
export function checkFiles(files) {
  const lacks = ["LICENSE", "README.md"].filter((name) => !files.includes(name)).map((name) => `lacks ${name}`);
  const stray = files.filter(
    (path) => /^(?:src|test|node_modules)\/|\.tsbuildinfo$|\.d\.ts\.map$|(?:^|\/)\.env|\.(?:ts|tsx)$/.test(path) && !path.endsWith(".d.ts"),
  );
  return [...lacks, ...stray.map((path) => `holds ${path}`)];
}

/** @param {string} tarball @returns {Promise<string[]>} */
async function askPublint(tarball) {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/** @param {string} tarball @param {{ [field: string]: any }} manifest @returns {Promise<string[]>} */
async function askAttw(tarball, manifest) {
  const isLibrary = Object.keys(manifest["exports"] ?? {}).some((subpath) => !subpath.endsWith(".json"));
  if (!isLibrary) return [];
  const { ok, output } = await run(tool("attw", "--profile", "esm-only", "--no-color", "--no-emoji", tarball));
  return ok ? [] : [`are the types wrong? ${output.trim()}`];
}

/** @template T @param {readonly string[]} items @param {(item: string) => Promise<T>} work @returns {Promise<Map<string, T>>} two at a time, in order */
async function inPairs(items, work) {
  /** @type {Map<string, T>} */ const results = new Map();
  const left = items.values();
  const worker = async () => {
    for (const item of left) results.set(item, await work(item));
  };
  await Promise.all([worker(), worker()]);
  return new Map(items.map((item) => [item, /** @type {T} */ (results.get(item))]));
}

if (isMain(import.meta.url)) {
  const { tarballs } = await packAll();
  const faults = [...(await inPairs(tarballs, checkTarball))].flatMap(([tarball, lines]) =>
    lines.map((line) => `${basename(tarball)}: ${line}`),
  );
  for (const line of faults) console.log(line);
  console.log(`published files: ${tarballs.length} packages, ${faults.length} faults`);
  process.exitCode = faults.length === 0 && tarballs.length > 0 ? 0 : 1;
}
