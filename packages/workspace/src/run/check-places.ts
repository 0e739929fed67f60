import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type AgentId, MassgenError } from "@massgen/contracts";
import { isAbsent } from "../disk.js";
import { isInside } from "../tree/remove-tree.js";

export interface Placed {
  readonly agent: AgentId;
  readonly root: string;
  readonly isGiven: boolean;
}

/**
 * No workspace is another's, holds another, or meets a context path that somebody may write; ours may lie in one, below
 * `.massgen`, which no context path shows. Names that differ by case alone are taken for equal, for on many disks they are.
 *
 * @throws MassgenError `CONFIG_INVALID`
 */
export function checkPlaces(places: readonly Placed[], writablePaths: readonly string[]): void {
  const found = places.map(({ agent, root, isGiven }) => ({ agent, root, isGiven, key: keyOf(root) }));
  for (const [place, one] of found.entries()) {
    for (const other of found.slice(place + 1))
      if (meet(one.key, other.key))
        throw new MassgenError(
          "CONFIG_INVALID",
          `The workspaces of "${one.agent}" (${one.root}) and "${other.agent}" (${other.root}) overlap.`,
          {
            hint: "Give each agent an absolute cwd of its own, or relative names: those never collide.",
            exitCode: 1,
          },
        );
    for (const path of writablePaths)
      if (one.isGiven ? meet(one.key, keyOf(path)) : isInside(one.key, keyOf(path)) || one.key === keyOf(path))
        throw new MassgenError(
          "CONFIG_INVALID",
          `The workspace of "${one.agent}" (${one.root}) and the writable context path ${path} overlap.`,
          {
            hint: "Move one of them: agents write to a workspace at any time, to a context path only when they present.",
            exitCode: 1,
          },
        );
  }
}

const meet = (a: string, b: string): boolean => a === b || isInside(a, b) || isInside(b, a);

const keyOf = (path: string): string => realAsFarAsItIs(path).normalize("NFC").toLowerCase();

function realAsFarAsItIs(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isAbsent(error) || dirname(path) === path) return path;
    return join(realAsFarAsItIs(dirname(path)), basename(path));
  }
}
