import type { JsonValue } from "@massgen/contracts";

/**
 * The text of an answer, whatever shape the model gave it (docs/spec/coordination.md EC27): strings as they are, lists of
 * strings and text parts joined, anything else as indented JSON. Blank for what is missing or empty.
 */
export function answerText(content: JsonValue | undefined): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (Array.isArray(content)) {
    const list: readonly JsonValue[] = content;
    if (list.every((item) => typeof item === "string")) return list.join("\n");
    const texts = list.map(textOf);
    if (texts.every((text) => text !== null)) return texts.join("");
  }
  const single = textOf(content);
  if (single !== null) return single;
  const isEmpty = typeof content === "object" && Object.keys(content).length === 0;
  return isEmpty ? "" : JSON.stringify(content, null, 2);
}

/** The text of `{ "type": "text", "text": … }` or of a bare string. */
function textOf(value: JsonValue): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { type, text } = value as { readonly [key: string]: JsonValue };
  return (type === "text" || type === undefined) && typeof text === "string" && Object.keys(value).length <= 2 ? text : null;
}
