import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { install } from "./install.mjs";
import { withProgress } from "./progress.mjs";
import { pnpm, root, run } from "./run.mjs";

await install();
const built = await withProgress("building massgen", () =>
  run(pnpm("exec", "turbo", "run", "build", "--filter=massgen...", "--output-logs=errors-only")),
);
const program = `${root}/apps/cli/dist/massgen.cjs`;
if (!built.ok || !existsSync(program)) {
  console.error(built.output);
  console.error("massgen could not be built. If this is a fresh clone, that is our fault: please open an issue with the lines above.");
  process.exit(1);
}

// The program takes over this process, so signals, exit code and terminal are its own.
process.argv = [process.execPath, program, "demo", ...process.argv.slice(2)];
await import(pathToFileURL(program).href);
