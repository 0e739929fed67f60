import { providerOf } from "./providers/catalogue.js";
import type { Reporter } from "./reporter.js";
import type { MapNode } from "./tree.js";

const oldWords = ["models", "model_configs", "num_agents", "max_rounds", "consensus_threshold", "voting_enabled", "enable_voting"];

/** True for files that are no team in today's language; says which kind they are. Nothing else is checked in them. */
export function recogniseForeignFile(root: MapNode, reporter: Reporter): boolean {
  const found = oldWords.filter((word) => root.entries.has(word));
  if (found.length > 0) {
    const first = root.entries.get(found[0]!)!;
    reporter.report("CFG010", first, `this is an old V1 config (found ${found.map((word) => `'${word}'`).join(", ")})`, {
      on: "key",
      hint: "Write the team as a list under 'agents'; see docs/spec/config.md.",
    });
    return true;
  }
  const sections = [...root.entries];
  if (sections.length > 0 && sections.every(([key, value]) => value.kind === "map" && providerOf(key) !== null)) {
    reporter.report("CFG020", sections[0]![1], "this is a rate limit file, not a team", {
      on: "key",
      hint: "Name a file with 'agents' instead.",
    });
    return true;
  }
  return false;
}
