import picomatch from "picomatch";
import { foldName } from "./names.js";

/** Folders that belong to MassGen: invisible below every root but the agent's own (docs/spec/tools.md 2.4). */
export const INTERNAL: string = ".massgen";

const GENERATED = [
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".ds_store",
  "massgen_logs",
];
const REPOSITORIES = [".git", ".hg", ".svn", ".gitmodules"];
/** What runs later, on the person's machine or on a server, because of its name. */
const RUNS_LATER = [
  ...[".claude", ".codex", ".gemini", ".cursor", ".vscode", ".idea", ".husky", ".devcontainer", ".mcp.json", "massgen.yaml", "massgen.yml"],
  ...[".circleci", ".gitlab-ci.yml", "azure-pipelines.yml", "jenkinsfile", ".pre-commit-config.yaml"],
  ...[".envrc", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv"],
];
const UNWRITABLE: ReadonlySet<string> = new Set([INTERNAL, ...GENERATED, ...REPOSITORIES, ...RUNS_LATER]);

const SECRET = picomatch(
  [
    ...[".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "id_rsa*", "id_ed25519*", "id_ecdsa*", "id_dsa*"],
    ...[".netrc", ".npmrc", ".pypirc", ".git-credentials", "credentials.json", "service-account*.json"],
  ],
  { dot: true },
);
const SAMPLE: ReadonlySet<string> = new Set([".env.example", ".env.sample", ".env.template", ".env.dist"]);

/** The name on the way down that holds secrets, as written; `null` when there is none. */
export function secretName(names: readonly string[]): string | null {
  return names.find((name) => SECRET(foldName(name)) && !SAMPLE.has(foldName(name))) ?? null;
}

/** The name on the way down that agents may read and not change, or `null`. */
export function unwritableName(names: readonly string[]): string | null {
  const folded = names.map(foldName);
  const workflows = folded.findIndex((name, index) => name === "workflows" && folded[index - 1] === ".github");
  if (workflows !== -1) return `${names[workflows - 1]}/${names[workflows]}`;
  return names.find((_, index) => UNWRITABLE.has(folded[index]!) || /^(?:\.?git~\d+)$/.test(folded[index]!)) ?? null;
}

/**
 * True for a name that listings and searches leave out unless they were asked for everything: repositories, caches,
 * editor folders, secrets (docs/spec/tools.md 2.5).
 */
export const isHiddenName = (name: string): boolean => secretName([name]) !== null || unwritableName([name]) !== null;
