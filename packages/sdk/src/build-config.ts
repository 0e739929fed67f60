import { findProvider, nearestModels } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { refuseLaterOptions, type TeamOptions } from "./options.js";

/** A config in the language of the files, ready for `validateConfig` or to be written as YAML. */
export interface PlainConfig {
  readonly agents: readonly PlainAgent[];
}
export interface PlainAgent {
  readonly id: string;
  readonly backend: {
    readonly type: string;
    readonly model?: string;
    readonly base_url?: string;
    readonly reasoning?: { readonly effort: string };
    readonly cwd?: string;
    readonly enable_mcp_command_line?: true;
    readonly command_line_execution_mode?: "docker";
  };
  readonly system_message?: string;
}

/**
 * A team from names of models and providers: agents `agent_a`, `agent_b`, …
 *
 * @throws MassgenError `CONFIG_INVALID` when a model does not tell its provider or nothing says who takes part,
 * `USAGE` when options contradict each other, `NOT_SUPPORTED` for options of features that are not built.
 *
 * @example buildConfig({ models: ["groq/llama-3.3-70b-versatile", "ollama/qwen3"] })
 */
export function buildConfig(options: TeamOptions): PlainConfig {
  refuseLaterOptions(options);
  const { baseUrl, systemMessage, enableFilesystem, useDocker } = options;
  return {
    agents: membersOf(options).map(({ model, backend }, index) => ({
      id: agentId(index),
      backend: {
        ...backendOf(model, backend, baseUrl),
        ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
        ...(enableFilesystem === true || useDocker === true ? { cwd: "workspace" } : {}),
        ...(useDocker === true ? { enable_mcp_command_line: true, command_line_execution_mode: "docker" } : {}),
      },
      ...(systemMessage === undefined ? {} : { system_message: systemMessage }),
    })),
  };
}

interface Member {
  readonly model: string | undefined;
  readonly backend: string | undefined;
}

function membersOf({ model, models, backend, backends, numAgents }: TeamOptions): readonly Member[] {
  if (model !== undefined && models !== undefined) throw contradiction("model", "models");
  if (backend !== undefined && backends !== undefined) throw contradiction("backend", "backends");
  const several = models?.length ?? backends?.length;
  if (several === undefined) {
    if (model === undefined && backend === undefined) {
      throw new MassgenError("CONFIG_INVALID", "Nothing says who takes part.", { exitCode: 1, hint: "Give models, a model or a backend." });
    }
    return Array.from({ length: countOf(numAgents ?? 1) }, () => ({ model, backend }));
  }
  if (numAgents !== undefined && numAgents !== several) throw contradiction("numAgents", models === undefined ? "backends" : "models");
  if (models !== undefined && backends !== undefined && models.length !== backends.length) throw contradiction("models", "backends");
  return Array.from({ length: countOf(several) }, (_, index) => ({
    model: models?.[index] ?? model,
    backend: backends?.[index] ?? backend,
  }));
}

function countOf(count: number): number {
  if (Number.isInteger(count) && count > 0) return count;
  throw new MassgenError("USAGE", `A team has at least one agent, not ${count}.`);
}

function backendOf(model: string | undefined, backend: string | undefined, baseUrl: string | undefined): PlainAgent["backend"] {
  if (backend !== undefined) return { type: backend, ...(model === undefined ? {} : { model }) };
  const found = findProvider(model ?? "");
  if (found !== null) {
    return {
      type: found.type,
      model: found.model,
      ...(found.reasoningEffort === null ? {} : { reasoning: { effort: found.reasoningEffort } }),
    };
  }
  if (baseUrl !== undefined) return { type: "chatcompletion", model: model ?? "" };
  const near = nearestModels(model ?? "");
  throw new MassgenError("CONFIG_INVALID", `The model ${JSON.stringify(model)} does not tell its provider.`, {
    exitCode: 1,
    hint: `${near.length === 0 ? "" : `Did you mean ${near.join(" or ")}? `}Write provider/model, or name the backend.`,
  });
}

/** `agent_a` … `agent_z`, then `agent_27`. */
const agentId = (index: number): string => `agent_${index < 26 ? String.fromCharCode(97 + index) : index + 1}`;

const contradiction = (one: string, other: string): MassgenError =>
  new MassgenError("USAGE", `The options "${one}" and "${other}" contradict each other.`, { hint: "Give one of them." });
