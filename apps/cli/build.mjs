// Bundles the program into dist/: a tiny front file, chunks that load when they are needed, and the help as data.
// The schema of configs for editors is written by the program itself.
// With arguments: build.mjs <outdir>, for tests that run the program as it ships.
import { execFile } from "node:child_process";
import { chmod, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** CommonJS dependencies call `require`; the front file has none and stays without it. */
const REQUIRE = "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * Lets the bundler drop what is not used of two dependencies: of zod's namespace when it is imported as one, and of yaml in
 * its build of ES modules, which `node` as a condition hides.
 */
/** @type {import("esbuild").Plugin} */
const shakeable = {
  name: "shakeable",
  setup(build) {
    build.onResolve({ filter: /^yaml$/ }, async ({ resolveDir }) => {
      const found = await build.resolve("yaml/package.json", { resolveDir, kind: "import-statement" });
      return { path: join(dirname(found.path), "browser/index.js") };
    });
    build.onLoad({ filter: /packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replace('import { z } from "zod";', 'import * as z from "zod";'), loader: "ts" };
    });
  },
};

/** @param {string} outdir @returns {Promise<import("esbuild").Metafile>} what went into the chunks */
export async function buildCli(outdir) {
  const { version } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  /** @satisfies {import("esbuild").BuildOptions} */
  const shared = {
    absWorkingDir: here,
    outdir,
    platform: /** @type {const} */ ("node"),
    format: /** @type {const} */ ("esm"),
    target: "node20.19",
    conditions: ["@massgen/source", "module"],
    define: { MASSGEN_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
    minifySyntax: true,
    logLevel: /** @type {const} */ ("warning"),
    metafile: /** @type {const} */ (true),
  };
  await rm(join(outdir, "chunks"), { recursive: true, force: true });
  const main = await build({
    ...shared,
    entryPoints: ["src/main.ts", "src/args/program.ts"],
    outbase: "src",
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    banner: { js: REQUIRE },
    plugins: [shakeable],
    // Asked for by DBOS only where somebody turns its own console log or telemetry on.
    external: ["winston", "winston-transport", "@opentelemetry/exporter-logs-otlp-proto", "@opentelemetry/exporter-trace-otlp-proto"],
    legalComments: "none",
    // Readable stacks in bug reports are worth more than a few bytes.
    minifyIdentifiers: false,
    minifyWhitespace: true,
  });
  await build({
    ...shared,
    entryPoints: ["src/massgen.ts"],
    bundle: false,
    minifyWhitespace: true,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    define: { ...shared.define, "import.meta.dirname": "__dirname" },
  });
  await chmod(join(outdir, "massgen.cjs"), 0o755);

  const { helpTexts } = await import(pathToFileURL(join(outdir, "args/program.js")).href);
  await writeFile(join(outdir, "help.json"), JSON.stringify(helpTexts()));
  const schema = await promisify(execFile)(process.execPath, [join(outdir, "massgen.cjs"), "--show-schema", "--json"], { maxBuffer: 16e6 });
  await writeFile(join(outdir, "config.schema.json"), schema.stdout);
  return main.metafile;
}

/** The example configurations travel with the program, where `@examples/` finds them. @param {string} outdir */
async function copyExamples(outdir) {
  const target = join(outdir, "configs");
  await rm(target, { recursive: true, force: true });
  await cp(resolve(here, "../../configs"), target, { recursive: true });
}

/** The skill that `massgen skill` installs. @param {string} outdir */
async function copySkill(outdir) {
  const target = join(outdir, "skills");
  await rm(target, { recursive: true, force: true });
  await cp(resolve(here, "../../skills"), target, { recursive: true });
}

/** The page that `--web` shows, as its package built it. @param {string} outdir */
async function copyPage(outdir) {
  const target = join(outdir, "web");
  await rm(target, { recursive: true, force: true });
  await cp(resolve(here, "../web/page"), target, { recursive: true });
}

/**
 * What is bundled comes with its licence.
 *
 * @param {string} outdir @param {import("esbuild").Metafile} metafile
 */
async function writeLicences(outdir, metafile) {
  const folders = new Set(
    Object.keys(metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  const texts = await Promise.all([...folders].sort().map((folder) => licenceOf(resolve(here, folder))));
  const title = "The program contains these packages, each under its own licence.";
  await writeFile(join(outdir, "THIRD-PARTY-LICENSES.txt"), [title, ...texts].join(`\n\n${"-".repeat(80)}\n\n`));
}

/** @param {string} folder @returns {Promise<string>} */
async function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  const text = file === undefined ? standardText(name, license, author) : await readFile(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}`;
}

/**
 * Some packages name their licence and forget to ship its text.
 *
 * @param {string} name @param {string} license @param {string | { readonly name: string } | undefined} author
 */
function standardText(name, license, author) {
  if (license !== "MIT" || author === undefined) throw new Error(`${name} is bundled and brings no licence text.`);
  return MIT.replace("HOLDER", typeof author === "string" ? author : author.name);
}

const MIT = `Copyright (c) HOLDER

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const outdir = resolve(process.argv[2] ?? join(here, "dist"));
  await writeLicences(outdir, await buildCli(outdir));
  await copyExamples(outdir);
  await copySkill(outdir);
  await copyPage(outdir);
}
