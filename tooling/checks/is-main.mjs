import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** True for the file that `node` was started with: a check can be run, and be imported by its tests. @param {string} url the caller's `import.meta.url` */
export function isMain(url) {
  const started = process.argv[1];
  return started !== undefined && url === pathToFileURL(realpathSync(started)).href;
}
