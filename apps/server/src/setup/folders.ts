import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { FolderListing } from "@massgen/client";
import { ApiError, badRequest } from "../errors.js";
import type { ServerOptions } from "../options.js";

/** A page that lists more is no help to anybody. */
const MOST_ENTRIES = 1_000;

/**
 * One folder of this machine, so that a person can choose what agents may see. A link to a folder is one.
 *
 * @throws ApiError 404 for what is not there, 400 for a file, 403 for what the server may not read
 */
export async function listFolder(asked: string, { cwd, home }: Pick<ServerOptions, "cwd" | "home">): Promise<FolderListing> {
  const path = asked === "~" || asked.startsWith("~/") ? join(home, asked.slice(1)) : resolve(cwd, asked);
  const found = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw whyNot(error, asked);
  });
  const all = found.toSorted((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || (a.name < b.name ? -1 : 1));
  const entries = await Promise.all(
    all.slice(0, MOST_ENTRIES).map(async (entry) => {
      const place = join(path, entry.name);
      return { name: entry.name, path: place, isFolder: entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(place))) };
    }),
  );
  const parent = dirname(path);
  return {
    path,
    parent: parent === path ? null : parent,
    entries: entries.toSorted((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || Number(b.isFolder) - Number(a.isFolder)),
    truncated: all.length > MOST_ENTRIES,
  };
}

const isHidden = ({ name }: { readonly name: string }): boolean => name.startsWith(".");

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function whyNot(error: unknown, asked: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const name = JSON.stringify(asked);
  if (code === "ENOENT") return new ApiError(404, `There is no folder ${name}.`, { param: "path", code: "not_found" });
  if (code === "ENOTDIR") return badRequest(`${name} is a file.`, "path", "not_a_folder");
  if (code === "EACCES" || code === "EPERM")
    return new ApiError(403, `The server may not read ${name}.`, { param: "path", code: "not_readable" });
  return error;
}
