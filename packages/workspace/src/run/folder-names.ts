import { createHash } from "node:crypto";
import type { AgentId } from "@massgen/contracts";

/**
 * A folder name for the snapshots of every agent, all different on every file system: `ada` stays `ada`; an id with
 * anything but ASCII letters, digits, `_` and `-`, or with capitals, or that is long, gets its hash behind what is left.
 */
export function folderNames(ids: readonly AgentId[]): ReadonlyMap<AgentId, string> {
  return new Map(ids.map((id) => [id, /^[a-z0-9_-]{1,64}$/.test(id) && !RESERVED.test(id) ? id : hashed(id)]));
}

/** Names that Windows gives to devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

const hashed = (id: AgentId): string =>
  `${id
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "_")
    .slice(0, 40)}.${createHash("sha256").update(id).digest("hex").slice(0, 8)}`;
