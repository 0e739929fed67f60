import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { loadEnv } from "@massgen/sdk/team";
import type { Io } from "./io.js";

export const homeOf = ({ env }: Pick<Io, "env">): string => env["HOME"] || homedir();

/** The environment of a run: `.env` files, the package's own lowest, below the environment of the process (docs/spec/cli.md 7). */
export async function readEnv({ cwd, env }: Pick<Io, "cwd" | "env">): ReturnType<typeof loadEnv> {
  const found = await loadEnv({ cwd, home: homeOf({ env }), processEnv: env, ...packageDefaults() });
  return found.env["MASSGEN_HOME"] ? { ...found, warnings: [...found.warnings, HOME_STAYS] } : found;
}

/** Whoever sets it expects his record elsewhere, and must not look for it there. */
const HOME_STAYS = {
  file: "MASSGEN_HOME",
  line: null,
  message: "this variable has no effect: .massgen is made in the current folder. MASSGEN_LOG_BASE_DIR moves the logs.",
};

/** `.env` beside the program's package.json: what whoever installed it for others wants to be so. */
function packageDefaults(): { readonly defaultsFile?: string } {
  const folder = ["../", "../../"].find((path) => existsSync(new URL(`${path}package.json`, import.meta.url)));
  return folder === undefined ? {} : { defaultsFile: fileURLToPath(new URL(`${folder}.env`, import.meta.url)) };
}
