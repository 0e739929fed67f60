/** Why a file stays behind. */
export type SkipReason =
  | "not part of an export"
  | "may hold secrets"
  | "cache"
  | "link or special file"
  | "over the limit of the workspace"
  | "too large"
  | "holds a secret in bytes that are no text"
  | "no text, which a gist cannot hold"
  | "cannot be read"
  | "workspaces are left out";

const ARTEFACTS: ReadonlySet<string> = new Set([
  "events.jsonl",
  "coordination_events.json",
  "coordination_table.txt",
  "vote.json",
  "decision.json",
  "decision.md",
  "status.json",
  "index.json",
  "snapshot_mappings.json",
  "execution_metadata.yaml",
  "metrics_events.json",
  "metrics_summary.json",
  "partial_answers.json",
]);
const LEAF = String.raw`(?:turn_\d+\/)?(?:attempt_\d+\/)?`;
const OF_RUN = new RegExp(`^${LEAF}[^/]+$`);
const OF_STEP = new RegExp(String.raw`^${LEAF}[^/]+\/\d{8}_\d{6}_\d{6}\/(?:answer\.txt|vote\.json|stop\.json|usage\.json)$`);
const OF_FINAL = new RegExp(String.raw`^${LEAF}final\/[^/]+\/(?:answer\.txt|presentation_partial\.txt)$`);
const OF_WORKSPACE = new RegExp(String.raw`^${LEAF}final\/[^/]+\/workspace\/`);

export type Kind = "record" | "workspace";

/**
 * What a file of a log is for an export: part of the record, of the files that were delivered, or nothing a colleague is
 * meant to get. What is sent is listed here; logs for debugging, recorded requests, prompts and outputs are not on the list.
 */
export function kindOf(path: string): Kind | SkipReason {
  if (OF_WORKSPACE.test(path)) return workspaceKind(path.replace(OF_WORKSPACE, ""));
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (OF_RUN.test(path)) return ARTEFACTS.has(name) ? "record" : "not part of an export";
  return OF_STEP.test(path) || OF_FINAL.test(path) ? "record" : "not part of an export";
}

const CACHE =
  /(?:^|\/)(?:node_modules|\.git|\.hg|\.svn|__pycache__|\.cache|\.venv|venv|\.mypy_cache|\.pytest_cache|\.ruff_cache|\.tox|\.next|\.turbo)\//;
const SECRET =
  /(?:^|\/)(?:\.env(?:\..*)?|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials|\.dockercfg|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*credentials?[^/]*|[^/]*secrets?(?:\.[^/]*)?|service[-_]account[^/]*\.json|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|ovpn))$|(?:^|\/)\.(?:ssh|aws|azure|gnupg|kube|docker)\//i;

function workspaceKind(path: string): Kind | SkipReason {
  if (CACHE.test(path)) return "cache";
  return SECRET.test(path) ? "may hold secrets" : "workspace";
}
