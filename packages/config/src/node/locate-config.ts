import { readdir, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ConfigIssue } from "../issue.js";
import { didYouMean } from "../nearest.js";
import { createReporter } from "../reporter.js";
import { findExample } from "./find-example.js";
import { configExtensions, neighbours } from "./load-config.js";

export interface LocateOptions {
  readonly cwd: string;
  readonly home: string;
  /** The shipped examples, for `@examples/…`. */
  readonly examplesDir?: string;
}

export type LocatedConfig =
  /** `path` is absolute; `file` is how to call it in messages. */
  | {
      readonly found: true;
      readonly path: string;
      readonly file: string;
      readonly origin: "path" | "example" | "user" | "project" | "home";
    }
  /** `issue` is `null` when no name was given and there is no config anywhere: a first run, not a mistake. */
  | { readonly found: false; readonly issue: ConfigIssue | null };

/** Finds the config a name stands for, or without a name the one of this project or user (docs/spec/config.md 32). */
export async function locateConfig(name: string | null, { cwd, home, examplesDir }: LocateOptions): Promise<LocatedConfig> {
  if (name === null) return discover(cwd, home);
  if (name.startsWith("@examples/")) return locateExample(name, examplesDir);
  const expanded = name === "~" || name.startsWith("~/") ? join(home, name.slice(1)) : name;
  const path = resolve(cwd, expanded);
  if (await exists(path)) return { found: true, path, file: name, origin: "path" };
  if (!isAbsolute(expanded)) {
    for (const file of [name, `${name}.yaml`]) {
      const own = join(home, ".config", "massgen", "agents", file);
      if (await exists(own)) return { found: true, path: own, file: tilde(own, home), origin: "user" };
    }
  }
  return missing(`config file not found: ${name}`, didYouMean(await neighbours(path)));
}

async function discover(cwd: string, home: string): Promise<LocatedConfig> {
  const project = join(cwd, ".massgen", "config.yaml");
  if (await exists(project)) return { found: true, path: project, file: join(".massgen", "config.yaml"), origin: "project" };
  const own = join(home, ".config", "massgen", "config.yaml");
  if (await exists(own)) return { found: true, path: own, file: tilde(own, home), origin: "home" };
  return { found: false, issue: null };
}

async function locateExample(name: string, examplesDir: string | undefined): Promise<LocatedConfig> {
  const wanted = name.slice("@examples/".length);
  const paths = examplesDir === undefined ? [] : await examplePaths(examplesDir);
  const example = findExample(wanted, paths);
  if (example.is === "found" && examplesDir !== undefined)
    return { found: true, path: join(examplesDir, ...example.path.split("/")), file: `@examples/${example.path}`, origin: "example" };
  if (example.is === "ambiguous")
    return missing(`several examples fit ${name}`, `Name one of: ${example.candidates.map((path) => `@examples/${path}`).join(", ")}`);
  const near = example.is === "unknown" ? didYouMean(example.candidates.map((candidate) => `@examples/${candidate}`)) : "";
  return missing(`there is no example ${name}`, near);
}

/** Paths of all examples relative to the folder, with forward slashes, sorted; empty when there is no such folder. */
export async function examplePaths(examplesDir: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(examplesDir, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && configExtensions.some((extension) => entry.name.endsWith(extension)))
      .map((entry) => relative(examplesDir, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort();
  } catch {
    // Without the folder there are no examples; the message to the user is the same.
    return [];
  }
}

function missing(message: string, hint: string): LocatedConfig {
  const reporter = createReporter(null, []);
  reporter.reportRange("CFG001", null, message, hint);
  return { found: false, issue: reporter.issues[0]! };
}

const tilde = (path: string, home: string): string => join("~", relative(home, path));

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    // Whatever the reason, this is not the file; the next place is tried.
    return false;
  }
}
