import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { loadEnv } from "@massgen/sdk/team";
import type { Io } from "./io.js";

export const homeOf = ({ env }: Pick<Io, "env">): string => env["HOME"] || homedir();

/** The environment of a run: `.env` files, the package's own lowest, below the environment of the process (docs/spec/cli.md 7). */
export const readEnv = ({ cwd, env }: Pick<Io, "cwd" | "env">): ReturnType<typeof loadEnv> =>
  loadEnv({ cwd, home: homeOf({ env }), processEnv: env, ...packageDefaults() });

/** `.env` beside the program's package.json: what whoever installed it for others wants to be so. */
function packageDefaults(): { readonly defaultsFile?: string } {
  const folder = ["../", "../../"].find((path) => existsSync(new URL(`${path}package.json`, import.meta.url)));
  return folder === undefined ? {} : { defaultsFile: fileURLToPath(new URL(`${folder}.env`, import.meta.url)) };
}
