import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { quoteText } from "../describe.js";
import type { ConfigIssue } from "../issue.js";
import type { LoadedConfig } from "../parse-config.js";
import { maskKeys } from "../secrets.js";

/**
 * Context paths that are not on this machine, a warning each (`CFG100`): a run from `cwd` would not start. What a config says
 * by itself was checked when it was read.
 */
export async function missingPaths(
  { config, positions, source }: Pick<LoadedConfig, "config" | "positions" | "source">,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Promise<readonly ConfigIssue[]> {
  const paths = config?.orchestrator.contextPaths ?? [];
  const found = await Promise.all(
    paths.map(async ({ path, permission }): Promise<ConfigIssue | null> => {
      const full = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(cwd, path);
      // What is to be written may come to be, in a folder that is there.
      if ((await isThere(full)) || (permission === "write" && (await isThere(dirname(full))))) return null;
      return {
        code: "CFG100",
        severity: "warning",
        path: "orchestrator.context_paths",
        message: maskKeys(`there is no ${quoteText(path)} here; a run from this folder would not start`),
        hint: "Make it, or start where it is: relative paths begin in the current folder.",
        file: source?.file ?? null,
        span: positions.key("orchestrator.context_paths"),
        feature: null,
      };
    }),
  );
  return found.filter((issue) => issue !== null);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
