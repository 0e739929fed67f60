import type { AnonId } from "@massgen/contracts";

/**
 * The parts in a reply: a JSON object from `agentN` to the part, bare or among other text, whole or under `parts`; `null` when
 * there is no such object, or one of the wanted parts is missing or blank. Parts nobody asked for are passed over.
 */
export function readDivision(text: string, wanted: readonly AnonId[]): ReadonlyMap<AnonId, string> | null {
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    for (let to = text.lastIndexOf("}"); to > from; to = text.lastIndexOf("}", to - 1)) {
      const parts = readObject(text.slice(from, to + 1), wanted);
      if (parts !== null) return parts;
    }
  }
  return null;
}

function readObject(json: string, wanted: readonly AnonId[]): ReadonlyMap<AnonId, string> | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null; // not where an object begins or ends
  }
  return partsIn(value, wanted) ?? (isObject(value) ? partsIn(value["parts"], wanted) : null);
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
