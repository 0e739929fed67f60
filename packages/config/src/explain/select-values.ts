import { nearest } from "../nearest.js";
import { keySections } from "../schema/key-rows.js";
import type { ExplainedValue } from "./explain-config.js";

export type Selection =
  | { readonly is: "found"; readonly values: readonly ExplainedValue[] }
  /** A key of the language that nobody gave and that has no value by itself. `note` says what it is for. */
  | { readonly is: "unset"; readonly path: string; readonly type: string; readonly note: string }
  | { readonly is: "unknown"; readonly near: readonly string[] };

/**
 * The values at and below a dotted path. Agents are named by place or id: `agents[0]`, `agents.0`, `agents.ada`; `agent` is the
 * first. A path that ends in nothing is a key that is not set, or none, with up to three that are meant.
 */
export function selectValues(values: readonly ExplainedValue[], wanted: string): Selection {
  const path = properPath(values, wanted);
  const found = values.filter((one) => one.path === path || one.path.startsWith(`${path}.`) || one.path.startsWith(`${path}[`));
  if (found.length > 0) return { is: "found", values: found };
  const rows = languageRows(values);
  const row = rows.get(path);
  if (row !== undefined) return { is: "unset", path, ...row };
  const candidates = [...new Set([...values.map((one) => one.path), ...rows.keys()])];
  const lastOf = (candidate: string): string => candidate.replace(/^.*\./, "");
  const whole = nearest(path, candidates);
  const keys = new Set(nearest(lastOf(path), new Set(candidates.map(lastOf))));
  return { is: "unknown", near: whole.length > 0 ? whole : candidates.filter((candidate) => keys.has(lastOf(candidate))).slice(0, 3) };
}

function properPath(values: readonly ExplainedValue[], wanted: string): string {
  const path = wanted.replace(/^agent(?=\.|$)/, "agents[0]").replace(/^agents\.(\d+)(?=\.|$)/, "agents[$1]");
  const named = /^agents(?:\.|\[)["']?([^\]"']+?)["']?\]?(?=\.|$)/.exec(path);
  if (named === null || /^\d+$/.test(named[1]!)) return path;
  // An id may hold dots, so the longest that fits counts.
  const rest = path.slice("agents".length).replace(/^[.[]["']?/, "");
  const agents = values
    .filter((one) => /^agents\[\d+\]\.id$/.test(one.path))
    .map((one) => [String(one.value), one.path.slice(0, -3)] as const);
  const fits = agents.filter(([id]) => rest.startsWith(id) && /^["']?\]?(\.|$)/.test(rest.slice(id.length)));
  const best = fits.toSorted((a, b) => b[0].length - a[0].length)[0];
  return best === undefined ? path : best[1] + rest.slice(best[0].length).replace(/^["']?\]?/, "");
}

interface LanguageRow {
  readonly type: string;
  readonly note: string;
}

/** Every key of the language, for each agent there is. */
function languageRows(values: readonly ExplainedValue[]): ReadonlyMap<string, LanguageRow> {
  const agents = [...new Set(values.map((one) => /^agents\[\d+\]/.exec(one.path)?.[0]).filter((agent) => agent !== undefined))];
  const rows = new Map<string, LanguageRow>();
  for (const { where, rows: keys } of keySections()) {
    const places = where.startsWith("agents[]") ? agents.map((agent) => where.replace("agents[]", agent)) : [where];
    for (const place of places) {
      for (const { key, type, note, works } of keys)
        rows.set(place === "" ? key : `${place}.${key}`, { type, note: works ? note : "not supported yet" });
    }
  }
  return rows;
}
