import type { JsonValue } from "@massgen/contracts";

const LONGEST = 1024 * 1024;
const DEEPEST = 32;

/** Why arguments are not sent to a server; `null` for those that are. */
export function argumentsFault(input: JsonValue): string | null {
  const depth = depthOf(input);
  if (depth > DEEPEST) return `they are nested ${depth} deep; at most ${DEEPEST} are sent`;
  const { length } = JSON.stringify(input);
  return length > LONGEST ? `they have ${length} characters; at most ${LONGEST} are sent` : null;
}

function depthOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  let deepest = 0;
  for (const part of Object.values(value)) deepest = Math.max(deepest, depthOf(part));
  return deepest + 1;
}
