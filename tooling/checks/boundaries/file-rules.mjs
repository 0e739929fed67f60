import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { ambientFiles } from "./arrows.mjs";
import { findCycles } from "./find-cycles.mjs";
import { ambient, sameEverywhere } from "./web-globals.mjs";

/**
 * @typedef {import("./arrow-rules.mjs").Violation} Violation
 * @typedef {import("./arrows.mjs").Arrows} Arrows
 * @typedef {import("./read-repository.mjs").Package} Package
 * @typedef {import("./read-repository.mjs").Repository} Repository
 * @typedef {import("./read-repository.mjs").SourceFile} SourceFile
 */

/** Folders that a subpath export reaches and the root does not: there a package of ring 1 may need Node. */
const NODE_FOLDER = /^[^/]+\/[^/]+\/src\/(?:node|process)\//;

/** Ring 0 and 1 run on any JavaScript runtime, and the same way each time. @param {Repository} repository @param {Arrows} arrows @returns {Violation[]} */
export function anyRuntime(repository, arrows) {
  return repository.packages.flatMap((from) => {
    const ring = arrows[from.dir]?.ring;
    if (ring === undefined || ring > 1) return [];
    return from.files.filter((file) => file.role === "source" && !NODE_FOLDER.test(file.path)).flatMap((file) => onlyNodeHas(file, ring));
  });
}

/** @param {SourceFile} file @param {number} ring @returns {Violation[]} */
function onlyNodeHas(file, ring) {
  const may = `Ring ${ring} runs on any JavaScript runtime`;
  const found = (/** @type {number} */ line, /** @type {string} */ message) => ({
    rule: "any runtime",
    where: `${file.path}:${line}`,
    message,
  });
  const imports = file.imports.flatMap(({ specifier, line }) => {
    if (specifier === null) return [found(line, `imports something computed, which no bundler can follow. ${may}.`)];
    if (isBuiltin(specifier)) return [found(line, `imports ${specifier}. ${may}; Node code lives in a folder node/ behind a subpath.`)];
    const target = resolveInside(file.path, specifier);
    return target !== null && NODE_FOLDER.test(target) ? [found(line, `imports ${specifier}, which needs Node. ${may}.`)] : [];
  });
  const mayBeAmbient = ambientFiles.includes(file.path);
  const uses = file.uses.flatMap(({ name, line }) => {
    const owner = name.split(".")[0] ?? name;
    if (ambient.has(name) || ambient.has(owner)) {
      return mayBeAmbient
        ? []
        : [found(line, `reads ${name}. Time, chance, ids and fetch come in through Ambient, so that tests and replays can replace them.`)];
    }
    return sameEverywhere.has(owner) ? [] : [found(line, `reads the global ${name}, which is no web standard. ${may}.`)];
  });
  return [...imports, ...uses];
}

/** Types count too: two files that need each other are one story. @param {Repository} repository @returns {Violation[]} */
export function fileCycles(repository) {
  return repository.packages.flatMap((from) => {
    const known = new Set(from.files.map((file) => file.path));
    const graph = new Map(
      from.files.map((file) => [
        file.path,
        file.imports.flatMap((one) => resolveInside(file.path, one.specifier) ?? []).filter((path) => known.has(path)),
      ]),
    );
    return findCycles(graph).map((cycle) => ({
      rule: "file cycle",
      where: cycle[0] ?? "",
      message: `imports itself: ${cycle.map((path) => posix.relative(from.dir, path)).join(" → ")}.`,
    }));
  });
}

/** Nobody reaches into the folder of another package. @param {Repository} repository @returns {Violation[]} */
export function ownFolderOnly(repository) {
  return repository.packages.flatMap((from) =>
    from.files.flatMap((file) =>
      file.imports.flatMap(({ specifier, line }) => {
        const target = resolveInside(file.path, specifier);
        const inside = target === null || target.startsWith(`${from.dir}/`);
        const leavesSource =
          file.role === "source" && target !== null && inside && !target.startsWith(`${from.dir}/src/`) && !target.endsWith(".json");
        if (!inside)
          return [
            {
              rule: "own folder",
              where: `${file.path}:${line}`,
              message: `imports ${specifier}, which is outside ${from.dir}; import the package by its name.`,
            },
          ];
        return leavesSource
          ? [
              {
                rule: "own folder",
                where: `${file.path}:${line}`,
                message: `imports ${specifier}, which is not published: sources import sources.`,
              },
            ]
          : [];
      }),
    ),
  );
}

/** What a package gives is a list that somebody chose. @param {Repository} repository @returns {Violation[]} */
export function chosenExports(repository) {
  return repository.packages.flatMap((from) =>
    entryFiles(from).flatMap((path) => {
      const entry = from.files.find((file) => file.path === path);
      if (entry === undefined)
        return [{ rule: "exports", where: `${from.dir}/package.json`, message: `exports ${path}, which does not exist.` }];
      return ["*", "default"]
        .filter((name) => entry.exports.includes(name))
        .map((name) => ({
          rule: "exports",
          where: path,
          message: `exports ${name === "*" ? "everything of a file (export *)" : "a default"}; list the names.`,
        }));
    }),
  );
}

/** Source files of a package's entries. @param {Package} from @returns {string[]} */
function entryFiles(from) {
  return Object.values(from.manifest["exports"] ?? {}).flatMap((entry) => {
    const source = typeof entry === "object" ? entry["@massgen/source"] : undefined;
    return source === undefined ? [] : [posix.join(from.dir, source)];
  });
}

/** The repository path of a relative import, `.js` read as the `.ts` it is built from. @param {string} from @param {string | null} specifier @returns {string | null} */
function resolveInside(from, specifier) {
  if (specifier === null || !specifier.startsWith(".")) return null;
  return posix
    .join(posix.dirname(from), specifier)
    .replace(/\.js$/, ".ts")
    .replace(/\.mjs$/, ".mts");
}
