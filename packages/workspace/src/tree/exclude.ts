import picomatch from "picomatch";

/** Whether a path, relative with `/`, stays out of a copy. A folder that stays out is not entered. */
export type Excludes = (path: string) => boolean;

/** What can be made again from the rest, or belongs to the program: never copied unless `include` asks for it. */
export const defaultExcludes: readonly string[] = [
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".next",
  ".nuxt",
  ".tool_results",
  ".agent/skills",
];

/**
 * Globs as one writes them in a `.gitignore`: a name without `/` counts at any depth, a path only from the top. `include`
 * wins over `exclude`.
 */
export function buildExcludes(exclude: readonly string[], include: readonly string[] = []): Excludes {
  const isOut = matcherOf(exclude);
  const isIn = matcherOf(include);
  return (path) => isOut(path) && !isIn(path);
}

function matcherOf(globs: readonly string[]): Excludes {
  const names = new Set(globs.filter((glob) => !/[/*?[\]{}!()]/.test(glob)));
  const patterns = globs.filter((glob) => !names.has(glob)).map((glob) => (glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`));
  const matches = patterns.length === 0 ? () => false : picomatch(patterns, { dot: true });
  return (path) => names.has(path.slice(path.lastIndexOf("/") + 1)) || matches(path);
}
