/**
 * Bundles every root entry of ring 0 and 1 as an edge runtime would get it, and fails on the first foreign import: one that
 * no runtime but Node has, in our code or in a dependency. What the user shares (peer dependencies) stays outside.
 */
import { builtinModules } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../scripts/run.mjs";
import { arrows } from "./boundaries/arrows.mjs";
import { readRepository } from "./boundaries/read-repository.mjs";
import { isMain } from "./is-main.mjs";

/**
 * @param {string} entry absolute path of a TypeScript file
 * @param {readonly string[]} shared packages that the user brings
 * @returns {Promise<{ bytes: number, faults: string[] }>} size of the minified bundle; each fault with the file that imports
 */
export async function bundleForEdge(entry, shared) {
  const { outputFiles, errors } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    // Not "neutral": only this one honours the map by which packages swap their Node files, and bundlers for the edge honour it too.
    platform: "browser",
    target: "es2022",
    conditions: ["@massgen/source", "worker", "browser", "import"],
    mainFields: ["browser", "module", "main"],
    external: [...shared],
    logLevel: "silent",
    absWorkingDir: root,
    plugins: [
      {
        name: "no Node",
        setup: (esbuild) => esbuild.onResolve({ filter: nodeModule }, (one) => ({ errors: [{ text: `${one.path} is a Node module` }] })),
      },
    ],
  }).catch((error) => ({
    outputFiles: [],
    errors: /** @type {import("esbuild").Message[]} */ (error.errors ?? [{ text: String(error) }]),
  }));
  const faults = errors.map(({ text, location }) => `${location ? `${location.file}:${location.line}: ` : ""}${text}`);
  return { bytes: outputFiles.reduce((sum, file) => sum + file.contents.length, 0), faults };
}

const nodeModule = new RegExp(`^(?:node:.*|${builtinModules.filter((name) => !name.startsWith("_")).join("|")})$`);

if (isMain(import.meta.url)) {
  const anyRuntime = readRepository(root).packages.filter((one) => (arrows[one.dir]?.ring ?? 3) <= 1);
  let failed = 0;
  for (const { dir, name, manifest } of anyRuntime) {
    const entry = manifest["exports"]?.["."]?.["@massgen/source"];
    const { bytes, faults } = await bundleForEdge(join(root, dir, entry), Object.keys(manifest["peerDependencies"] ?? {}));
    for (const fault of faults) console.log(`${name}: ${fault}`);
    failed += faults.length > 0 ? 1 : 0;
    console.log(`${name}: ${(bytes / 1024).toFixed(1)} KiB`);
  }
  console.log(`edge bundles: ${anyRuntime.length} entries, ${failed} with foreign imports`);
  process.exitCode = failed === 0 && anyRuntime.length > 0 ? 0 : 1;
}
