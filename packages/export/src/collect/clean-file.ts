import type { Redactor } from "@massgen/logs";

export type Cleaned = { readonly is: "text" | "bytes"; readonly bytes: Uint8Array; readonly redacted: boolean } | { readonly is: "secret" };

/**
 * The bytes of a file without secrets. JSON stays JSON: its strings are cleaned one by one. Of bytes that are no text
 * nothing can be taken out, so a file that holds a known secret in such bytes does not travel at all.
 */
export function cleanFile(path: string, bytes: Uint8Array, redactor: Redactor): Cleaned {
  const text = textOf(bytes);
  if (text === null) {
    const raw = Buffer.from(bytes).toString("latin1");
    return redactor.forms.some((form) => raw.includes(form)) || redactor.text(raw) !== raw
      ? { is: "secret" }
      : { is: "bytes", bytes, redacted: false };
  }
  const clean = cleanText(path, text, redactor);
  return clean === text ? { is: "text", bytes, redacted: false } : { is: "text", bytes: Buffer.from(clean, "utf8"), redacted: true };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function cleanText(path: string, text: string, redactor: Redactor): string {
  if (redactor.text(text) === text) return text;
  if (path.endsWith(".jsonl"))
    return text
      .split("\n")
      .map((line) => cleanJson(line, redactor, 0) ?? redactor.text(line))
      .join("\n");
  return (path.endsWith(".json") ? cleanJson(text, redactor, 2) : null) ?? redactor.text(text);
}

/** `null` for what is no JSON. */
function cleanJson(text: string, redactor: Redactor, indent: number): string | null {
  try {
    const end = text.endsWith("\n") ? "\n" : "";
    return `${JSON.stringify(redactor.value(JSON.parse(text) as unknown), null, indent)}${end}`;
  } catch {
    return null;
  }
}
