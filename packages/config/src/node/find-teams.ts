import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MassgenConfig } from "../config.js";
import type { Environment } from "../expand.js";
import { parseConfig } from "../parse-config.js";
import type { PlainValue } from "../tree.js";
import { examplePaths } from "./locate-config.js";

/** A team that can be chosen. */
export interface FoundTeam {
  /** As it is written behind `--config`. */
  readonly name: string;
  readonly summary: string;
  /** Absolute. */
  readonly path: string;
  /** `null` for one with errors. */
  readonly config: MassgenConfig | null;
}

export interface TeamPlaces {
  readonly cwd: string;
  readonly home: string;
  /** `null`: without examples. */
  readonly examplesDir: string | null;
  /** For `${NAME}` in them. */
  readonly env: Environment;
}

/** Teams of the project, of the user, of this folder, and the shipped examples, in this order. Files that are no team are left out. */
export async function findTeams({ cwd, home, examplesDir, env }: TeamPlaces): Promise<readonly FoundTeam[]> {
  const own = join(home, ".config", "massgen");
  const places = [
    ...(await yamlIn(join(cwd, ".massgen"))).map((file) => ({ name: join(".massgen", file), path: join(cwd, ".massgen", file) })),
    ...(await yamlIn(own)).map((file) => ({ name: `~/.config/massgen/${file}`, path: join(own, file) })),
    ...(await yamlIn(join(own, "agents"))).map((file) => ({ name: file.replace(/\.yaml$/, ""), path: join(own, "agents", file) })),
    ...(await yamlIn(cwd)).map((file) => ({ name: file, path: join(cwd, file) })),
    ...(examplesDir === null ? [] : await examplePaths(examplesDir)).map((path) => ({
      name: `@examples/${path.replace(/\.yaml$/, "")}`,
      path: join(examplesDir ?? "", path),
    })),
  ];
  const found = await Promise.all(places.map(async ({ name, path }) => ({ name, path, read: await readTeam(path, env) })));
  return found.flatMap(({ name, path, read }) => (read === null ? [] : [{ name, path, ...read }]));
}

async function yamlIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // no such folder: nothing in it
  return entries
    .filter((entry) => !entry.isDirectory() && /\.ya?ml$/.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** `null` for what is no team: compose files, workflows, rate limits. */
async function readTeam(path: string, env: Environment): Promise<Pick<FoundTeam, "summary" | "config"> | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (!/(?:^|[{,])\s*["']?agents?["']?\s*:/m.test(text)) return null;
  const { raw, config } = parseConfig(text, { file: path, env });
  if (!isMap(raw) || !("agents" in raw || "agent" in raw)) return null;
  return { config, summary: config === null ? "has errors: see massgen --validate" : summaryOf(config) };
}

/** How many agents, and what speaks for each. */
export function summaryOf({ agents }: Pick<MassgenConfig, "agents">): string {
  const size = agents.length === 1 ? "1 agent" : `${agents.length} agents`;
  return `${size}: ${agents.map(({ backend }) => backend.model ?? backend.type).join(", ")}`;
}

const isMap = (value: PlainValue | null): value is { readonly [key: string]: PlainValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
