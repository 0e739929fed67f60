import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Environment } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";

/**
 * The log folder a name stands for: a path, or `latest` for the newest one of this folder.
 *
 * @throws MassgenError `CONFIG_NOT_FOUND`, exit code 1
 */
export async function findLog(name: string, { cwd, env }: { readonly cwd: string; readonly env: Environment }): Promise<string> {
  if (name !== "latest") {
    const folder = resolve(cwd, name);
    if (await isFolder(folder)) return folder;
    throw notFound(`There is no log folder ${folder}.`, "Give the folder that the run printed as LOG_DIR, or: latest");
  }
  const base = resolve(cwd, env["MASSGEN_LOG_BASE_DIR"] || join(".massgen", "massgen_logs"));
  const names = await readdir(base).catch(() => []);
  // The time of the start is in the name, so that the newest one comes last.
  const newest = names
    .filter((entry) => entry.startsWith("log_"))
    .toSorted()
    .at(-1);
  if (newest === undefined) throw notFound(`There is no log in ${base}.`, "Name the folder of a log.");
  return join(base, newest);
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const notFound = (message: string, hint: string): MassgenError => new MassgenError("CONFIG_NOT_FOUND", message, { exitCode: 1, hint });
