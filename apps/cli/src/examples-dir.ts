import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the shipped examples lie: in the package, beside the bundles; in the repository, at its top. */
export function examplesDir(env: Readonly<Record<string, string | undefined>>): string {
  const own = env["MASSGEN_EXAMPLES_DIR"];
  if (own !== undefined && own !== "") return own;
  const places = ["./configs", "../configs", "../../../configs", "../../../../configs"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? places[0] ?? "configs";
}
