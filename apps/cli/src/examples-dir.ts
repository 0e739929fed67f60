import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the shipped examples lie: beside the bundles; run from source, at the top of the repository. */
export function examplesDir(env: Readonly<Record<string, string | undefined>>): string {
  const own = env["MASSGEN_EXAMPLES_DIR"];
  if (own !== undefined && own !== "") return own;
  const places = ["./configs", "../configs", "../../../configs"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? places[0] ?? "configs";
}
