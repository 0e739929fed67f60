import type { AnonId } from "@massgen/contracts";
import { findObject } from "../text/find-object.js";

/**
 * The parts in a reply: a JSON object from `agentN` to the part, bare or among other text, whole or under `parts`; `null` when
 * there is no such object, or one of the wanted parts is missing or blank. Parts nobody asked for are passed over.
 */
export function readDivision(text: string, wanted: readonly AnonId[]): ReadonlyMap<AnonId, string> | null {
  return findObject(text, (object) => partsIn(object, wanted) ?? partsIn(object["parts"], wanted));
}

function partsIn(value: unknown, wanted: readonly AnonId[]): ReadonlyMap<AnonId, string> | null {
  if (!isObject(value)) return null;
  const named = new Map(
    Object.entries(value).map(([name, part]) => [
      name
        .trim()
        .toLowerCase()
        .replace(/[\s_-]/g, ""),
      part,
    ]),
  );
  const parts = wanted.flatMap((anon): readonly (readonly [AnonId, string])[] => {
    const part = named.get(anon);
    return typeof part === "string" && part.trim() !== "" ? [[anon, part.trim()]] : [];
  });
  return parts.length === wanted.length ? new Map(parts) : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
