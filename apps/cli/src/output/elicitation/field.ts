/** A field of a form that a program made, as far as a person can be asked for it in one line. */
export interface Field {
  readonly name: string;
  /** What it is called to the person. */
  readonly label: string;
  readonly isRequired: boolean;
  /** What may be typed, in brackets behind the label. */
  readonly hint: string;
  /** `undefined`: none. */
  readonly byDefault: Value | undefined;
  readonly read: (line: string) => Reading;
}

export type Value = string | number | boolean | readonly string[];
type Reading = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string };

type Schema = Readonly<Record<string, unknown>>;

const good = (value: Value): Reading => ({ ok: true, value });
const bad = (why: string): Reading => ({ ok: false, why });

/** The four kinds of fields that forms of MCP servers have; anything else is a text. */
export function fieldOf(name: string, given: unknown, isRequired: boolean): Field {
  const schema: Schema = isRecord(given) ? given : {};
  const label = typeof schema["title"] === "string" && schema["title"] !== "" ? schema["title"] : name;
  const kind = kindOf(schema);
  const byDefault = isValue(schema["default"]) ? schema["default"] : undefined;
  const shown = byDefault === undefined ? (isRequired ? "" : ", may be empty") : `, empty for ${plain(byDefault)}`;
  const about = typeof schema["description"] === "string" && schema["description"] !== "" ? `; ${schema["description"]}` : "";
  return { name, label, isRequired, byDefault, hint: `${kind.hint}${shown}${about}`, read: kind.read };
}

function kindOf(schema: Schema): Pick<Field, "hint" | "read"> {
  const several = schema["type"] === "array" && isRecord(schema["items"]) ? choicesOf(schema["items"]) : null;
  if (several !== null) return severalOf(several, schema);
  const choices = choicesOf(schema);
  if (choices !== null) return { hint: `one of ${choices.join(", ")}`, read: (line) => chosen(line, choices) };
  if (schema["type"] === "boolean") return { hint: "yes or no", read: readYesOrNo };
  if (schema["type"] === "number" || schema["type"] === "integer") return numberOf(schema);
  const shape = typeof schema["format"] === "string" ? `text, ${schema["format"]}` : "text";
  return { hint: shape, read: (line) => withinLength(line, schema) };
}

/** The values of an enumeration, written in either of two ways; `null` for what is none. */
function choicesOf(schema: Schema): readonly string[] | null {
  const titled = schema["oneOf"] ?? schema["anyOf"];
  const values: readonly unknown[] = Array.isArray(schema["enum"])
    ? schema["enum"]
    : Array.isArray(titled)
      ? titled.map((entry: unknown) => (isRecord(entry) ? entry["const"] : null))
      : [];
  return values.length > 0 && values.every((value) => typeof value === "string") ? values : null;
}

function chosen(line: string, choices: readonly string[]): Reading {
  const found = choices.find((choice) => choice === line) ?? choices.find((choice) => choice.toLowerCase() === line.toLowerCase());
  return found === undefined ? bad(`one of ${choices.join(", ")}`) : good(found);
}

function severalOf(choices: readonly string[], { minItems, maxItems }: Schema): Pick<Field, "hint" | "read"> {
  const hint = `any of ${choices.join(", ")}, with commas between them`;
  const read = (line: string): Reading => {
    const words = line.split(",").flatMap((word) => (word.trim() === "" ? [] : [chosen(word.trim(), choices)]));
    const wrong = words.find((word) => !word.ok);
    if (wrong !== undefined) return bad(hint);
    if (typeof minItems === "number" && words.length < minItems) return bad(`at least ${minItems}`);
    if (typeof maxItems === "number" && words.length > maxItems) return bad(`at most ${maxItems}`);
    return good(words.flatMap((word) => (word.ok ? [String(word.value)] : [])));
  };
  return { hint, read };
}

function readYesOrNo(line: string): Reading {
  if (/^(?:y|yes|true)$/i.test(line)) return good(true);
  return /^(?:n|no|false)$/i.test(line) ? good(false) : bad("yes or no");
}

function numberOf({ type, minimum, maximum }: Schema): Pick<Field, "hint" | "read"> {
  const hint = type === "integer" ? "whole number" : "number";
  const read = (line: string): Reading => {
    const value = Number(line);
    if (line === "" || !Number.isFinite(value) || (type === "integer" && !Number.isInteger(value))) return bad(`a ${hint}`);
    if (typeof minimum === "number" && value < minimum) return bad(`at least ${minimum}`);
    return typeof maximum === "number" && value > maximum ? bad(`at most ${maximum}`) : good(value);
  };
  return { hint, read };
}

function withinLength(line: string, { minLength, maxLength }: Schema): Reading {
  const length = [...line].length;
  if (typeof minLength === "number" && length < minLength) return bad(`at least ${minLength} characters`);
  return typeof maxLength === "number" && length > maxLength ? bad(`at most ${maxLength} characters`) : good(line);
}

export const plain = (value: Value): string => (typeof value === "boolean" ? (value ? "yes" : "no") : String(value));

const isValue = (value: unknown): value is Value =>
  ["string", "number", "boolean"].includes(typeof value) || (Array.isArray(value) && value.every((entry) => typeof entry === "string"));

const isRecord = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);
