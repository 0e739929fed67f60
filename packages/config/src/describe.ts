import { printable } from "./printable.js";
import { isSecretPath, maskKeys } from "./secrets.js";
import type { ConfigNode } from "./tree.js";

/** A text for people: one line, no control or direction-changing characters, no keys, at most `limit` characters. */
export function quoteText(text: string, limit = 60): string {
  const clean = printable(maskKeys(text.slice(0, 2_000)));
  return clean.length > limit ? `'${clean.slice(0, limit - 1)}…'` : `'${clean}'`;
}

/** What stands there, for "found …": `the text 'yes'`, `the number 3.10`, `nothing`. Variables are shown by name, secrets by kind only. */
export function describeFound(node: ConfigNode): string {
  if (node.kind === "map") return "a map";
  if (node.kind === "list") return node.items.length === 0 ? "an empty list" : "a list";
  const { written } = node;
  if (written === null) return "nothing";
  if (typeof written === "boolean") return String(written);
  const hidden = isSecretPath(node);
  if (typeof written === "string") return hidden ? "a text" : `the text ${quoteText(written)}`;
  return hidden ? "a number" : `the number ${node.source ?? written}`;
}

/** The value in quotes, or what kind of value it is. */
export function quoteValue(node: ConfigNode): string {
  if (node.kind !== "scalar" || node.written === null || isSecretPath(node)) return describeFound(node);
  return quoteText(node.source ?? String(node.written));
}

/** How to write the scalar as text: `Put it in quotes: model: "3.10"`. */
export function quotingAdvice(key: string, node: ConfigNode): string {
  if (node.kind !== "scalar" || node.written === null || typeof node.written === "string") {
    return node.kind === "scalar" && node.source !== null && node.source !== "" && typeof node.written !== "string"
      ? `If it is a word, put it in quotes: ${key}: "${node.source}"`
      : "";
  }
  return `Put it in quotes: ${key}: "${isSecretPath(node) ? "…" : (node.source ?? node.written)}"`;
}
