import type { PathOp, PolicyVerdict } from "@massgen/contracts";
import { followLinks } from "../paths/follow-links.js";
import { below } from "../paths/names.js";
import { refuse } from "../refusal.js";
import type { PathUse } from "./path-uses.js";

/** Decides on `path`, speaking of it as `written`. */
export type DecideUse = (op: PathOp, path: string, written: string) => Promise<PolicyVerdict>;

const MAX_USES = 400;

/** Verdicts on the paths of a command, from every folder it may run in. `home` is the HOME of commands. */
export async function decideUses(uses: readonly PathUse[], home: string | null, decide: DecideUse): Promise<readonly PolicyVerdict[]> {
  const each = uses.flatMap(({ op, path, folders }) =>
    folders.map((folder) => ({ op, written: path, full: fullPath(path, folder, home) })),
  );
  const once = [...new Map(each.map((use) => [`${use.op}\0${use.full}`, use])).values()];
  if (once.length > MAX_USES) {
    return [refuse("COMMAND_BLOCKED", "too_many_paths", `The command names more than ${MAX_USES} paths. Use fewer, or a pattern.`)];
  }
  return Promise.all(once.map(({ op, full, written }) => decideOne(op, full, written)));

  async function decideOne(op: PathOp, full: string, written: string): Promise<PolicyVerdict> {
    if (home !== null && (await isBelow(home, full))) return { type: "allow", rule: "command_home" };
    const asWritten = await decide(op, full, written);
    if (asWritten.type === "deny" || !/(?:^|\/)\.\.(?:\/|$)/.test(full)) return asWritten;
    // A program goes up from where a link leads, not from where the link is.
    const walked = await followLinks(full, "follow");
    return walked === null ? asWritten : decide(op, walked.real, written);
  }
}

/** Not normalised, so that `link/..` can be walked as a program would. */
function fullPath(path: string, folder: string, home: string | null): string {
  if (path.startsWith("/")) return path;
  const full = /^~(?:\/|$)/.test(path) ? path : `${folder}/${path.startsWith("~") ? `./${path}` : path}`;
  return full.startsWith("~") && home !== null ? home + full.slice(1) : full;
}

async function isBelow(home: string, path: string): Promise<boolean> {
  if (path.startsWith("~") || below(home, path) === null || path.split("/").includes("..")) return false;
  const [outer, inner] = await Promise.all([followLinks(home, "follow"), followLinks(path, "follow")]);
  return outer !== null && inner !== null && below(outer.real, inner.real) !== null;
}
