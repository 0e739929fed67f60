/** The wordings in a reply: a JSON object with the list `wordings`, bare or among other text; `null` when there is none. */
export function readWordings(text: string): readonly string[] | null {
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    for (let to = text.lastIndexOf("}"); to > from; to = text.lastIndexOf("}", to - 1)) {
      const wordings = readObject(text.slice(from, to + 1));
      if (wordings !== null) return wordings;
    }
  }
  return null;
}

function readObject(json: string): readonly string[] | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null; // not where an object begins or ends
  }
  if (typeof value !== "object" || value === null || !("wordings" in value) || !Array.isArray(value.wordings)) return null;
  const list: readonly unknown[] = value.wordings;
  return list.every((wording) => typeof wording === "string") ? list : null;
}
