import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the built page lies: beside the bundles; run from source, in the folder of its package. */
export function webDir(): string {
  const places = ["./web", "../web", "../../web/page"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? places[0] ?? "web";
}
