import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type Scalar } from "yaml";
import type { Reporter } from "./reporter.js";
import { isSecretPath } from "./secrets.js";
import type { ConfigNode, ListNode, MapNode, ScalarNode, TextRange } from "./tree.js";
import { explainYamlError } from "./yaml-message.js";

/** Far deeper than any team file, far shallower than the stack. */
const MAX_DEPTH = 100;
/** Values that aliases and merge keys may stand for in all; a thousand agents sharing a block need about ten thousand. */
const MAX_ALIASED_NODES = 200_000;

/**
 * The tree of a YAML or JSON text, or `null` when it cannot be read as one map of keys.
 * Merge keys are resolved, aliases copied; every node keeps its place. Problems go to the reporter, nothing is thrown.
 */
export function readYaml(text: string, reporter: Reporter): MapNode | null {
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    reporter.reportRange("CFG004", [nul, nul + 1], "the text holds NUL characters; the file is probably UTF-16", "Save it as UTF-8.");
    return null;
  }
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { schema: "core", version: "1.2", uniqueKeys: false, prettyErrors: false, keepSourceTokens: false });
  } catch (error) {
    // The parser reports what it finds wrong; it only throws when a text is built to exhaust it.
    reporter.reportRange("CFG004", [0, 1], `this YAML cannot be parsed: ${error instanceof Error ? error.message : "unknown reason"}`);
    return null;
  }
  for (const problem of document.errors) {
    if (problem.code === "MULTIPLE_DOCS") reporter.reportRange("CFG006", problem.pos, "only the first YAML document is used");
  }
  const broken = document.errors.find((problem) => problem.code !== "MULTIPLE_DOCS");
  if (broken !== undefined) {
    // What follows a first mistake is mostly its echo.
    const { message, hint } = explainYamlError(broken.code, broken.message, text, broken.pos[0]);
    reporter.reportRange("CFG004", broken.pos, message, hint);
    return null;
  }
  for (const warning of document.warnings) {
    if (warning.code === "TAG_RESOLVE_FAILED")
      reporter.reportRange(
        "CFG004",
        warning.pos,
        "YAML tags have no meaning here",
        "Remove the word that starts with '!', or quote the value.",
      );
  }
  return convertRoot(document.contents, reporter);
}

const MINIMAL = "A small one: agents: [{id: one, backend: {type: openrouter, model: openai/gpt-5-nano}}]";

function convertRoot(contents: Node | null, reporter: Reporter): MapNode | null {
  if (contents === null || (isScalar(contents) && contents.value === null && contents.source === "")) {
    reporter.reportRange("CFG007", null, "the file is empty; a config is a map of keys", MINIMAL);
    return null;
  }
  const converter = createConverter(reporter);
  const root = converter.convert(contents, null, null, "", 0);
  if (converter.gaveUp()) return null;
  if (root?.kind === "map") return root;
  if (root !== null)
    reporter.reportRange(
      "CFG007",
      root.range,
      `the config must be a map of keys, found ${root.kind === "list" ? "a list" : "a single value"}`,
      MINIMAL,
    );
  return null;
}

interface Converter {
  convert(
    node: unknown,
    keyRange: TextRange | null,
    parent: MapNode | ListNode | null,
    step: string | number,
    depth: number,
  ): ConfigNode | null;
  /** True when the text is not worth a second look: the tree is incomplete. */
  gaveUp(): boolean;
}

/** One use per document: it remembers anchors in the order in which they are met, as aliases see them. */
function createConverter(reporter: Reporter): Converter {
  const anchors = new Map<string, Node>();
  const expanding = new Set<string>();
  let aliasedNodes = 0;
  let gaveUp = false;

  const refuse = (range: TextRange | null, message: string, hint = ""): null => {
    if (!gaveUp) reporter.reportRange("CFG004", range, message, hint);
    gaveUp = true;
    return null;
  };

  const convert: Converter["convert"] = (node, keyRange, parent, step, depth) => {
    if (gaveUp) return null;
    const range = rangeOf(node);
    if (depth > MAX_DEPTH) return refuse(range, `values are nested more than ${MAX_DEPTH} levels deep`);
    if (expanding.size > 0 && ++aliasedNodes > MAX_ALIASED_NODES)
      return refuse(range, "aliases (*name) stand for too many values", "Write the values out, or share smaller blocks.");
    if (isAlias(node)) return follow(node.source, range, (target) => convert(target, keyRange, parent, step, depth));
    if (isMap(node)) {
      remember(node);
      const map: MapNode = { kind: "map", entries: new Map(), keyRange, range, parent, step };
      fillMap(map, node.items, depth);
      return map;
    }
    if (isSeq(node)) {
      remember(node);
      const list: ListNode = { kind: "list", items: [], keyRange, range, parent, step };
      for (const [index, item] of node.items.entries()) {
        const converted = convert(item, null, list, index, depth + 1);
        if (converted !== null) list.items.push(converted);
      }
      return list;
    }
    if (isScalar(node)) remember(node);
    return toScalar(isScalar(node) ? node : null, { keyRange, range: range ?? keyRange, parent, step }, reporter);
  };

  const remember = (node: Node): void => {
    if (node.anchor !== undefined && expanding.size === 0) anchors.set(node.anchor, node);
  };

  function follow<T>(name: string, range: TextRange | null, use: (target: Node) => T | null): T | null {
    const target = anchors.get(name);
    if (target === undefined) return refuse(range, `the alias '*${name}' has no anchor '&${name}' above it`);
    if (expanding.has(name)) return refuse(range, `the alias '*${name}' contains itself`);
    expanding.add(name);
    const used = use(target);
    expanding.delete(name);
    return used;
  }

  /** Own keys first, then what merge keys add; an own key always wins. */
  const fillMap = (map: MapNode, pairs: readonly Pair[], depth: number): void => {
    const merges: Pair[] = [];
    for (const pair of pairs) {
      const range = rangeOf(pair.key);
      const key = keyText(pair.key);
      if (key === null) {
        refuse(range, "a key must be text");
        return;
      }
      if (key === "<<" && isScalar(pair.key) && pair.key.type === "PLAIN") {
        merges.push(pair);
        continue;
      }
      const first = map.entries.get(key);
      const value = convert(pair.value, range, map, key, depth + 1);
      if (value === null) continue;
      if (first === undefined) map.entries.set(key, value);
      else
        reporter.report("CFG005", value, `key '${key.slice(0, 60)}' is given twice (first at line ${reporter.lineOf(first)})`, {
          on: "key",
          hint: "Remove one of them.",
        });
    }
    for (const pair of merges) merge(map, pair.value, depth);
  };

  const merge = (map: MapNode, source: unknown, depth: number): void => {
    if (gaveUp) return;
    if (depth > MAX_DEPTH) return void refuse(rangeOf(source), `values are nested more than ${MAX_DEPTH} levels deep`);
    if (isAlias(source)) return void follow(source.source, rangeOf(source), (target) => merge(map, target, depth + 1));
    if (isSeq(source)) {
      for (const item of source.items) merge(map, item, depth + 1);
      return;
    }
    if (!isMap(source)) return void refuse(rangeOf(source), "a merge key (<<) needs a map, or a list of maps");
    remember(source);
    const merged: MapNode = { ...map, entries: new Map() };
    fillMap(merged, source.items, depth);
    for (const [key, value] of merged.entries) {
      if (map.entries.has(key)) continue;
      value.parent = map;
      map.entries.set(key, value);
    }
  };

  return { convert, gaveUp: () => gaveUp };
}

function rangeOf(node: unknown): TextRange | null {
  if (!(isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) || !node.range) return null;
  return [node.range[0], node.range[1]];
}

function keyText(key: unknown): string | null {
  if (!isScalar(key) || key.value === null) return null;
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

function toScalar(node: Scalar | null, place: Omit<ScalarNode, "kind" | "value" | "written" | "source">, reporter: Reporter): ScalarNode {
  const found = node?.value ?? null;
  const value = typeof found === "string" || typeof found === "number" || typeof found === "boolean" ? found : null;
  const result: ScalarNode = {
    kind: "scalar",
    value,
    written: value,
    source: node?.type === "PLAIN" ? (node.source ?? null) : null,
    ...place,
  };
  if (typeof value === "number" && !isExact(value, result.source)) {
    const shown = isSecretPath(result) ? "this number" : (result.source ?? String(value)).slice(0, 40);
    reporter.report("CFG033", result, `${shown} cannot be kept exactly as a number`, {
      hint: "Put it in quotes if it is text; otherwise use a number of at most 9007199254740991.",
    });
    // Told once; further checks see nothing.
    result.value = null;
  }
  return result;
}

/** Digits a double would change are refused: a seed or an id that silently becomes its neighbour is worse than an error. */
const isExact = (value: number, source: string | null): boolean =>
  Number.isFinite(value) && (Number.isSafeInteger(value) || !/^[-+]?\d+$|^0[xo]/i.test(source ?? ""));
