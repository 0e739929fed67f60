import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describeTeam, type Environment, hasErrors, parseConfig, type TeamDraft, writeTeam } from "@massgen/config";
import { writeWhole } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import { issueTexts } from "../commands/config-issues.js";
import type { Io } from "../io.js";

export const PROJECT_CONFIG: string = join(".massgen", "config.yaml");

/** A path as a person writes one: `~` is the home, relative means from here. */
export function absolutePath(path: string, { cwd, env }: Pick<Io, "cwd" | "env">): string {
  const home = env["HOME"] || homedir();
  return resolve(cwd, path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path);
}

/** The file of a team, checked as a run would check it. `path`: absolute, where it will be. `by`: the command that writes it. */
export function teamText(
  team: TeamDraft,
  { path, by, env }: { readonly path: string; readonly by: string; readonly env: Environment },
): string {
  const notes = [`Written by ${by}. Every key: massgen --show-schema. Change it as you like; massgen --validate tells what is wrong.`];
  const text = writeTeam(team, { title: describeTeam(team), schema: schemaFor(path), notes });
  const { issues } = parseConfig(text, { file: path, env });
  if (!hasErrors(issues)) return text;
  throw new MassgenError("CONFIG_INVALID", issueTexts(issues, "error").join("\n"), { exitCode: 1, hint: "Nothing was written." });
}

/**
 * Writes it. `false`: there is such a file already, and it was to be kept.
 *
 * @throws MassgenError `CONFIG_INVALID` when the place cannot be written
 */
export async function saveTeam(path: string, text: string, existing: "keep" | "backup"): Promise<boolean> {
  try {
    return await writeWhole(path, text, { existing });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new MassgenError("CONFIG_INVALID", `${path} cannot be written (${code}).`, {
      exitCode: 1,
      hint: "Name another file: massgen --generate-config <path>, or --quickstart --config <path>.",
      cause: error,
    });
  }
}

/** A path as it is shown and typed: from here where that is shorter. */
export function shownPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") || near === "" ? path : near;
}

/** The schema that came with this program: by a relative path when both lie in one project, so that the file can move with it. */
function schemaFor(path: string): string | null {
  const places = ["./config.schema.json", "../config.schema.json", "../../dist/config.schema.json"];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (found === undefined) return null;
  const [project, inModules] = found.split(`${sep}node_modules${sep}massgen${sep}`);
  // The line ends at the first blank.
  if (/\s/.test(found)) return pathToFileURL(found).href;
  if (project === undefined || inModules === undefined || !path.startsWith(project + sep)) return found;
  return join(relative(dirname(path), project) || ".", "node_modules", "massgen", inModules)
    .split(sep)
    .join("/");
}
