import picomatch from "picomatch";

const GENERATED = picomatch(
  [
    ...[
      "__pycache__",
      "*.py[co]",
      ".pytest_cache",
      ".mypy_cache",
      ".ruff_cache",
      ".coverage",
      "*.egg-info",
      ".tox",
      ".nox",
      ".venv",
      "venv",
    ],
    ...["node_modules", ".next", ".nuxt", "dist", "build", ".DS_Store", "Thumbs.db", "*.log", "*.sw[po]", "*~"],
  ],
  { dot: true },
);

/** True for what programs make by themselves, at any depth of a path relative to its root: nobody has to have read that. */
export const isGenerated = (relative: string): boolean => relative.split(/[\\/]/).some((name) => GENERATED(name));
