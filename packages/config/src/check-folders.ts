import { quoteText } from "./describe.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode } from "./tree.js";

/** Rules about the folders agents work in, by their names alone; the disk is asked by the run (docs/spec/config.md 6). */
export function checkFolders(agents: readonly MapNode[], reporter: Reporter): void {
  const taken: { readonly id: string; readonly parts: readonly string[] }[] = [];
  for (const agent of agents) {
    const node = child(child(agent, "backend"), "cwd");
    if (node?.kind !== "scalar" || typeof node.value !== "string") continue;
    const written = node.value.trim();
    if (written === "" || /^\$\{[^}]*\}$/.test(written)) {
      reporter.report("CFG073", node, `'cwd' names no folder, found ${quoteText(node.value)}`, { hint: "For example: cwd: workspace" });
      continue;
    }
    const parts = absoluteParts(written);
    if (parts === null) continue;
    const id = idOf(agent);
    const other = taken.find((one) => isPrefix(one.parts, parts) || isPrefix(parts, one.parts));
    if (other !== undefined)
      reporter.report("CFG075", node, `agents ${quoteText(other.id)} and ${quoteText(id)} would share ${quoteText(written)}`, {
        hint: "Give each a folder of its own, or a name such as 'workspace': each gets its own then.",
      });
    taken.push({ id, parts });
  }
}

/** The names on the way to an absolute folder, or to one below the home; `null` for a name, which is nobody else's. */
function absoluteParts(path: string): readonly string[] | null {
  if (!/^(?:[/\\]|~(?:[/\\]|$)|[A-Za-z]:[/\\])/.test(path)) return null;
  const parts: string[] = [];
  for (const name of path.split(/[/\\]/)) {
    if (name === "..") parts.pop();
    else if (name !== "" && name !== ".") parts.push(name);
  }
  return parts;
}

const isPrefix = (shorter: readonly string[], longer: readonly string[]): boolean =>
  shorter.length <= longer.length && shorter.every((name, index) => name === longer[index]);

const idOf = (agent: ConfigNode): string => {
  const id = child(agent, "id");
  return id?.kind === "scalar" ? String(id.value) : "";
};
