import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { MassgenConfig } from "@massgen/config";

export interface RunPlace {
  /** Folder of the run. */
  readonly cwd: string;
  readonly home: string;
}

/** Absolute folders that agents may write at some time of a run: no code in them is run as the user's own. */
export function writableRoots(config: MassgenConfig, { cwd, home }: RunPlace): readonly string[] {
  const absolute = (path: string): string => (path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(cwd, path));
  return [
    join(cwd, ".massgen"),
    ...config.agents.flatMap(({ hands }) => (hands !== null && /^[/~]/.test(hands.cwd) ? [absolute(hands.cwd)] : [])),
    ...config.orchestrator.contextPaths.filter(({ permission }) => permission === "write").map(({ path }) => absolute(path)),
  ];
}

/** Whether agents may change a file at some time of a run: it lies in one of their roots, and nothing protects it. */
export function agentsMayWrite(path: string, config: MassgenConfig, roots: readonly string[], { cwd, home }: RunPlace): boolean {
  const absolute = (written: string): string => (written.startsWith("~/") ? join(home, written.slice(1)) : resolve(cwd, written));
  const isGuarded = config.orchestrator.contextPaths.some(({ path: context, protectedPaths }) =>
    protectedPaths.some((entry) => isInside(path, real(resolve(absolute(context), entry)))),
  );
  return !isGuarded && roots.some((root) => isInside(path, real(root)));
}

/** Roots are compared where their links lead. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
