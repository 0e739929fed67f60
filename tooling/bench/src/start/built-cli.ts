import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../../apps/cli/", import.meta.url));

/** Path of the built program, as its package names it, or why there is none. */
export function findBuiltCli(): { readonly path: string } | { readonly missing: string } {
  const { bin } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8")) as { readonly bin: { readonly massgen: string } };
  const path = join(FOLDER, bin.massgen);
  return existsSync(path)
    ? { path }
    : { missing: `the program is not built (apps/cli/${bin.massgen.replace(/^\.\//, "")}); run \`pnpm build\` first` };
}
