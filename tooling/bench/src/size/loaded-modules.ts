import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Command, runNode } from "../harness/run-process.js";

export interface LoadedModules {
  /** Paths of our own files, in order. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Specifiers of node's own modules. */
  readonly builtins: readonly string[];
}

/** The modules a command loads, as node's own loader reports them. */
export async function findLoadedModules(command: Command): Promise<LoadedModules> {
  const folder = mkdtempSync(join(tmpdir(), "massgen-bench-"));
  try {
    const report = join(folder, "loaded.txt");
    const hooks = join(folder, "hooks.mjs");
    const register = join(folder, "register.mjs");
    writeFileSync(hooks, HOOKS);
    writeFileSync(register, `import { register } from "node:module";\nregister(${JSON.stringify(pathToFileURL(hooks).href)});\n`);
    writeFileSync(report, "");
    await runNode({
      ...command,
      args: ["--import", pathToFileURL(register).href, ...command.args],
      env: { ...command.env, MASSGEN_BENCH_LOADED: report },
    });
    const urls = [...new Set(readFileSync(report, "utf8").split("\n"))].filter((url) => url !== "");
    const files = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
    return {
      files,
      bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
      builtins: urls.filter((url) => url.startsWith("node:")),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HOOKS = `import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  appendFileSync(process.env.MASSGEN_BENCH_LOADED, url + "\\n");
  return next(url, context);
}
`;
