import type { PriceTable } from "@massgen/backend-kit";
import { builtInRateLimits, displayName, type Environment, type MassgenConfig, providerOf, resolveApiKey } from "@massgen/config";
import { type Ambient, MassgenError } from "@massgen/contracts";
import type { Agent } from "@massgen/core";
import { openGuards } from "./backends/guards.js";
import { openLimiters, type RateLimitSettings } from "./backends/limiters.js";
import { createBackend, whyUnsupported } from "./backends.js";

export interface BuiltAgents {
  readonly agents: readonly Agent[];
  /** Keys in use, for the redaction of logs. */
  readonly secrets: readonly string[];
}

/**
 * The agents of a config, each with its adapter. Only adapters that are needed are loaded, nothing is connected.
 *
 * @throws MassgenError before anything is made: `NOT_SUPPORTED` or `UNKNOWN_BACKEND` for the first type without an adapter,
 * `MISSING_API_KEY` with all agents that lack one; `UNKNOWN_BACKEND` for a module that gives no adapter.
 */
export async function buildAgents(
  config: MassgenConfig,
  env: Environment,
  ambient: Partial<Ambient> = {},
  modulesFrom?: readonly string[],
  rateLimits: RateLimitSettings = { table: builtInRateLimits, stateFile: null },
  prices: PriceTable | null = null,
): Promise<BuiltAgents> {
  const fault = whyNotReady(config, env);
  if (fault !== null) throw fault;
  const keys = config.agents.map(({ backend }) => resolveApiKey(backend, env));
  const findGuard = openGuards();
  const findLimiter = openLimiters(rateLimits);
  const agents = await Promise.all(
    config.agents.map(async ({ id, backend, systemMessage, votingSensitivity, subtask }, index): Promise<Agent> => {
      const key = keys[index] ?? { key: null, variables: [] };
      const keyName = backend.apiKey === null ? (key.variables.find((name) => env[name]?.trim() === key.key) ?? null) : null;
      const limiter = await findLimiter(backend);
      return {
        id,
        backend: await createBackend({ config: backend, apiKey: key.key, keyName, env, findGuard, limiter, prices, ambient, modulesFrom }),
        votingSensitivity,
        maxOutputTokens: backend.maxTokens,
        ...(systemMessage === null ? {} : { instructions: systemMessage }),
        ...(subtask === null ? {} : { subtask }),
      };
    }),
  );
  const placeholders = new Set(config.agents.map(({ backend }) => providerOf(backend.type)?.placeholderKey));
  return { agents, secrets: keys.flatMap(({ key }) => (key === null || placeholders.has(key) ? [] : [key])) };
}

/**
 * What keeps the agents of a config from being made, before anything is loaded: `NOT_SUPPORTED` or `UNKNOWN_BACKEND` for the
 * first type without an adapter, `CONFIG_INVALID` for addresses that only the user knows, `MISSING_API_KEY` with all agents that
 * lack one. `null`: nothing.
 */
export function whyNotReady({ agents }: Pick<MassgenConfig, "agents">, env: Environment): MassgenError | null {
  const unsupported = agents.map((agent) => whyUnsupported(agent.backend.type)).find((error) => error !== null);
  if (unsupported !== undefined) return unsupported;
  const homeless = agents.filter(({ backend }) => isHomeless(backend, env));
  if (homeless.length > 0) return missingEndpoints(homeless);
  const missing = agents.flatMap((agent) => {
    const { needed, key, variables } = resolveApiKey(agent.backend, env);
    return needed && !key ? [{ agent, variables }] : [];
  });
  return missing.length > 0 ? missingKeys(missing) : null;
}

type AgentConfig = MassgenConfig["agents"][number];

/** A provider whose address is its user's own: every Azure resource has another. */
function isHomeless({ type, baseUrl }: AgentConfig["backend"], env: Environment): boolean {
  const variable = providerOf(type)?.endpointVariable ?? null;
  return variable !== null && baseUrl === null && !env[variable]?.trim();
}

function missingEndpoints(agents: readonly AgentConfig[]): MassgenError {
  const lines = agents.map(
    ({ id, backend }) =>
      `Agent ${JSON.stringify(id)} (${displayName(backend)}) needs the address of your own endpoint: set ${providerOf(backend.type)?.endpointVariable} or backend.base_url in its config.`,
  );
  return new MassgenError("CONFIG_INVALID", lines.join("\n"), {
    exitCode: 1,
    hint: "For Azure OpenAI it looks like https://<resource>.openai.azure.com.",
  });
}

interface MissingKey {
  readonly agent: AgentConfig;
  readonly variables: readonly string[];
}

function missingKeys(missing: readonly MissingKey[]): MassgenError {
  const lines = missing.map(({ agent, variables }) => {
    const where = variables.length === 0 ? "backend.api_key in its config" : variables.join(" or ");
    return `Agent ${JSON.stringify(agent.id)} (${displayName(agent.backend)}) needs an API key: set ${where}.`;
  });
  return new MassgenError("MISSING_API_KEY", lines.join("\n"), {
    exitCode: 1,
    hint: "A key may stand in the environment or in a .env file: ./.env, ./configs/.env, ~/.config/massgen/.env, ~/.massgen/.env; massgen --setup puts it there.",
  });
}
