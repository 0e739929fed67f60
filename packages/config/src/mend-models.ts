import { quoteText } from "./describe.js";
import { resolveModel } from "./providers/resolve-model.js";
import type { Reporter } from "./reporter.js";
import { child, type MapNode } from "./tree.js";

/**
 * Writes the vendor's own name over another spelling of it, and says so. Not for a server of the user's own, whose names may
 * be anything.
 */
export function mendModels(agents: readonly MapNode[], reporter: Reporter): void {
  for (const agent of agents) {
    const backend = agent.entries.get("backend");
    const [type, model, address] = ["type", "model", "base_url"].map((key) => child(backend, key));
    if (type?.kind !== "scalar" || typeof type.value !== "string" || model?.kind !== "scalar" || typeof model.value !== "string") continue;
    if (address?.kind === "scalar" && address.value !== null) continue;
    const written = model.value;
    const name = resolveModel(type.value, written);
    if (name === written) continue;
    model.value = name;
    if (name.toLowerCase() === written.trim().toLowerCase()) continue;
    reporter.report("CFG066", model, `the model ${quoteText(written)} is called ${quoteText(name)}, which is used`, { severity: "note" });
  }
}
