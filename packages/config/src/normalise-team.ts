import { describeFound, quoteText, quotingAdvice } from "./describe.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, type MapNode, scalar } from "./tree.js";

const EXAMPLE = "agents: [{id: one, backend: {type: openrouter, model: openai/gpt-5-nano}}]";

/** The agents of a config, whichever of the accepted forms they come in. Items that are no maps are told and left out. */
export function readTeam(root: MapNode, reporter: Reporter): readonly MapNode[] {
  const many = root.entries.get("agents");
  const one = root.entries.get("agent");
  if (many !== undefined && one !== undefined) {
    reporter.report("CFG020", one, "give either 'agents' (a list) or 'agent' (one map), not both", { on: "key" });
    return onlyMaps([one], reporter);
  }
  if (one !== undefined) return onlyMaps([one], reporter);
  if (many === undefined) {
    reporter.report("CFG020", root, "give either 'agents' (a list) or 'agent' (one map)", { on: "key", hint: EXAMPLE });
    return [];
  }
  if (many.kind === "list" && many.items.length > 0) return onlyMaps(many.items, reporter);
  if (many.kind === "map" && many.entries.size > 0) return fromMap(many, reporter);
  reporter.report(
    "CFG023",
    many,
    `'agents' must be a non-empty list, found ${many.kind === "map" ? "an empty map" : describeFound(many)}`,
    { hint: EXAMPLE },
  );
  return [];
}

function fromMap(team: MapNode, reporter: Reporter): readonly MapNode[] {
  if (team.entries.has("backend")) {
    reporter.report("CFG022", team, "'agents' should be a list; read as one agent", {
      on: "key",
      hint: "Put '- ' before the agent's first key.",
    });
    return [team];
  }
  const members = [...team.entries];
  reporter.report("CFG021", team, `'agents' should be a list; read as ${members.length} agents named by their keys`, { on: "key" });
  for (const [id, agent] of members) {
    // The key is the id, and what is wrong with it is shown there.
    if (agent.kind === "map" && !agent.entries.has("id")) agent.entries.set("id", { ...scalar(id, agent, "id"), range: agent.keyRange });
  }
  return onlyMaps(
    members.map(([, agent]) => agent),
    reporter,
  );
}

function onlyMaps(nodes: readonly ConfigNode[], reporter: Reporter): readonly MapNode[] {
  return nodes.filter((node): node is MapNode => {
    if (node.kind !== "map") reporter.report("CFG026", node, `an agent must be a map, found ${describeFound(node)}`, { hint: EXAMPLE });
    return node.kind === "map";
  });
}

/** Sees to it that every agent has a usable id, and no two the same. */
export function nameAgents(agents: readonly MapNode[], reporter: Reporter): void {
  const seen = new Map<string, ConfigNode>();
  for (const [index, agent] of agents.entries()) {
    const id = agent.entries.get("id");
    if (id === undefined) {
      const name = `agent${index + 1}`;
      reporter.report("CFG024", agent, `agent has no 'id'; using '${name}'`, { on: "key", hint: `Add: id: ${name}` });
      agent.entries.set("id", scalar(name, agent, "id"));
    } else if (!isId(id, reporter)) {
      // Told once; the structure check must not tell it again.
      agent.entries.delete("id");
    }
    const named = agent.entries.get("id");
    if (named?.kind !== "scalar" || typeof named.value !== "string") continue;
    const first = seen.get(named.value);
    if (first === undefined) seen.set(named.value, named);
    else
      reporter.report("CFG027", named, `agent id ${quoteText(named.value)} is used twice${firstPlace(first, reporter)}`, {
        hint: "Give every agent an id of its own.",
      });
  }
}

function isId(id: ConfigNode, reporter: Reporter): boolean {
  if (id.kind !== "scalar" || typeof id.value !== "string") {
    reporter.report("CFG026", id, `'id' must be text, found ${describeFound(id)}`, { hint: quotingAdvice("id", id) });
    return false;
  }
  const length = [...id.value].length;
  if (id.value.trim() === "") reporter.report("CFG026", id, "'id' must not be empty");
  else if (length > 100) reporter.report("CFG026", id, `'id' has ${length} characters; at most 100 are allowed`);
  else if (/[\p{Cc}\u2028\u2029]/u.test(id.value)) reporter.report("CFG026", id, `'id' holds a control character: ${quoteText(id.value)}`);
  return true;
}

function firstPlace(first: ConfigNode, reporter: Reporter): string {
  const line = reporter.lineOf(first);
  return line === null ? "" : ` (first at line ${line})`;
}
