import { homedir } from "node:os";
import type { Environment } from "@massgen/config";
import { type LoadedEnv, loadEnv as readEnv } from "@massgen/config/node";

/**
 * The environment of the process on top of the `.env` files of project and user, for `options.env`. Changes nothing in the
 * process.
 */
export function loadEnv(
  options: { readonly cwd?: string; readonly home?: string; readonly processEnv?: Environment; readonly defaultsFile?: string } = {},
): Promise<LoadedEnv> {
  const { cwd = process.cwd(), home = homedir(), processEnv = process.env, defaultsFile } = options;
  return readEnv({ cwd, home, processEnv, ...(defaultsFile === undefined ? {} : { defaultsFile }) });
}
