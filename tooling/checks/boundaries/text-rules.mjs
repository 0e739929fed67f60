import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** @typedef {import("./arrow-rules.mjs").Violation} Violation */

const CODE = /^(?:packages|apps|tooling|examples)\/.*\.(?:ts|tsx|mts|mjs)$/;
const NOT_WRITTEN_HERE = /(?:^|\/)(?:fixtures|recordings|golden)\//;
const LONGEST = 600;
const LONG = 400;

/** Files of the repository as git would commit them now. @param {string} root @returns {string[]} */
export function committedFiles(root) {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return [...new Set(listed.split("\0"))].filter(
    (path) => path !== "" && existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
  );
}

/**
 * Files that hold more than one story. `exceptions` are lines `path: why` of tooling/size-exceptions.txt.
 * @param {string} root @param {readonly string[]} files @param {string} exceptions
 * @returns {{ violations: Violation[], warnings: Violation[] }}
 */
export function fileSizes(root, files, exceptions) {
  const excused = new Map(
    exceptions
      .split("\n")
      .filter((line) => line.trim() !== "" && !line.startsWith("#"))
      .map((line) => splitOnce(line)),
  );
  const sizes = files
    .filter((path) => CODE.test(path) && !NOT_WRITTEN_HERE.test(path))
    .map((path) => ({ path, lines: lineCount(join(root, path)) }));
  const tooLong = sizes.filter((file) => file.lines > LONGEST);
  const violations = [
    ...tooLong
      .filter((file) => !excused.get(file.path))
      .map((file) => ({
        rule: "size",
        where: file.path,
        message: `has ${file.lines} lines, more than ${LONGEST}: split it, or say why not in tooling/size-exceptions.txt.`,
      })),
    ...[...excused.keys()]
      .filter((path) => !tooLong.some((file) => file.path === path))
      .map((path) => ({ rule: "size", where: "tooling/size-exceptions.txt", message: `excuses ${path}, which needs no excuse any more.` })),
  ];
  const warnings = sizes
    .filter((file) => file.lines > LONG && file.lines <= LONGEST)
    .map((file) => ({ rule: "size", where: file.path, message: `has ${file.lines} lines; past ${LONG}, look for the second story.` }));
  return { violations, warnings };
}

/** Nothing that is committed knows the machine it was written on or where packages come from. @param {string} root @param {readonly string[]} files @returns {Violation[]} */
export function machineTraces(root, files) {
  const traces = [
    ...[root, homedir()]
      .filter((path) => path.length > 1)
      .map((path) => ({ pattern: new RegExp(`${quoted(path)}(?![\\w-])`), what: "a path of this machine" })),
    // Written with a character class each, so that this file is not its own first finding.
    { pattern: /(?<![\w.~-])[/](?:work|root|farm)\//, what: "a path of some machine" },
    { pattern: /[.]library\b|\.\.\/share[d]\b/, what: "a folder that a clone does not have" },
    {
      pattern: /[/][/]registry\.[a-z]|npmjs[.]org|yarnpkg[.]com|npmmirror[.]com|npm[.]pkg\.github/,
      what: "the host of a package registry",
    },
    { pattern: /^\s*(?:@[\w-]+:)?registry\s*[=]/, what: "the choice of a package registry" },
    { pattern: /https?:[/][/][^\s"')]+\/-\/[^\s"')]+\.tgz/, what: "the address of a package" },
  ];
  return files.flatMap((path) => {
    const text = readText(join(root, path));
    if (text === null) return [];
    return text.split("\n").flatMap((line, index) => {
      const trace = traces.find((one) => one.pattern.test(line));
      return trace === undefined
        ? []
        : [{ rule: "traces", where: `${path}:${index + 1}`, message: `holds ${trace.what}: ${line.trim().slice(0, 80)}` }];
    });
  });
}

/**
 * A link in a document leads to a file, and a document that code or text refers to exists.
 * @param {string} root @param {readonly string[]} files @returns {Violation[]}
 */
export function linksLead(root, files) {
  return files
    .filter((path) => !NOT_WRITTEN_HERE.test(path))
    .flatMap((path) => {
      const lines = (readText(join(root, path)) ?? "").split("\n");
      return lines.flatMap((line, index) => {
        const links = path.endsWith(".md")
          ? [...line.matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)].map((match) => join(dirname(path), match[1] ?? ""))
          : [];
        const mentions = [...line.matchAll(/(?<![\w/.-])docs\/(?:spec|decisions)\/[\w-]+\.md/g)].map((match) => match[0]);
        const lost = [...new Set([...links, ...mentions])].filter((target) => !existsSync(join(root, target)));
        return lost.map((target) => ({
          rule: "links",
          where: `${path}:${index + 1}`,
          message: `refers to ${target}, which does not exist.`,
        }));
      });
    });
}

/** `null` for what is no text. @param {string} path */
function readText(path) {
  const bytes = readFileSync(path);
  return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString("utf8");
}

/** @param {string} path */
const lineCount = (path) => readFileSync(path, "utf8").split("\n").length - 1;
/** @param {string} text */
const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** @param {string} line @returns {[string, string]} */
function splitOnce(line) {
  const at = line.indexOf(":");
  return at === -1 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}
