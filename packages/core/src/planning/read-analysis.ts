import { findObject } from "../text/find-object.js";

export interface Analysis {
  readonly irreversible: boolean;
  /** Names of known tools; empty with `irreversible` for all of them. */
  readonly blockedTools: readonly string[];
}

/**
 * The reply to the question whether a task is irreversible: a JSON object, bare or among other text, else the lines
 * `IRREVERSIBLE: yes` and `BLOCKED_TOOLS: a, b`; `null` when it is neither. Names are matched whole or without their
 * `mcp__server__`. In doubt it says more, never less: a name that is no tool's blocks all, and so does naming tools while
 * denying that anything is irreversible make it so for those.
 */
export function readAnalysis(text: string, known: readonly string[]): Analysis | null {
  const said = findObject(text, readObject) ?? readLines(text);
  if (said === null) return null;
  const matches = said.names.map((name) => known.filter((tool) => tool === name || tool.endsWith(`__${name}`)));
  const isComplete = matches.every((tools) => tools.length > 0);
  const blockedTools = isComplete ? [...new Set(matches.flat())] : [];
  return { irreversible: said.irreversible || said.names.length > 0, blockedTools };
}

interface Said {
  readonly irreversible: boolean;
  readonly names: readonly string[];
}

function readObject({ irreversible, blocked_tools: names = [] }: Readonly<Record<string, unknown>>): Said | null {
  if (typeof irreversible !== "boolean" || !Array.isArray(names) || !names.every((name) => typeof name === "string")) return null;
  return { irreversible, names: names.map((name) => name.trim()).filter((name) => name !== "") };
}

const IRREVERSIBLE = /^[\s*_>#-]*irreversible[\s*_]*[:=][\s*_`]*(yes|true|no|false)\b/im;
const BLOCKED = /^[\s*_>#-]*blocked[ _]tools[\s*_]*[:=](.*)$/im;

function readLines(text: string): Said | null {
  const word = IRREVERSIBLE.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return null;
  const list = BLOCKED.exec(text)?.[1] ?? "";
  const names = list.split(",").map((name) => name.replace(/[\s*`"'[\]]/g, ""));
  return { irreversible: word === "yes" || word === "true", names: names.filter((name) => name !== "" && !/^(none|-|n\/a)$/i.test(name)) };
}
