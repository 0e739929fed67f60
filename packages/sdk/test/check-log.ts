import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { parse } from "yaml";

const read = (name: string): ReturnType<typeof JSON.parse> => createRequire(import.meta.url)(`@massgen/logs/schemas/${name}`);
type Names = Readonly<Record<string, string>>;
const ofLogs: Names = read("files.json");
const ofSessions: Names = read("session-files.json");
const patternsOf = (names: Names, before: string) =>
  Object.entries(names).map(([path, schema]) => {
    const pattern = path
      .replaceAll(".", "\\.")
      .replace(/<agent>|<session>/, "[^/]+")
      .replace("<n>", "\\d+")
      .replace("<time>", "\\d{8}_\\d{6}_\\d{6}");
    return { pattern: new RegExp(`^${before}${pattern}$`), schema };
  });
const LOGS = patternsOf(ofLogs, "(?:turn_\\d+/)?(?:attempt_\\d+/)?");
/** What `artefactsIn` knows below the folder of sessions, in place of that of a log. */
export const SESSIONS: typeof LOGS = patternsOf(ofSessions, "");

/** As published: a key that is not known is passed over. */
export const published: ReadonlyMap<string, ValidateFunction> = compiled(ofLogs, (schema) => schema);
/** Keys that no schema names are refused, so that none can be added to a file alone. */
export const exact: ReadonlyMap<string, ValidateFunction> = compiled({ ...ofLogs, ...ofSessions }, closed);

function compiled(names: Names, change: (schema: unknown) => unknown): ReadonlyMap<string, ValidateFunction> {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, allErrors: true });
  return new Map(Object.values(names).map((name) => [name, ajv.compile(change(read(name)) as object)]));
}

/** The `context` of an event is closed by the schema of that event, and a condition is no object of its own. */
function closed(schema: unknown, key = ""): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((entry) => closed(entry));
  const entries = Object.entries(schema).map(([name, value]) => [name, name === "if" || name === "then" ? value : closed(value, name)]);
  const isWhole = "properties" in schema && "type" in schema && key !== "context";
  return { ...Object.fromEntries(entries), ...(isWhole && !("additionalProperties" in schema) ? { additionalProperties: false } : {}) };
}

export interface Artefact {
  readonly path: string;
  readonly schema: string;
  readonly document: unknown;
}

/** Every document below a log folder that has a schema; a line of a log is a document. `unknown`: data files that have none. */
export async function artefactsIn(
  folder: string,
  patterns: typeof LOGS = LOGS,
): Promise<{ readonly artefacts: readonly Artefact[]; readonly unknown: readonly string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const artefacts: Artefact[] = [];
  const unknown: string[] = [];
  for (const path of paths) {
    const schema = patterns.find(({ pattern }) => pattern.test(path))?.schema;
    if (schema === undefined) {
      // What waits to be delivered is a note of the program to itself, with the files.
      if (/\.(?:jsonl?|ya?ml)$/.test(path) && !path.includes("/undelivered/")) unknown.push(path);
      continue;
    }
    const text = await readFile(join(folder, path), "utf8");
    const texts = path.endsWith(".jsonl") ? text.trim().split("\n") : [text];
    for (const one of texts) artefacts.push({ path, schema, document: path.endsWith(".yaml") ? parse(one) : JSON.parse(one) });
  }
  return { artefacts, unknown };
}
