import { readFileSync } from "node:fs";

/** Version of this package, for the record of a run; `unknown` where a bundler has taken its manifest away. */
export function ownVersion(): string {
  try {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string };
    return version;
  } catch {
    return "unknown";
  }
}
