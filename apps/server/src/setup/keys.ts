import { join } from "node:path";
import type { ProviderState, SetupState, StoredKey } from "@massgen/client";
import { keyProviders, knownModels, listProviders, refuseKey } from "@massgen/config";
import { storeKeys } from "@massgen/config/node";
import { whyUnsupported } from "@massgen/sdk/team";
import { badRequest } from "../errors.js";
import type { ServerOptions } from "../options.js";

/** The environment that runs of this server see; keys that are stored while it runs are put into it. */
export type LiveEnv = Record<string, string | undefined>;

const isSupported = (type: string): boolean => whyUnsupported(type) === null;

/** Who can be asked, and what for. */
export function providerStates(env: LiveEnv): readonly ProviderState[] {
  return listProviders(env, isSupported)
    .filter(({ supported }) => supported)
    .map(({ type, name, keyVariables, key, local, defaultModel }) => ({
      type,
      name,
      variable: keyVariables[0] ?? null,
      key,
      local,
      models: [...new Set([...(defaultModel === null ? [] : [defaultModel]), ...(knownModels[type] ?? [])])],
    }));
}

export const keyFileOf = ({ home }: Pick<ServerOptions, "home">): SetupState["keyFile"] => join(home, ".config", "massgen", ".env");

/**
 * Keeps a key where `massgen --setup` would, readable for its owner alone. A value that the process was started with counts
 * more than the file, as for every run.
 *
 * @throws ApiError 400 that says what is wrong with it and never repeats it
 */
export async function keepKey(
  variable: string,
  value: string,
  file: string,
  env: LiveEnv,
  fromProcess: ReadonlySet<string>,
): Promise<StoredKey> {
  const provider = keyProviders(isSupported).find(({ keyVariables }) => keyVariables.includes(variable));
  if (provider === undefined) throw badRequest("That is no variable of a provider's key.", "variable", "unknown_variable");
  const why = refuseKey(provider.keyVariables, value);
  if (why !== undefined) throw badRequest(why, "value", "no_key");
  const key = value.trim();
  await storeKeys(file, new Map([[variable, key]]));
  const wins = !fromProcess.has(variable);
  if (wins) env[variable] = key;
  return { variable, wins };
}
