import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import type { ArtefactList } from "@massgen/client";
import type { RunQueue } from "@massgen/store-postgres";
import { ApiError } from "../errors.js";

/** Files that a list shows; more than a run leaves, less than a workspace can hold. */
const MAX_LISTED = 2_000;

/** The files of a run. */
export interface Artefacts {
  list(): Promise<ArtefactList>;
  /** @throws ApiError 403 for a path that leads out of the folder, 404 for what is no file */
  open(path: string): Promise<{ readonly bytes: number; readonly body: Readable | Buffer }>;
}

/** Those in a folder; `null` without one. */
export const folderArtefacts = (folder: string | null): Artefacts | null =>
  folder === null
    ? null
    : {
        list: () => listArtefacts(folder),
        async open(path) {
          const { file, bytes } = await openArtefact(folder, path);
          return { bytes, body: file.createReadStream({ end: Math.max(0, bytes - 1) }) };
        },
      };

/** Those that a worker kept. */
export const storedArtefacts = (id: string, files: RunQueue["files"]): Artefacts => ({
  async list() {
    const found = await files.list(id, MAX_LISTED + 1);
    return { artefacts: found.slice(0, MAX_LISTED).map(({ path, bytes }) => ({ path, bytes })), truncated: found.length > MAX_LISTED };
  },
  async open(path) {
    partsOf(path);
    const body = await files.read(id, path);
    if (body === null) throw missing();
    return { bytes: body.length, body };
  },
});

/** Every file in the folder of a run, oldest path first. Links are neither listed nor followed. */
export async function listArtefacts(folder: string): Promise<ArtefactList> {
  const artefacts: { path: string; bytes: number }[] = [];
  const waiting = [folder];
  while (waiting.length > 0 && artefacts.length <= MAX_LISTED) {
    const at = waiting.pop() ?? folder;
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) {
        // A run that is at work renames its drafts: what was there a moment ago may be gone.
        const found = await stat(path).catch(() => null);
        if (found !== null) artefacts.push({ path: relative(folder, path).split(sep).join("/"), bytes: found.size });
      }
    }
  }
  const sorted = artefacts.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { artefacts: sorted.slice(0, MAX_LISTED), truncated: sorted.length > MAX_LISTED };
}

/**
 * Opens one of them for reading; close it.
 *
 * @throws ApiError 403 for a path that leads out of the folder, by itself or through a link, 404 for what is no file
 */
async function openArtefact(folder: string, path: string): Promise<{ readonly file: FileHandle; readonly bytes: number }> {
  const parts = partsOf(path);
  const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, ...parts)).catch(() => null)]);
  if (real === null) throw missing();
  // The real path must be the one that was asked for: any link on the way makes another.
  if (real !== join(root, ...parts)) throw outside();
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => {
    throw missing();
  });
  const found = await file.stat();
  if (found.isFile()) return { file, bytes: found.size };
  await file.close();
  throw missing();
}

/** @throws ApiError 403 */
function partsOf(path: string): readonly string[] {
  const parts = path.split("/");
  if (path === "" || path.includes("\0") || path.includes("\\") || parts.some((part) => part === "" || part === "." || part === ".."))
    throw outside();
  return parts;
}

const outside = (): ApiError => new ApiError(403, "The path leads out of the folder of the run.", { param: "path", code: "path_outside" });
const missing = (): ApiError => new ApiError(404, "There is no such file.", { param: "path", code: "file_not_found" });
