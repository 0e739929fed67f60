import { quoteText } from "./describe.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode } from "./tree.js";

/** Rules about `custom_tools` that need no module: lists go by position, and no two tools of an agent have one name (docs/spec/config.md 7). */
export function checkCustomTools(backend: ConfigNode | undefined, reporter: Reporter): void {
  const list = child(backend, "custom_tools");
  if (list?.kind !== "list") return;
  const seen = new Map<string, ConfigNode>();
  for (const entry of list.items) {
    if (entry.kind !== "map") continue;
    checkLengths(entry, reporter);
    for (const { name, node } of namesOf(entry)) {
      const before = seen.get(name);
      seen.set(name, before ?? node);
      if (before !== undefined && before !== node) reportTwice(name, node, before, reporter);
    }
  }
}

function reportTwice(name: string, node: ConfigNode, before: ConfigNode, reporter: Reporter): void {
  const line = reporter.lineOf(before);
  const where = line === null ? "" : ` (first at line ${line})`;
  reporter.report("CFG051", node, `two custom tools of one agent are called ${quoteText(name)}${where}`, {
    hint: "Give one of them another 'name'.",
  });
}

const PARTS = ["name", "function", "func", "description", "preset_args", "default_params"];

/** What says something of each function of an entry says it of all of them, or of each by position. */
function checkLengths(entry: MapNode, reporter: Reporter): void {
  const lists = PARTS.flatMap((key) => {
    const node = entry.entries.get(key);
    return node?.kind === "list" && node.items.length > 0 ? [{ key, node }] : [];
  });
  const leading = lists.find(({ key }) => key === "function" || key === "func") ?? lists.find(({ key }) => key === "name");
  for (const { key, node } of lists) {
    const functions = leading === undefined ? 1 : leading.node.items.length;
    if (node.items.length === functions) continue;
    const of = leading === undefined ? "one function" : `${functions} in '${leading.key}'`;
    reporter.report("CFG050", node, `'${key}' names ${node.items.length}, and there ${functions === 1 ? "is" : "are"} ${of}`, {
      on: "key",
      hint: "Lists of one entry go by position: give all the same length.",
    });
  }
}

function namesOf(entry: MapNode): readonly { readonly name: string; readonly node: ConfigNode }[] {
  const node = ["name", "function", "func"].map((key) => entry.entries.get(key)).find((found) => found !== undefined);
  const nodes = node?.kind === "list" ? node.items : node === undefined ? [] : [node];
  return nodes.flatMap((one) => (one.kind === "scalar" && typeof one.value === "string" ? [{ name: one.value, node: one }] : []));
}
