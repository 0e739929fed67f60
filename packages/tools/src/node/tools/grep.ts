import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import type { Place } from "../files/access.js";
import { openEntry } from "../files/file-bytes.js";
import { inFolder } from "../files/held-folder.js";
import { matchGlob } from "../files/match-glob.js";
import { Refusal, refuse } from "../files/refusal.js";
import { showName, showText } from "../files/show-text.js";
import { decodeText, linesOf } from "../files/text-content.js";
import { naming } from "../files/text-file.js";
import { walk } from "../files/walk.js";
import type { Candidate, Query, SearchEngine } from "../search/query.js";
import { ripgrepTypes, searchWithRipgrep } from "../search/ripgrep.js";
import { searchInWorker } from "../search/search-in-worker.js";
import { under } from "./glob.js";

const MAX_LIMIT = 2_000;
const LINE_CHARS = 500;
/** Files that are open for one run of the search program. */
const BATCH = 100;

const input = z.strictObject({
  pattern: z.string().min(1).max(2_000).describe("Regular expression in the syntax of ripgrep."),
  path: z.string().default(".").describe("File or directory to search."),
  glob: z.string().optional().describe("Only files that match, such as `*.ts` or `src/**/*.{js,ts}`."),
  type: z.string().optional().describe("Only files of a type ripgrep knows, such as `ts`, `py`, `md`."),
  mode: z.enum(["files", "content", "count"]).default("files").describe("Show paths, matching lines, or the number of them per file."),
  context: z.int().min(0).max(20).default(0).describe("With content: lines to show around a match."),
  ignore_case: z.boolean().default(false),
  multiline: z.boolean().default(false).describe("Let the pattern go over line ends."),
  literal: z.boolean().default(false).describe("Search for the pattern as it is."),
  limit: z.int().min(1).default(200).describe(`Files, or matching lines with content, to show; at most ${MAX_LIMIT}.`),
});
type Input = z.infer<typeof input>;

export const grepTool: AnyFileTool = fileTool({
  name: "grep",
  description: "Search the contents of files. Ignored and binary files are left out.",
  input,
  risk: "read",
  effects: ({ path }) => [pathEffect("read", path)],
  run: async (given, job) => {
    const place = await job.access.locate("read", given.path);
    return naming(job, place, async () => {
      const program = await job.ripgrep();
      const wanted = await nameTest(given, program);
      const engine: SearchEngine = program === null ? searchInWorker : (...rest) => searchWithRipgrep(program, ...rest);
      const signal = AbortSignal.any([job.signal, AbortSignal.timeout(job.limits.searchMs)]);
      const limit = Math.min(given.limit, MAX_LIMIT);
      const files = await filesToSearch(job, place, wanted);
      const report = await search(job, files, { given, engine, signal, limit }).catch((error: unknown) => {
        if (job.signal.aborted || !signal.aborted) throw error;
        return refuse(
          "TOO_LARGE",
          `The search took more than ${job.limits.searchMs / 1000} seconds. Search a smaller directory or use glob.`,
        );
      });
      const notes = [
        ...(report.isCut ? [`[more matches left out; limit is ${limit}]`] : []),
        ...(given.limit > MAX_LIMIT ? [`[limit is at most ${MAX_LIMIT}]`] : []),
        ...(files.length > job.limits.walkedFiles ? [`[only the first ${job.limits.walkedFiles} files were searched]`] : []),
        ...(program === null ? ["[searched with JavaScript regular expressions: ripgrep is not installed]"] : []),
      ];
      return [...(report.lines.length === 0 ? ["No match."] : report.lines), ...notes].join("\n");
    });
  },
});

async function nameTest({ glob, type }: Input, program: string | null): Promise<(path: string) => boolean> {
  const byGlob = glob === undefined ? null : matchGlob(glob, { anyDepth: true });
  if (type === undefined) return byGlob ?? (() => true);
  if (program === null) return refuse("INVALID_ARGS", "type needs ripgrep, which is not installed here. Use glob.");
  const patterns = (await ripgrepTypes(program)).get(type);
  if (patterns === undefined) return refuse("INVALID_ARGS", `ripgrep knows no type ${JSON.stringify(type)}. Use glob.`);
  const byType = patterns.map((pattern) => matchGlob(pattern, { anyDepth: true }));
  return (path) => byType.some((matches) => matches(path)) && (byGlob === null || byGlob(path));
}

interface FileToSearch {
  readonly path: string;
  readonly real: string;
}

async function filesToSearch(job: FileJob, place: Place, wanted: (path: string) => boolean): Promise<readonly FileToSearch[]> {
  const found = await lstat(place.real).catch(() => refuse("NOT_FOUND", "It does not exist."));
  if (!found.isDirectory()) return [{ path: place.asked, real: place.real }];
  const files: FileToSearch[] = [];
  await walk(place.real, {
    showHidden: true,
    includeIgnored: false,
    signal: job.signal,
    mayReadRules: (real) => job.access.mayUse("read", real),
    mayUse: async () => true,
    visit: ({ path, real, kind }) => {
      if (kind === "file" && wanted(path)) files.push({ path: under(place.asked, path), real });
      return files.length > job.limits.walkedFiles ? "stop" : undefined;
    },
  });
  return files;
}

interface Search {
  readonly given: Input;
  readonly engine: SearchEngine;
  readonly signal: AbortSignal;
  readonly limit: number;
}

interface Report {
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

/** File after file in order of their paths, some open at a time, until there is enough. */
async function search(job: FileJob, files: readonly FileToSearch[], { given, engine, signal, limit }: Search): Promise<Report> {
  const query: Query = { pattern: given.pattern, isLiteral: given.literal, ignoreCase: given.ignore_case, multiline: given.multiline };
  const lines: string[] = [];
  let count = 0;
  for (let start = 0; start < files.length; start += BATCH) {
    signal.throwIfAborted();
    const candidates = await openAll(job, files.slice(start, start + BATCH));
    try {
      const matches = await engine(query, candidates, signal);
      for (const candidate of candidates) {
        const found = matches.get(candidate);
        if (found === undefined) continue;
        if (count >= limit) return { lines, isCut: true };
        const shown = given.mode === "content" ? found.slice(0, limit - count) : found;
        count += given.mode === "content" ? shown.length : 1;
        lines.push(...(await render(given, candidate, shown)));
        if (shown.length < found.length) return { lines, isCut: true };
      }
    } finally {
      await Promise.all(candidates.map(({ handle }) => handle.close()));
    }
  }
  return { lines, isCut: false };
}

/** What may not be read, is too large, or is gone by now is no candidate. */
async function openAll(job: FileJob, files: readonly FileToSearch[]): Promise<readonly Candidate[]> {
  const opened: Candidate[] = [];
  for (const file of files) {
    if (!(await job.access.mayUse("read", file.real))) continue;
    const entry = await inFolder(dirname(file.real), (folder) => openEntry(folder, basename(file.real))).catch((error: unknown) => {
      if (error instanceof Refusal || (error instanceof Error && "code" in error && error.code === "EACCES")) return null;
      throw error;
    });
    if (entry === null) continue;
    if (entry.state.size > job.limits.searchedFileBytes) await entry.handle.close();
    else opened.push({ ...file, handle: entry.handle });
  }
  return opened;
}

async function render({ mode, context }: Input, candidate: Candidate, found: readonly number[]): Promise<readonly string[]> {
  const path = showName(candidate.path);
  if (mode === "files") return [path];
  if (mode === "count") return [`${path}: ${found.length}`];
  const { size } = await candidate.handle.stat();
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await candidate.handle.read(bytes, 0, size, 0);
  const lines = linesOf(decodeText(bytes.subarray(0, bytesRead))?.text ?? "");
  const matched = new Set(found);
  const shown = new Set(found.flatMap((number) => Array.from({ length: 2 * context + 1 }, (_, index) => number - context + index)));
  const rendered: string[] = [];
  let previous = 0;
  for (const number of [...shown].sort((a, b) => a - b)) {
    const line = lines[number - 1];
    if (line === undefined) continue;
    if (context > 0 && rendered.length > 0 && number > previous + 1) rendered.push("--");
    const mark = matched.has(number) ? ":" : "-";
    rendered.push(
      `${path}${mark}${number}${mark}${showText(line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}… [line cut]` : line)}`,
    );
    previous = number;
  }
  return rendered;
}
