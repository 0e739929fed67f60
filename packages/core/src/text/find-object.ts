/**
 * What `read` makes of the first JSON object in a reply of a model, bare or among other text, that it can make anything of;
 * `null` when there is none.
 */
export function findObject<T>(text: string, read: (object: Readonly<Record<string, unknown>>) => T | null): T | null {
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    for (let to = text.lastIndexOf("}"); to > from; to = text.lastIndexOf("}", to - 1)) {
      const object = parsed(text.slice(from, to + 1));
      const found = object === null ? null : read(object);
      if (found !== null) return found;
    }
  }
  return null;
}

function parsed(json: string): Readonly<Record<string, unknown>> | null {
  try {
    // Between braces, so an object if anything.
    return JSON.parse(json) as Readonly<Record<string, unknown>>;
  } catch {
    return null; // not where an object begins or ends
  }
}
