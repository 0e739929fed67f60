import type { PathOp, PolicyVerdict } from "@massgen/contracts";

/** Why a call is refused; the first part of a verdict's `rule`, and what the agent sees in brackets (docs/spec/tools.md 2.9). */
export type RefusalCode =
  | "INVALID_PATH"
  | "PATH_OUTSIDE"
  | "NOT_LISTED_FILE"
  | "READ_ONLY"
  | "PROTECTED"
  | "EXCLUDED"
  | "SECRET_FILE"
  | "SYMLINK_ESCAPE"
  | "HARD_LINK"
  | "SPECIAL_FILE"
  | "CRITICAL_PATH"
  | "READ_REQUIRED"
  | "STALE_READ"
  | "DELETE_UNREAD"
  | "COMMAND_BLOCKED"
  | "URL_BLOCKED"
  | "UNKNOWN_EFFECT"
  | "POLICY_FAILED";

export type Refusal = Extract<PolicyVerdict, { type: "deny" }>;

/** `detail` names what hit: a pattern, a protected path, a rule. `text` says what, why and the way out, in sentences. */
export function refuse(code: RefusalCode, detail: string | null, text: string): Refusal {
  return { type: "deny", rule: detail === null ? code : `${code}:${detail}`, reason: `Error [${code}]: ${text}` };
}

export const isRefused = (verdict: PolicyVerdict, ...codes: readonly RefusalCode[]): verdict is Refusal =>
  verdict.type === "deny" && codes.some((code) => verdict.rule === code || verdict.rule.startsWith(`${code}:`));

const MAX_SHOWN = 300;

/** Text of an agent or of a file name, in quotes, with everything that could steer a screen made visible. */
export function quote(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const shown = cut.replace(/["\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (c) => {
    if (c === '"' || c === "\\") return `\\${c}`;
    return `\\u{${c.codePointAt(0)!.toString(16)}}`;
  });
  return `"${shown}"`;
}

const VERBS: Readonly<Record<PathOp, string>> = {
  list: "list",
  stat: "look at",
  read: "read",
  create: "create",
  write: "write",
  mkdir: "create the folder",
  delete: "delete",
  delete_tree: "delete",
  move_from: "move away",
  move_to: "move to",
  copy_from: "copy",
  copy_to: "copy to",
  exec_cwd: "run commands in",
};
export const verbOf = (op: PathOp): string => VERBS[op];

/** What broke, without the real paths that file system errors carry. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const cause = error.cause instanceof Error && "code" in error.cause ? ` (${String(error.cause.code)})` : "";
  return "code" in error ? String(error.code) : `${error.message}${cause}`;
}
