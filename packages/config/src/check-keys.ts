import { describeFound, quoteText, quotingAdvice } from "./describe.js";
import { features } from "./features.js";
import { homeOf, isForeignToBackend } from "./key-homes.js";
import { isEmpty, type KeySpec, type KeyTable } from "./key-table.js";
import { backendKeys } from "./keys/backend.js";
import { didYouMean, nearest } from "./nearest.js";
import type { Reporter } from "./reporter.js";
import { bool } from "./shapes.js";
import { type ConfigNode, child, type MapNode, toValue } from "./tree.js";

/**
 * Compares a map with the table of its keys: unknown keys, wrong values, and keys whose feature is not built.
 * Fills `ignoredNodes` with the values that have no effect. A value of null counts as not given.
 */
export function checkKeys(node: MapNode, table: KeyTable, reporter: Reporter, ignoredNodes: Set<ConfigNode>): void {
  const visit = (map: MapNode, keys: KeyTable, withinIgnored: boolean): void => {
    if (keys.kind === "free") return;
    for (const [key, value] of map.entries) {
      const spec = Object.hasOwn(keys.keys, key) ? keys.keys[key] : undefined;
      if (spec === undefined) {
        if (isRoomForAnchors(key, keys)) ignoredNodes.add(value);
        else reportUnknown(key, value, map, keys, reporter);
        continue;
      }
      if (value.kind === "scalar" && value.value === null) continue;
      if (!isFor(spec, keys, map)) {
        reporter.report("CFG042", value, `'${key}' is for ${spec.only?.join(", ")} and not used here`, { on: "key" });
        continue;
      }
      if (!spec.shape.check(value).success) {
        reportWrong(key, value, spec, keys, reporter);
        continue;
      }
      // A section that is switched off is not looked into for what is not built.
      const isOff = spec.support.is === "built" && spec.isOff?.(toValue(value)) === true;
      const skipped = withinIgnored || reportUnbuilt(key, value, spec, reporter) || isOff;
      if (skipped) ignoredNodes.add(value);
      descend(value, spec, skipped);
    }
  };

  const descend = (value: ConfigNode, spec: KeySpec, withinIgnored: boolean): void => {
    if (spec.keys !== undefined && value.kind === "map") visit(value, spec.keys(), withinIgnored);
    if (spec.each === undefined || value.kind === "scalar") return;
    const keys = spec.each();
    for (const item of value.kind === "list" ? value.items : value.entries.values()) {
      if (item.kind === "map") visit(item, keys, withinIgnored);
    }
  };

  visit(node, table, false);
}

/** Whether a key means anything to the provider of this backend; keys outside of backends always do. */
export function isFor(spec: KeySpec, table: KeyTable, map: MapNode): boolean {
  if (spec.only === undefined || table !== backendKeys) return true;
  const type = child(map, "type");
  return type?.kind !== "scalar" || typeof type.value !== "string" || spec.only.includes(type.value);
}

function reportUnbuilt(key: string, value: ConfigNode, spec: KeySpec, reporter: Reporter): boolean {
  if (spec.support.is !== "ignored" && spec.support.is !== "refused") return false;
  if ((spec.isOff ?? isEmpty)(toValue(value))) return true;
  const { feature } = spec.support;
  if (spec.support.is === "ignored") {
    reporter.report("CFG120", value, `'${key}' is known but not supported yet; ignored: ${features[feature]}`, { on: "key", feature });
  } else {
    reporter.report("CFG121", value, `'${key}' is known but not supported yet`, {
      on: "key",
      feature,
      hint: `Take it out; then ${features[feature]}.`,
    });
  }
  return true;
}

function reportWrong(key: string, value: ConfigNode, spec: KeySpec, table: KeyTable, reporter: Reporter): void {
  const { shape } = spec;
  const word = value.kind === "scalar" && typeof value.value === "string" ? value.value : null;
  if (word !== null && shape.later?.includes(word)) {
    reporter.report(spec.code ?? table.wrong, value, `'${word}' is known but not supported; use ${orList(shape.values ?? [])}`);
    return;
  }
  if (word !== null && shape.values !== undefined) {
    const hint = `${didYouMean(nearest(word, shape.values))} Allowed: ${shape.values.join(", ")}.`.trim();
    reporter.report(spec.code ?? table.wrong, value, `${describeFound(value).replace("the text ", "")} is not valid for '${key}'`, {
      hint,
    });
    return;
  }
  reporter.report(spec.code ?? table.wrong, value, `'${key}' must be ${shape.words}, found ${describeFound(value)}`, {
    hint: adviceFor(key, value, spec),
  });
}

/** A quoted boolean, a word of another YAML version, a number that lost its quotes: say how it is written. */
function adviceFor(key: string, value: ConfigNode, spec: KeySpec): string {
  if (value.kind !== "scalar") return "";
  const word = typeof value.value === "string" ? value.value.toLowerCase() : "";
  if (spec.shape === bool) {
    if (word === "true" || word === "false") return `Remove the quotes: ${key}: ${word}`;
    if (["yes", "on", "y"].includes(word)) return `YAML 1.2 reads this as text; write ${key}: true`;
    if (["no", "off", "n"].includes(word)) return `YAML 1.2 reads this as text; write ${key}: false`;
    return "";
  }
  const digits = word.replaceAll("_", "").trim();
  if (digits !== "" && Number.isFinite(Number(digits)) && spec.shape.words.includes("number")) return `Write ${key}: ${digits}`;
  return spec.shape.words.startsWith("text") ? quotingAdvice(key, value) : "";
}

function reportUnknown(key: string, value: ConfigNode, map: MapNode, table: KeyTable, reporter: Reporter): void {
  const shown = quoteText(key, 40);
  if (table.kind === "open") {
    if (key.startsWith("_")) return;
    if (table === backendKeys && isForeignToBackend(key)) {
      reporter.report("CFG042", value, `${shown} does not belong in a backend and is not sent`, {
        on: "key",
        hint: `It belongs in '${homeOf(key, table)}'.`,
      });
      return;
    }
    const near = nearest(key, known(table, map), key.length < 6 ? 1 : 2);
    if (near.length > 0)
      reporter.report(table.unknown, value, `unknown key ${shown}`, {
        on: "key",
        hint: `${didYouMean(near)} It is handed to the vendor as it is.`,
      });
    return;
  }
  const home = homeOf(key, table);
  const hint =
    home === null ? didYouMean(nearest(key, known(table, map))) : `${shown} belongs in ${home.startsWith("the ") ? home : `'${home}'`}.`;
  reporter.report(table.unknown, value, `unknown key ${shown}`, { on: "key", hint });
}

/** Top-level keys that only hold blocks for aliases. */
const isRoomForAnchors = (key: string, table: KeyTable): boolean => table.unknown === "CFG040" && /^(x-|_)/.test(key);

function* known(table: KeyTable, map: MapNode): Iterable<string> {
  for (const [key, spec] of Object.entries(table.keys)) if (isFor(spec, table, map)) yield key;
}

const orList = (words: readonly string[]): string => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
