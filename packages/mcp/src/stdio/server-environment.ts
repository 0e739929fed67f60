import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isNeverPassed } from "@massgen/exec";

const FROM_HOST: readonly string[] = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];

/** The environment of a server: a few variables of the host and those the config names. No key gets there by itself. */
export function serverEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const name of FROM_HOST) {
    const value = host[name];
    // Shells export functions as variables that begin like this.
    if (value !== undefined && !value.startsWith("()")) env[name] = value;
  }
  for (const [name, value] of Object.entries(configured)) if (!isNeverPassed(name)) env[name] = value;
  return env;
}

/** Where a program is; `null` when there is none. A name without a slash is looked up in the path of the server itself. */
export function findProgram(program: string, { cwd, path }: { readonly cwd: string; readonly path: string }): string | null {
  const places = program.includes("/")
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : path.split(delimiter).flatMap((folder) => (folder === "" ? [] : [join(folder, program)]));
  return places.find(isProgram) ?? null;
}

/** By where the links lead. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(real(folder), real(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
