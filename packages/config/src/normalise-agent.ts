import { describeFound, quoteText, quotingAdvice } from "./describe.js";
import { systemTextKeys } from "./keys/backend.js";
import { misplaced } from "./move-keys.js";
import { didYouMean, nearest } from "./nearest.js";
import { providerNames, providerOf, providers } from "./providers/catalogue.js";
import { findProvider, nearestModels } from "./providers/find-provider.js";
import { namesModule } from "./providers/module-type.js";
import type { Reporter } from "./reporter.js";
import { child, emptyMap, type MapNode, scalar } from "./tree.js";

/** Keys of the backend that tutorials write one level too high. */
export const backendKeysOnAgent: readonly string[] = [
  "cwd",
  "context_paths",
  "mcp_servers",
  "temperature",
  "top_p",
  "max_tokens",
  "base_url",
  "api_key",
  "reasoning",
  "allowed_tools",
  "exclude_tools",
];

/** Puts an agent's keys where they belong and its backend into its usual form. */
export function normaliseAgent(agent: MapNode, reporter: Reporter): void {
  const unused = agent.entries.get("append_system_prompt");
  if (unused !== undefined) {
    reporter.report("CFG062", unused, "'append_system_prompt' has no effect", { on: "key", hint: "Use 'system_message'." });
    agent.entries.delete("append_system_prompt");
  }
  const backend = agent.entries.get("backend");
  if (backend?.kind !== "map") {
    const found = backend === undefined ? "" : `, found ${describeFound(backend)}`;
    reporter.report("CFG028", backend ?? agent, `agent needs a 'backend' map${found}`, {
      on: backend === undefined ? "key" : "value",
      hint: "backend: {type: openrouter, model: openai/gpt-5-nano}",
    });
    agent.entries.delete("backend");
    return;
  }
  for (const key of backendKeysOnAgent) misplaced(agent, key, backend, key, `backend.${key}`, reporter);
  for (const key of systemTextKeys) {
    const text = backend.entries.get(key);
    if (text === undefined) continue;
    reporter.report("CFG035", text, `'${key}' does not belong in 'backend'`, {
      on: "key",
      hint: "Move it to the agent's 'system_message'.",
    });
    backend.entries.delete(key);
  }
  normaliseType(backend, reporter);
  dropRetiredSearch(backend, reporter);
}

function normaliseType(backend: MapNode, reporter: Reporter): void {
  const type = backend.entries.get("type");
  if (type === undefined || (type.kind === "scalar" && type.value === null)) {
    inferType(backend, reporter);
    return;
  }
  if (type.kind !== "scalar" || typeof type.value !== "string") {
    reporter.report("CFG030", type, `'type' must be text, found ${describeFound(type)}`, { hint: quotingAdvice("type", type) });
    backend.entries.delete("type");
    return;
  }
  const provider = providerOf(type.value);
  if (provider !== null) {
    type.value = provider.type;
    return;
  }
  if (namesModule(type.value)) {
    type.value = type.value.trim();
    return;
  }
  const shown = typeof type.written === "string" ? quoteText(type.written) : "";
  const hint = `${didYouMean(nearest(type.value, providerNames))} Types: ${providers.map((entry) => entry.type).join(", ")}.`.trim();
  reporter.report("CFG030", type, `unknown backend type ${shown}`, { hint });
}

/** A backend with a model and no type: the name of the model says who serves it. */
function inferType(backend: MapNode, reporter: Reporter): void {
  const model = backend.entries.get("model");
  if (model?.kind !== "scalar" || typeof model.value !== "string" || model.value.trim() === "") {
    reporter.report("CFG025", backend, "backend has no 'type'", {
      on: "key",
      severity: "error",
      hint: `Add: type: <one of ${providers.map((entry) => entry.type).join(", ")}>`,
    });
    return;
  }
  const found = findProvider(model.value);
  if (found === null) {
    const hint = `${didYouMean(nearestModels(model.value))} Otherwise add: type: <provider>`.trim();
    reporter.report("CFG025", backend, `backend has no 'type', and the model ${quoteText(String(model.written))} does not tell it`, {
      on: "key",
      severity: "error",
      hint,
    });
    return;
  }
  reporter.report("CFG025", backend, `backend has no 'type'; taken as '${found.type}' from the model`, {
    on: "key",
    severity: "warning",
    hint: `Add: type: ${found.type}`,
  });
  backend.entries.set("type", scalar(found.type, backend, "type"));
  model.value = found.model;
  if (found.reasoningEffort === null || backend.entries.has("reasoning")) return;
  const reasoning = emptyMap(backend, "reasoning");
  reasoning.entries.set("effort", scalar(found.reasoningEffort, reasoning, "effort"));
  backend.entries.set("reasoning", reasoning);
}

/** xAI answers requests with this block with HTTP 410. */
function dropRetiredSearch(backend: MapNode, reporter: Reporter): void {
  const extra = backend.entries.get("extra_body");
  const search = child(extra, "search_parameters");
  const type = child(backend, "type");
  if (search === undefined || extra?.kind !== "map" || type?.kind !== "scalar" || type.value !== "grok") return;
  extra.entries.delete("search_parameters");
  reporter.report("CFG058", search, "Live Search was retired by xAI; 'search_parameters' is not sent", {
    on: "key",
    hint: "Use 'enable_web_search: true' instead.",
  });
}
