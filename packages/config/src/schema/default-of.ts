import type { MassgenConfig } from "../config.js";
import { readSetting } from "../explain/read-setting.js";
import { validateConfig } from "../parse-config.js";

/** Their default hangs on the rest of the config, or on the machine. */
const DEPENDS: ReadonlySet<string> = new Set([
  "orchestrator.defer_voting_until_all_answered",
  "agents[].id",
  "agents[].voting_sensitivity",
  "backend.type",
  "backend.model",
  "backend.provider",
  "backend.provider_name",
]);

/** With every switch on whose neighbours have defaults only then. */
const plain = {
  agents: [{ id: "a", backend: { type: "openai", llm_circuit_breaker_enabled: true } }],
  orchestrator: { budget: { max_llm_calls: 1 } },
};
const SWITCHES: ReadonlySet<string> = new Set(["backend.llm_circuit_breaker_enabled", "orchestrator.budget.max_llm_calls"]);

let defaults: MassgenConfig | null = null;

/** The value a key has when nobody gives it; `undefined` when there is none, or none that holds everywhere. `path` as in `keyNotes`. */
export function defaultOf(path: string): unknown {
  if (DEPENDS.has(path)) return undefined;
  if (SWITCHES.has(path)) return path.endsWith("enabled") ? false : undefined;
  defaults ??= validateConfig(plain).config;
  if (defaults === null) return undefined;
  const full = path
    .replace(/^backend\b/, "agents[0].backend")
    .replace("agents[]", "agents[0]")
    .replace(/^coordination\b/, "orchestrator.coordination");
  const value = readSetting(defaults, full);
  const isPlain = typeof value !== "object" || (Array.isArray(value) && value.every((item) => typeof item !== "object"));
  return isPlain ? value : undefined;
}
