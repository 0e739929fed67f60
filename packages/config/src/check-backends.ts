import { checkCapabilities } from "./check-capabilities.js";
import { checkCustomTools } from "./check-custom-tools.js";
import { checkUploads } from "./check-uploads.js";
import { quoteText } from "./describe.js";
import { providerOf, worksInFolder } from "./providers/catalogue.js";
import { hostOf } from "./providers/hosts.js";
import { knownModels } from "./providers/models.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode } from "./tree.js";

/** What must hold between the keys of a backend. Single values were checked before. */
export function checkBackends(agents: readonly MapNode[], reporter: Reporter): void {
  for (const agent of agents) {
    const backend = agent.entries.get("backend");
    if (backend?.kind !== "map") continue;
    checkModel(backend, reporter);
    checkBaseUrl(backend, reporter);
    checkCapabilities(backend, reporter);
    checkToolChoice(backend, reporter);
    checkCustomTools(backend, reporter);
    checkOutputSchema(backend, reporter);
    checkFramework(backend, reporter);
    checkWorkspace(backend, reporter);
    checkStrictTools(backend, reporter);
    checkUploads(backend, reporter);
  }
}

function checkModel(backend: MapNode, reporter: Reporter): void {
  const provider = providerOf(textOf(backend, "type") ?? "");
  if (provider === null || isGiven(backend, "model") || (provider.type === "azure_openai" && isGiven(backend, "deployment_name"))) return;
  const model = backend.entries.get("model");
  const isEmpty = model?.kind === "scalar" && typeof model.value === "string";
  if (!provider.modelRequired && !isEmpty) return;
  const known = knownModels[provider.type] ?? [];
  const hint = known.length > 0 ? `Known models: ${known.slice(0, 6).join(", ")}.` : "Add: model: <name>";
  reporter.report("CFG031", model ?? backend, `backend '${provider.type}' needs a 'model'`, { on: "key", hint });
}

function checkBaseUrl(backend: MapNode, reporter: Reporter): void {
  const node = backend.entries.get("base_url");
  const address = textOf(backend, "base_url");
  if (node === undefined || address === null) return;
  if (hostOf(address) !== null) return;
  const shown = node.kind === "scalar" ? quoteText(String(node.written)) : "";
  reporter.report("CFG032", node, `'base_url' must be an http(s) URL, found ${shown}`, {
    hint: "For example: base_url: http://localhost:8000/v1",
  });
}

/** A schema that says nothing would be obeyed by any text. */
function checkOutputSchema(backend: MapNode, reporter: Reporter): void {
  const schema = backend.entries.get("output_schema");
  if (schema?.kind !== "map" || ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"].some((key) => schema.entries.has(key))) return;
  const what = schema.entries.size === 0 ? "is empty" : "has no 'type'";
  reporter.report("CFG096", schema, `'output_schema' ${what}, so it asks for no shape`, {
    on: "key",
    hint: "For example: {type: object, properties: {…}, required: […], additionalProperties: false}",
  });
}

function checkFramework(backend: MapNode, reporter: Reporter): void {
  if (providerOf(textOf(backend, "type") ?? "")?.type !== "ag2") return;
  const given = ["agent_config", "group_config"].filter((key) => backend.entries.has(key));
  if (given.length === 1) return;
  const node = given.length === 0 ? backend : backend.entries.get("group_config")!;
  reporter.report("CFG057", node, "backend 'ag2' needs either 'agent_config' or 'group_config'", {
    on: "key",
    hint: given.length === 0 ? "For example: agent_config: {name: helper, llm_config: {…}}" : "Remove one of them.",
  });
}

/** Programs with files of their own would write into the folder they are started in. */
function checkWorkspace(backend: MapNode, reporter: Reporter): void {
  const type = providerOf(textOf(backend, "type") ?? "")?.type;
  const cwd = backend.entries.get("cwd");
  if (type === undefined || !worksInFolder(type) || (cwd !== undefined && !(cwd.kind === "scalar" && cwd.value === null))) return;
  reporter.report("CFG046", cwd ?? backend, `'${type}' needs a 'cwd', so that its files stay out of the project`, {
    on: "key",
    hint: "Add: cwd: workspace",
  });
}

/** Code that calls tools cannot keep to the form of a strict call. */
function checkStrictTools(backend: MapNode, reporter: Reporter): void {
  const strict = backend.entries.get("enable_strict_tool_use");
  const flow = backend.entries.get("enable_programmatic_flow");
  if ([strict, flow].some((node) => node?.kind !== "scalar" || node.value !== true)) return;
  reporter.report("CFG097", strict!, "'enable_strict_tool_use' does not go with 'enable_programmatic_flow'", {
    on: "key",
    hint: "Remove one of them.",
  });
}

function checkToolChoice(backend: MapNode, reporter: Reporter): void {
  const excluded = backend.entries.get("exclude_tools");
  const [allowed, denied] = ["allowed_tools", "exclude_tools"].map((key) => backend.entries.get(key));
  if (excluded === undefined || [allowed, denied].some((list) => list?.kind !== "list" || list.items.length === 0)) return;
  reporter.report("CFG072", excluded, "both 'allowed_tools' and 'exclude_tools' are given; a tool named in both is left out", {
    on: "key",
    hint: "One of them is enough, as a rule.",
  });
}

const isGiven = (map: MapNode, key: string): boolean => {
  const node = map.entries.get(key);
  if (node === undefined || (node.kind === "scalar" && node.value === null)) return false;
  return !(node.kind === "scalar" && typeof node.value === "string" && node.value.trim() === "");
};

function textOf(map: MapNode, key: string): string | null {
  const node: ConfigNode | undefined = child(map, key);
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : null;
}
