import type { JsonValue } from "@massgen/contracts";
import { asArray, asObject, asText } from "./json-access.js";

/** Parts are read as one text, on lines of their own unless a part ends its line itself. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  const parts = asArray(content).map((part) => asText(asObject(part)?.["text"]));
  return parts
    .filter((text) => text !== "")
    .map((text, index, all) => (index === all.length - 1 || text.endsWith("\n") ? text : `${text}\n`))
    .join("");
}
