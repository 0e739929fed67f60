import { backendKeysOnAgent } from "../normalise-agent.js";
import type { JsonSchema } from "./named-tables.js";

/** What the tables do not say because it is rewritten before they are asked (docs/spec/config.md 22): by the table it stands in. */
export function legacyForms(path: string): JsonSchema {
  return forms[path] ?? {};
}

const agent: JsonSchema = {
  type: "object",
  $ref: "#/$defs/agents",
  required: ["backend"],
  properties: { id: { type: "string", minLength: 1 }, backend: { type: "object" } },
};

const instead = (key: string, target: string): JsonSchema => ({ description: `Write ${key} instead.`, deprecated: true, $ref: target });
const property = (table: string, key: string): string => `#/$defs/${table}/properties/${key}`;
const refused = (description: string): JsonSchema => ({ description, not: {} });

const forms: { readonly [path: string]: JsonSchema } = {
  "": {
    properties: {
      agents: {
        description: "The team, in order: the first is agent1.",
        anyOf: [
          { type: "array", minItems: 1, items: agent },
          { description: "One agent without its list; write a list.", ...agent },
          { description: "Agents by their ids; write a list.", type: "object", minProperties: 1, additionalProperties: agent },
        ],
      },
      agent: { description: "A team of one.", ...agent },
      display: instead("ui", "#/properties/ui"),
      timeout: instead("timeout_settings", "#/properties/timeout_settings"),
      task: instead("prompt", "#/properties/prompt"),
    },
    oneOf: [{ required: ["agents"] }, { required: ["agent"] }],
    patternProperties: { "^(x-|_)": {} },
  },
  "agents[]": {
    properties: {
      ...Object.fromEntries(backendKeysOnAgent.map((key) => [key, instead(`backend.${key}`, property("backend", key))])),
      append_system_prompt: { description: "Has no effect; use system_message.", deprecated: true },
    },
  },
  backend: {
    properties: {
      system_prompt: refused("Write the agent's system_message instead."),
      append_system_prompt: refused("Write the agent's system_message instead."),
    },
  },
  orchestrator: {
    properties: {
      skills_directory: instead("coordination.skills_directory", property("coordination", "skills_directory")),
      max_orchestration_restarts: instead(
        "coordination.max_orchestration_restarts",
        property("coordination", "max_orchestration_restarts"),
      ),
    },
  },
  coordination: { properties: { async_subagents: refused("Write background_subagents instead.") } },
  // Beside display_type it says nothing.
  ui: {
    properties: { type: { description: "Write display_type instead.", deprecated: true } },
    if: { not: { required: ["display_type"] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { type: { $ref: property("ui", "display_type") } } },
  },
};
