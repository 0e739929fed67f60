import {
  type BackendConfig,
  type Environment,
  type LoadedConfig,
  namesModule,
  providerOf,
  requireConfig,
  resolveApiKey,
} from "@massgen/config";
import type { AgentId } from "@massgen/contracts";
import { anonIdAt } from "@massgen/kernel";

/** A team whose models are asked of nobody; everything else is as its config says. */
export interface StandInTeam {
  readonly loaded: LoadedConfig;
  /** The key of each agent's requests, by which the stand-in knows who asks: a made-up one. */
  readonly agentOfKey: (key: string) => AgentId | null;
  /** What a run with real models needs and this machine does not have. */
  readonly missingKeys: readonly MissingKey[];
  /** Where this run is not what the config says, a sentence each. */
  readonly notes: readonly string[];
}

export interface MissingKey {
  readonly agent: AgentId;
  /** Variables one of which would do. */
  readonly variables: readonly string[];
}

/**
 * The team of a config for a dry run: no key of the user is used, nothing waits for a rate limit, no folder or command of the
 * user's works on made-up answers.
 *
 * @throws MassgenError for a config that is not good
 */
export function standInTeam(loaded: LoadedConfig, env: Environment): StandInTeam {
  const config = requireConfig(loaded);
  const keys = new Map(config.agents.map(({ id }, index) => [`${KEY_PREFIX}${anonIdAt(index)}`, id]));
  const keyOf = (index: number): string => `${KEY_PREFIX}${anonIdAt(index)}`;
  const agents = config.agents.map((agent, index) => ({
    ...agent,
    backend: standIn(agent.backend, keyOf(index), env),
    hands: agent.hands === null || isName(agent.hands.cwd) ? agent.hands : { ...agent.hands, cwd: `dry_run_${anonIdAt(index)}` },
  }));
  const { verify } = config.orchestrator;
  return {
    loaded: { ...loaded, config: { ...config, agents, orchestrator: { ...config.orchestrator, verify: null } } },
    agentOfKey: (key) => keys.get(key) ?? null,
    missingKeys: config.agents.flatMap(({ id, backend }) => {
      const { key, needed, variables } = resolveApiKey(backend, env);
      return needed && !key ? [{ agent: id, variables }] : [];
    }),
    notes: [
      ...config.agents.flatMap(({ id, backend }) =>
        namesModule(backend.type) ? [`The adapter ${backend.type} of ${id} is not loaded: a stand-in speaks for it.`] : [],
      ),
      ...config.agents.flatMap(({ id, hands }) =>
        hands === null || isName(hands.cwd) ? [] : [`${hands.cwd} is left alone: ${id} works in a new folder.`],
      ),
      ...(verify === null ? [] : [`Answers are not checked by ${JSON.stringify(verify)}: they are made up.`]),
    ],
  };
}

const KEY_PREFIX = "key-of-a-stand-in-for-";

/** The adapter and the address stay, so that requests have the form the vendor gets. */
function standIn(backend: BackendConfig, apiKey: string, env: Environment): BackendConfig {
  const common = { ...backend, apiKey, rateLimited: false };
  if (namesModule(backend.type)) return { ...common, type: "chatcompletion", baseUrl: NOWHERE, model: backend.model ?? "unnamed" };
  const variable = providerOf(backend.type)?.endpointVariable ?? null;
  const isHomeless = variable !== null && backend.baseUrl === null && !env[variable]?.trim();
  return isHomeless ? { ...common, baseUrl: NOWHERE } : common;
}

const NOWHERE = "https://stand-in.invalid/v1";

/** A folder below `.massgen` of its own, and not one of the user's. */
const isName = (cwd: string): boolean => !/^(?:[/\\~]|[A-Za-z]:)/.test(cwd);
