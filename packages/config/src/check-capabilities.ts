import { providerOf } from "./providers/catalogue.js";
import type { Reporter } from "./reporter.js";
import { child, type MapNode } from "./tree.js";

interface Capability {
  readonly name: string;
  readonly keys: readonly string[];
  /** Provider types whose adapter has it. */
  readonly types: readonly string[];
}

/** Tools that the provider runs itself. A provider without one would answer as if it had looked, so the key is refused. */
const CAPABILITIES: readonly Capability[] = [
  { name: "web search", keys: ["enable_web_search"], types: ["openai", "grok", "claude", "gemini", "openrouter"] },
  { name: "searching X", keys: ["enable_x_search"], types: ["grok"] },
  { name: "code execution", keys: ["enable_code_execution", "enable_code_interpreter"], types: ["openai", "grok", "claude", "gemini"] },
  { name: "searching its tools", keys: ["enable_tool_search"], types: ["claude"] },
];

/** Reports `CFG034` for every provider-run tool that a backend asks for and its provider does not have. */
export function checkCapabilities(backend: MapNode, reporter: Reporter): void {
  const written = child(backend, "type");
  const type = written?.kind === "scalar" && typeof written.value === "string" ? providerOf(written.value)?.type : undefined;
  if (type === undefined) return;
  for (const { name, keys, types } of CAPABILITIES) {
    if (types.includes(type)) continue;
    for (const key of keys) {
      const node = backend.entries.get(key);
      if (node?.kind === "scalar" && node.value === true)
        reporter.report("CFG034", node, `'${type}' does not support ${name} ('${key}')`, {
          on: "key",
          hint: `Types that do: ${types.join(", ")}.`,
        });
    }
  }
}
