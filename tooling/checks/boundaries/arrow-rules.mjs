import { isBuiltin } from "node:module";
import { engine, forTests, isAdapter } from "./arrows.mjs";
import { findCycles } from "./find-cycles.mjs";

/**
 * @typedef {import("./arrows.mjs").Arrows} Arrows
 * @typedef {import("./arrows.mjs").Row} Row
 * @typedef {import("./read-repository.mjs").Package} Package
 * @typedef {import("./read-repository.mjs").Repository} Repository
 * @typedef {{ readonly rule: string, readonly where: string, readonly message: string }} Violation
 */

const RUNTIME = ["dependencies", "peerDependencies", "optionalDependencies"];
const ALL = [...RUNTIME, "devDependencies"];

/** The table and the tree name the same packages. @param {Repository} repository @param {Arrows} arrows @returns {Violation[]} */
export function tableIsTrue(repository, arrows) {
  const dirs = repository.packages.map((one) => one.dir);
  return [
    ...dirs
      .filter((dir) => arrows[dir] === undefined)
      .map((dir) => ({ rule: "table", where: dir, message: "has no row in tooling/checks/boundaries/arrows.mjs; draw its arrows there." })),
    ...Object.keys(arrows)
      .filter((dir) => !dirs.includes(dir))
      .map((dir) => ({
        rule: "table",
        where: "tooling/checks/boundaries/arrows.mjs",
        message: `has a row for ${dir}, which does not exist.`,
      })),
  ];
}

/** Arrows between packages, in package.json. @param {Repository} repository @param {Arrows} arrows @returns {Violation[]} */
export function declaredArrows(repository, arrows) {
  const short = shortNames(repository);
  return repository.packages.flatMap((from) => {
    const row = arrows[from.dir];
    if (row === undefined) return [];
    const where = `${from.dir}/package.json`;
    return ALL.flatMap((field) =>
      Object.entries(from.manifest[field] ?? {}).flatMap(([name, version]) => {
        const to = short.get(name);
        const wrong = to === undefined ? outsideIsWrong(row, field, name, from) : oursIsWrong(row, field, to, from);
        const pinned = field === "peerDependencies" || version === (to === undefined ? "catalog:" : "workspace:*");
        return [
          ...(wrong === null ? [] : [{ rule: "arrows", where, message: wrong }]),
          ...(pinned
            ? []
            : [
                {
                  rule: "versions",
                  where,
                  message: `names ${name} as "${version}"; versions live in the catalog: "catalog:", and "workspace:*" for our own.`,
                },
              ]),
        ];
      }),
    );
  });
}

/** @param {Row} row @param {string} field @param {string} name @param {Package} from */
function outsideIsWrong(row, field, name, from) {
  if (row.outside === "any" || field === "devDependencies" || row.outside.includes(name)) return null;
  return `depends on ${name}; ${from.short} may depend on ${list(row.outside)} from outside. A dependency is a decision: see arrows.mjs.`;
}

/** @param {Row} row @param {string} field @param {string} to @param {Package} from */
function oursIsWrong(row, field, to, from) {
  if (row.ours === "any" || row.ours.includes(to)) return null;
  if (field === "devDependencies" && forTests.includes(to)) return null;
  return `${field} has ${to}: ${arrowText(from.short, to, row)}`;
}

/** Arrows between packages, in the imports of every file. @param {Repository} repository @param {Arrows} arrows @returns {Violation[]} */
export function importedArrows(repository, arrows) {
  const short = shortNames(repository);
  return repository.packages.flatMap((from) => {
    const row = arrows[from.dir];
    if (row === undefined) return [];
    const declared = declaredBy(from, repository, row);
    return from.files.flatMap((file) =>
      file.imports.flatMap(({ specifier, line }) => {
        const name = packageOf(specifier);
        if (name === null) return [];
        const where = `${file.path}:${line}`;
        const to = short.get(name);
        if (to === from.short) {
          const isOutside = file.role === "test";
          return isOutside ? [] : [{ rule: "arrows", where, message: `imports its own package by name; import the file that has it.` }];
        }
        const mayUse = to === undefined || row.ours === "any" || row.ours.includes(to) || (file.role === "test" && forTests.includes(to));
        if (!mayUse) return [{ rule: "arrows", where, message: `imports ${name}: ${arrowText(from.short, to, row)}` }];
        return declared[file.role].has(name)
          ? []
          : [{ rule: "undeclared", where, message: `imports ${name}, which ${from.dir}/package.json does not declare.` }];
      }),
    );
  });
}

/** What sources and what tests of a package may count on. @param {Package} from @param {Repository} repository @param {Row} row */
function declaredBy(from, repository, row) {
  const names = (/** @type {readonly string[]} */ fields, /** @type {{ [field: string]: any }} */ manifest) =>
    fields.flatMap((field) => Object.keys(manifest[field] ?? {}));
  const source = new Set(names(row.bundled ? ALL : RUNTIME, from.manifest));
  return { source, test: new Set([...names(ALL, from.manifest), ...names(["devDependencies"], repository.manifest)]) };
}

/** turbo orders builds by all dependencies, so a cycle through a development dependency is one too. @param {Repository} repository @returns {Violation[]} */
export function packageCycles(repository) {
  const short = shortNames(repository);
  const graph = new Map(
    repository.packages.map((from) => [
      from.short,
      ALL.flatMap((field) => Object.keys(from.manifest[field] ?? {})).flatMap((name) => short.get(name) ?? []),
    ]),
  );
  return findCycles(graph).map((cycle) => ({
    rule: "package cycle",
    where: cycle[0] ?? "",
    message: `depends on itself: ${cycle.join(" → ")}.`,
  }));
}

/** The build order of `tsc -b` is that of the manifests. @param {Repository} repository @param {Arrows} arrows @returns {Violation[]} */
export function projectReferences(repository, arrows) {
  return repository.packages.flatMap((from) => {
    const row = arrows[from.dir];
    const imported = new Set(
      from.files.filter((file) => file.role === "source").flatMap((file) => file.imports.map((one) => packageOf(one.specifier))),
    );
    const needed = repository.packages.filter((to) => to !== from && imported.has(to.name)).map((to) => to.dir);
    return needed
      .filter((dir) => row !== undefined && !from.references.includes(dir))
      .map((dir) => ({
        rule: "references",
        where: `${from.dir}/tsconfig.json`,
        message: `lacks a reference to ${dir}, whose types its sources import.`,
      }));
  });
}

/** @param {string} from @param {string | undefined} to @param {Row} row */
function arrowText(from, to, row) {
  const why =
    isAdapter(from) && to !== undefined && engine.includes(to) ? "adapters never see the engine" : `no arrow ${from} → ${to} is drawn`;
  return `${why}. ${from} may import ${list(row.ours)}.`;
}

/** @param {readonly string[] | "any"} names */
const list = (names) => (names === "any" ? "anything" : names.length === 0 ? "nothing" : names.join(", "));

/** npm name → short name of every package here. @param {Repository} repository @returns {Map<string, string>} */
const shortNames = (repository) => new Map(repository.packages.map((one) => [one.name, one.short]));

/** The package a specifier names; `null` for files, `node:` modules and computed imports. @param {string | null} specifier */
function packageOf(specifier) {
  if (specifier === null || /^[./]/.test(specifier) || isBuiltin(specifier)) return null;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
