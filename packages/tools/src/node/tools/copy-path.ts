import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import { isInside, type Place } from "../files/access.js";
import { copyFile, copyLink } from "../files/copy-file.js";
import { holdFolder, inFolder } from "../files/held-folder.js";
import { Refusal, refuse } from "../files/refusal.js";
import { showName } from "../files/show-text.js";
import { naming } from "../files/text-file.js";
import { walk } from "../files/walk.js";
import { under } from "./glob.js";

export const copyPathTool: AnyFileTool = fileTool({
  name: "copy_path",
  description: "Copy a file, or a directory with all in it. A directory is merged into one that exists; nothing in it is removed.",
  input: z.strictObject({
    source: z.string().describe("File or directory to copy."),
    destination: z.string().describe("Path of the copy."),
    overwrite: z.boolean().default(false).describe("Replace files that exist."),
  }),
  risk: "write",
  effects: ({ source, destination }) => [pathEffect("copy_from", source), pathEffect("copy_to", destination)],
  run: async ({ source, destination, overwrite }, job) => {
    const from = await job.access.locate("copy_from", source);
    const to = await job.access.locate("copy_to", destination);
    const found = await naming(job, from, () => lstat(from.real).catch(() => refuse("NOT_FOUND", "It does not exist.")));
    if (!found.isDirectory()) {
      const bytes = await naming(job, (await isMissing(from.real)) ? from : to, () => copyFile(job, from.real, to, { overwrite }));
      return `Copied ${showName(source)} to ${showName(destination)}: 1 file, ${bytes} bytes.`;
    }
    if (isInside(from.real, to.real)) refuse("INVALID_ARGS", "A directory cannot be copied into itself.");
    const files = await filesBelow(job, from, { wanted: () => true, includeIgnored: true });
    await (await holdFolder(to.real, { create: true })).close();
    const { copied, bytes, left } = await copyAll(job, files, destination, { overwrite });
    return [`Copied ${showName(source)} to ${showName(destination)}: ${copied} files, ${bytes} bytes.`, ...leftOut(left)].join("\n");
  },
});

const isMissing = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    () => true,
  );

export interface Found {
  readonly path: string;
  readonly real: string;
  readonly kind: "file" | "link";
}

/** What a copy of a folder would consist of. Refuses when it is too much. */
export async function filesBelow(
  job: FileJob,
  place: Place,
  options: { readonly wanted: (path: string) => boolean; readonly includeIgnored: boolean },
): Promise<readonly Found[]> {
  const files: Found[] = [];
  let bytes = 0;
  await naming(job, place, () =>
    walk(place.real, {
      showHidden: true,
      includeIgnored: options.includeIgnored,
      signal: job.signal,
      mayReadRules: (real) => job.access.mayUse("read", real),
      mayUse: async () => true,
      visit: async ({ path, real, kind }, folder) => {
        if ((kind !== "file" && kind !== "link") || !options.wanted(path)) return undefined;
        files.push({ path, real, kind });
        if (files.length > job.limits.walkedFiles)
          refuse("TOO_LARGE", `It has more than ${job.limits.walkedFiles} files. Copy parts of it.`);
        bytes += (await lstat(folder.at(basename(path))).catch(() => null))?.size ?? 0;
        if (bytes > job.limits.copiedBytes) refuse("TOO_LARGE", `It has more than ${job.limits.copiedBytes} bytes. Copy parts of it.`);
        return undefined;
      },
    }),
  );
  return files;
}

export interface CopyReport {
  readonly copied: number;
  readonly bytes: number;
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** Copies what it may; what it may not is in the report with the reason. */
export async function copyAll(
  job: FileJob,
  files: readonly Found[],
  destination: string,
  options: { readonly overwrite: boolean },
): Promise<CopyReport> {
  const left: { readonly path: string; readonly why: string }[] = [];
  let [copied, bytes] = [0, 0];
  for (const file of files) {
    job.signal.throwIfAborted();
    try {
      bytes += await copyOne(job, file, destination, options);
      copied++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      left.push({ path: file.path, why: `${error.code}: ${error.message}` });
    }
  }
  return { copied, bytes, left };
}

async function copyOne(
  job: FileJob,
  { path, real, kind }: Found,
  destination: string,
  options: { readonly overwrite: boolean },
): Promise<number> {
  await job.access.demand("copy_from", real);
  const target = await job.access.locate("copy_to", under(destination, path));
  if (kind === "file") return copyFile(job, real, target, options);
  if (!(await isMissing(target.real))) refuse("EXISTS", "The destination exists.");
  const isMade = await inFolder(dirname(real), (folder) => copyLink(folder, path, target));
  return isMade ? 0 : refuse("SYMLINK_ESCAPE", "It is a link that leads out of what is copied.");
}

const SHOWN = 50;

export function leftOut(left: CopyReport["left"]): readonly string[] {
  const lines = left.slice(0, SHOWN).map(({ path, why }) => `  ${showName(path)} (${why})`);
  const more = left.length > SHOWN ? [`  +${left.length - SHOWN} more`] : [];
  return left.length === 0 ? [] : [`Not copied: ${left.length}`, ...lines, ...more];
}
