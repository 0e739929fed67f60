import type { PathOp } from "@massgen/contracts";
import type { Root, RootKind } from "../grants.js";
import { quote, type Refusal, refuse, verbOf } from "../refusal.js";

/** What was asked, in the agent's own words: messages never show a path the agent did not write. */
export interface Asked {
  readonly op: PathOp;
  readonly written: string;
}

const KINDS: Readonly<Record<RootKind, string>> = {
  workspace: "workspace",
  view: "read-only copy of a peer's files",
  context: "context path",
  context_file: "context file",
  previous_turn: "workspace of an earlier turn",
  skills: "skills",
};
const MAX_ROOTS = 10;
const cannot = ({ op, written }: Asked): string => `You cannot ${verbOf(op)} ${quote(written)}`;

export const invalidPath = (asked: Asked, fault: string): Refusal =>
  refuse("INVALID_PATH", null, `${cannot(asked)}: the path ${fault}. Use a path relative to your workspace or an absolute one.`);

export function outside(asked: Asked, roots: readonly Root[]): Refusal {
  const shown = roots.slice(0, MAX_ROOTS).map((root) => `${quote(root.path)} (${describeRoot(root)})`);
  const more = roots.length > MAX_ROOTS ? ` and ${roots.length - MAX_ROOTS} more` : "";
  const where = roots.length === 0 ? "You have no files." : `You may use: ${shown.join(", ")}${more}.`;
  return refuse(
    "PATH_OUTSIDE",
    null,
    `Access denied. ${cannot(asked)}: only your workspace and the context paths are accessible. ${where}`,
  );
}

/** "context path, read only": what a root is and what may be done there, for people and models. */
export function describeRoot(root: Pick<Root, "kind" | "write">): string {
  const rights = root.write === "yes" ? "read and write" : root.write === "later" ? "read only until the final presentation" : "read only";
  return `${KINDS[root.kind]}, ${rights}`;
}

export const notListed = (asked: Asked, listed: string): Refusal =>
  refuse(
    "NOT_LISTED_FILE",
    null,
    `${cannot(asked)}: it is not an explicitly allowed file of that folder. Allowed there: ${quote(listed)}.`,
  );

export function readOnly(asked: Asked, root: Root): Refusal {
  const later =
    root.write === "later" ? " It will be writable for the final presenter; until then, put your version into your workspace." : "";
  const out = root.write === "later" ? "" : " Copy what you need into your workspace and change it there.";
  return refuse("READ_ONLY", root.kind, `${cannot(asked)}: there is no write permission, it lies in a ${KINDS[root.kind]}.${later}${out}`);
}

export const protectedPath = (asked: Asked, written: string): Refusal =>
  refuse("PROTECTED", written, `${cannot(asked)}: ${quote(written)} is protected in the configuration. It may be read; leave it as it is.`);

export const excluded = (asked: Asked, name: string): Refusal =>
  refuse(
    "EXCLUDED",
    name,
    `${cannot(asked)}: ${quote(name)} is read-only by default, because it may run later or is generated. The user can allow it with allow_write on the context path.`,
  );

export const secretFile = (asked: Asked, name: string): Refusal =>
  refuse(
    "SECRET_FILE",
    name,
    `${cannot(asked)}: ${quote(name)} may hold secrets. Go on without it; the user can allow it with allow_read or allow_write on the context path.`,
  );

export const escapes = (asked: Asked): Refusal =>
  refuse("SYMLINK_ESCAPE", null, `${cannot(asked)}: a link on the way leads outside of what you may use. Use a path without that link.`);

export const hardLink = (asked: Asked): Refusal =>
  refuse(
    "HARD_LINK",
    null,
    `${cannot(asked)}: the file has more than one name on the disk, so that writing could change a file elsewhere. Write a copy under a new name.`,
  );

export const specialFile = (asked: Asked): Refusal =>
  refuse("SPECIAL_FILE", null, `${cannot(asked)}: it is a device, pipe or socket. Only files and folders can be used.`);

export const critical = (asked: Asked, why: string): Refusal =>
  refuse("CRITICAL_PATH", null, `${cannot(asked)}: ${why}. Name the files inside that should go.`);
