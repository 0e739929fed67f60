import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FRONT_FILE = fileURLToPath(new URL("../../../../apps/cli/dist/massgen.js", import.meta.url));

/** Path of the built program, or why there is none. */
export function findBuiltCli(): { readonly path: string } | { readonly missing: string } {
  return existsSync(FRONT_FILE)
    ? { path: FRONT_FILE }
    : { missing: "the CLI is not built (apps/cli/dist/massgen.js); run `pnpm build` first" };
}
