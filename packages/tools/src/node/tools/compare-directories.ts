import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import type { Place } from "../files/access.js";
import { hashOf, readBytes, withFile } from "../files/file-bytes.js";
import { matchGlob } from "../files/match-glob.js";
import { Refusal } from "../files/refusal.js";
import { showName } from "../files/show-text.js";
import { decodeText } from "../files/text-content.js";
import { unifiedDiff } from "../files/unified-diff.js";
import { type Found, filesBelow } from "./copy-path.js";

const SHOWN_ENTRIES = 200;
const FILE_DIFF_LINES = 100;
const ALL_DIFF_LINES = 1_000;

export const compareDirectoriesTool: AnyFileTool = fileTool({
  name: "compare_directories",
  description: "Compare two directories with all in them: what only one has, what differs, how much is the same.",
  input: z.strictObject({
    dir1: z.string().describe("The first directory."),
    dir2: z.string().describe("The second directory."),
    content_diff: z.boolean().default(false).describe("Also show how text files differ."),
    exclude: z.array(z.string()).default([]).describe("Patterns of paths to leave out."),
  }),
  risk: "read",
  effects: ({ dir1, dir2 }) => [pathEffect("read", dir1), pathEffect("read", dir2)],
  run: async ({ dir1, dir2, content_diff, exclude }, job) => {
    const left = await job.access.locate("read", dir1);
    const right = await job.access.locate("read", dir2);
    const unwanted = exclude.map((pattern) => matchGlob(pattern));
    const wanted = (path: string): boolean => !unwanted.some((matches) => matches(path));
    const [before, after] = [await readable(job, left, wanted), await readable(job, right, wanted)];
    const both = [...before.keys()].filter((path) => after.has(path));
    const differing: string[] = [];
    for (const path of both) if (await differs(job, before.get(path)!, after.get(path)!)) differing.push(path);
    return [
      ...section(
        `Only in ${showName(dir1)}`,
        [...before.keys()].filter((path) => !after.has(path)),
      ),
      ...section(
        `Only in ${showName(dir2)}`,
        [...after.keys()].filter((path) => !before.has(path)),
      ),
      ...section("Differing", differing),
      `Same: ${both.length - differing.length} files`,
      ...(content_diff ? await diffs(job, differing, before, after) : []),
    ].join("\n");
  },
});

type Tree = ReadonlyMap<string, Found>;

async function readable(job: FileJob, place: Place, wanted: (path: string) => boolean): Promise<Tree> {
  const files = await filesBelow(job, place, { wanted, includeIgnored: false });
  const tree = new Map<string, Found>();
  for (const file of files) if (file.kind === "file" && (await job.access.mayUse("read", file.real))) tree.set(file.path, file);
  return tree;
}

async function differs(job: FileJob, one: Found, other: Found): Promise<boolean> {
  job.signal.throwIfAborted();
  try {
    return (await sizeAndHash(one.real)) !== (await sizeAndHash(other.real));
  } catch (error) {
    // Gone, or a link by now: not the same file any more.
    if (error instanceof Refusal) return true;
    throw error;
  }
}

const sizeAndHash = (real: string): Promise<string> => withFile(real, async (handle, { size }) => `${size} ${await hashOf(handle)}`);

function section(title: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN_ENTRIES ? [`  +${paths.length - SHOWN_ENTRIES} more`] : [];
  return [`${title}: ${paths.length}`, ...paths.slice(0, SHOWN_ENTRIES).map((path) => `  ${showName(path)}`), ...more];
}

async function diffs(job: FileJob, paths: readonly string[], before: Tree, after: Tree): Promise<readonly string[]> {
  const blocks: string[] = [];
  let left = ALL_DIFF_LINES;
  for (const path of paths) {
    if (left <= 0) return [...blocks, "[… more differences left out …]"];
    const [a, b] = [await textOf(job, before.get(path)!), await textOf(job, after.get(path)!)];
    if (a === null || b === null) continue;
    const name = showName(path);
    const { text } = unifiedDiff(a, b, { from: `a/${name}`, to: `b/${name}`, maxLines: Math.min(FILE_DIFF_LINES, left) });
    left -= text.split("\n").length;
    blocks.push(text);
  }
  return blocks;
}

async function textOf(job: FileJob, file: Found): Promise<string | null> {
  try {
    const { bytes } = await readBytes(file.real, job.limits.comparedFileBytes);
    return decodeText(bytes)?.text ?? null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
