import { homedir } from "node:os";
import { join } from "node:path";
import type { PriceTable } from "@massgen/backend-kit";
import { builtInRateLimits, type ConfigOverrides, type Environment, type LoadedConfig, quickConfig, validateConfig } from "@massgen/config";
import { loadRateLimits } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import type { RateLimitSettings } from "./backends/limiters.js";
import { buildConfig } from "./build-config.js";
import { loadConfig } from "./load-config.js";
import { loadPrices } from "./load-prices.js";
import type { RunOptions } from "./options.js";

export interface ResolvedTeam {
  readonly loaded: LoadedConfig;
  /** Absolute path of the file it came from; `null` for a team that came from none. */
  readonly path: string | null;
  /** Read only when an agent keeps to them. */
  readonly rateLimits: RateLimitSettings;
  /** Of the user's price file; `null` without one. */
  readonly prices: PriceTable | null;
}

/** Where names are looked up. */
export interface TeamPlaces {
  readonly env: Environment;
  readonly cwd: string;
  readonly home?: string;
  readonly examplesDir?: string;
}

/**
 * The team that the options name: a config, else models or backends, else one model or backend, else the config of the
 * project or user.
 *
 * @throws MassgenError `USAGE` when a config and a list of models are given, `CONFIG_NOT_FOUND`
 */
export async function resolveTeam(options: RunOptions, places: TeamPlaces): Promise<ResolvedTeam> {
  const team = await findTeam(options, places);
  const isLimited = team.loaded.config?.agents.some(({ backend }) => backend.rateLimited) === true;
  const { cwd, home = homedir() } = places;
  const table = isLimited ? await loadRateLimits({ cwd, home }) : builtInRateLimits;
  return {
    ...team,
    prices: await loadPrices(home),
    rateLimits: { table, stateFile: isLimited ? join(home, ".massgen", "rate_state.json") : null },
  };
}

async function findTeam(options: RunOptions, places: TeamPlaces): Promise<Pick<ResolvedTeam, "loaded" | "path">> {
  const { env } = places;
  const { config, model, backend, models, backends, numAgents, baseUrl, systemMessage } = options;
  const overrides: ConfigOverrides = {
    ...given("orchestratorTimeoutSeconds", options.timeoutSeconds),
    ...given("rateLimit", options.rateLimit),
    ...given("singleAgent", options.singleAgent),
    ...given("coordinationMode", options.coordinationMode),
    ...given("quick", options.quick),
    ...given("record", options.record),
    ...given("contextPaths", options.contextPaths),
    ...given("filesystem", options.enableFilesystem),
  };
  const single = { ...given("model", model), ...given("baseUrl", baseUrl), ...given("systemMessage", systemMessage) };
  const isList = models !== undefined || backends !== undefined || (numAgents !== undefined && numAgents !== 1);
  if (config !== undefined && (isList || backend !== undefined)) {
    throw new MassgenError("USAGE", 'The option "config" does not go with "models", "backend", "backends" or "numAgents".', {
      hint: "Give one of them.",
    });
  }
  if (typeof config === "object") return { loaded: validateConfig(config, { env, overrides: { ...overrides, ...single } }), path: null };
  if (config !== undefined) return fromFile(config);
  if (isList) return { loaded: validateConfig(buildConfig(options), { env, overrides }), path: null };
  if (model !== undefined || backend !== undefined)
    return { loaded: quickConfig({ ...single, ...given("backend", backend), env, overrides }), path: null };
  return fromFile(null);

  async function fromFile(name: string | null): Promise<Pick<ResolvedTeam, "loaded" | "path">> {
    const { path, ...loaded } = await loadConfig(name, { ...places, overrides: { ...overrides, ...single } });
    return { loaded, path };
  }
}

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
