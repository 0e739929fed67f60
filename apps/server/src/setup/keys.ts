import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProviderState, RemovedKey, SetupState, StoredKey } from "@massgen/client";
import { keyProviders, knownModels, listProviders, refuseKey } from "@massgen/config";
import { parseEnvFile, removeKeys, storeKeys } from "@massgen/config/node";
import { loadEnv, whyUnsupported } from "@massgen/sdk/team";
import { badRequest } from "../errors.js";
import type { ServerOptions } from "../options.js";

/** The environment that runs of this server see; keys that are stored while it runs are put into it. */
export type LiveEnv = Record<string, string | undefined>;

const isSupported = (type: string): boolean => whyUnsupported(type) === null;

/** Who can be asked, and what for. */
export async function providerStates(env: LiveEnv, file: string, fromProcess: ReadonlySet<string>): Promise<readonly ProviderState[]> {
  const inFile = await namesIn(file);
  const fromOf = (name: string | undefined): ProviderState["from"] =>
    name === undefined ? null : fromProcess.has(name) ? "environment" : inFile.has(name) ? "keyFile" : "otherFile";
  /** A provider may know several names; the one that holds its key is what can be changed and removed. */
  const holderOf = (variables: readonly string[]): string | undefined => variables.find((one) => isSet(env[one]));
  return listProviders(env, isSupported)
    .filter(({ supported }) => supported)
    .map(({ type, name, keyVariables, key, local, defaultModel }) => ({
      type,
      name,
      variable: holderOf(keyVariables) ?? keyVariables[0] ?? null,
      key,
      from: fromOf(holderOf(keyVariables)),
      local,
      models: [...new Set([...(defaultModel === null ? [] : [defaultModel]), ...(knownModels[type] ?? [])])],
    }));
}

export const keyFileOf = ({ home }: Pick<ServerOptions, "home">): SetupState["keyFile"] => join(home, ".config", "massgen", ".env");

/**
 * Keeps a key where `massgen --setup` would, readable for its owner alone. A value that the process was started with, or
 * a file of the project, counts more, as for every run.
 *
 * @throws ApiError 400 that says what is wrong with it and never repeats it
 */
export async function keepKey(variable: string, value: string, file: string, env: LiveEnv, places: KeyPlaces): Promise<StoredKey> {
  const provider = keyProviders(isSupported).find(({ keyVariables }) => keyVariables.includes(variable));
  if (provider === undefined) throw badRequest("That is no variable of a provider's key.", "variable", "unknown_variable");
  const why = refuseKey(provider.keyVariables, value);
  if (why !== undefined) throw badRequest(why, "value", "no_key");
  const key = value.trim();
  await storeKeys(file, new Map([[variable, key]]));
  await readAgain(variable, env, places);
  return { variable, wins: env[variable]?.trim() === key };
}

/**
 * Takes a key out of that file. What the process was started with, or another file has, counts on.
 *
 * @throws ApiError 400 for what is no variable of a provider's key
 */
export async function dropKey(variable: string, file: string, env: LiveEnv, places: KeyPlaces): Promise<RemovedKey> {
  if (!keyProviders(isSupported).some(({ keyVariables }) => keyVariables.includes(variable)))
    throw badRequest("That is no variable of a provider's key.", "variable", "unknown_variable");
  const removed = (await namesIn(file)).has(variable);
  if (removed) {
    await removeKeys(file, new Set([variable]));
    await readAgain(variable, env, places);
  }
  return { variable, removed, still: isSet(env[variable]) };
}

/** What counts now that a file was changed, as it would after a restart: several files and the process may have a value. */
async function readAgain(variable: string, env: LiveEnv, places: KeyPlaces): Promise<void> {
  const value = (await loadEnv(places)).env[variable];
  if (isSet(value)) env[variable] = value;
  else delete env[variable];
}

/** Where a server finds the environment of its runs. */
export interface KeyPlaces {
  readonly cwd: string;
  readonly home: string;
  readonly processEnv: Readonly<Record<string, string | undefined>>;
}

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== "";

/** Nothing for a file that is not there or cannot be read: it is told of where something is written. */
async function namesIn(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, "utf8").catch(() => "");
  return new Set(parseEnvFile(text).values.keys());
}
