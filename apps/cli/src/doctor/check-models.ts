import { type Environment, listProviders, type ProviderEntry, providers } from "@massgen/config";
import type { Ask } from "../listings/ask-models.js";
import { isOnThisMachine, modelsRequest } from "../listings/models-request.js";
import { type Check, note, ok, problem } from "./check.js";

export interface ModelPlaces {
  readonly env: Environment;
  readonly isSupported: (type: string) => boolean;
  /** Whether vendors are asked, and not only servers on this machine. */
  readonly online: boolean;
  readonly ask: Ask;
}

/** A server on this machine answers at once or not at all. */
const LOCAL_LIMIT_MS = 1_500;
const VENDOR_LIMIT_MS = 10_000;

/** Keys and local servers, and whether there is any model to ask at all. */
export async function checkModels(places: ModelPlaces): Promise<readonly Check[]> {
  const { env, isSupported } = places;
  const rows = listProviders(env, isSupported).filter(({ supported }) => supported);
  const entryOf = (type: string): readonly ProviderEntry[] => providers.filter((provider) => provider.type === type);
  // `chatcompletion` shares the key of OpenAI and has no address of its own.
  const withKey = rows.filter(({ key, local, type }) => key === "set" && !local && type !== "chatcompletion");
  const missing = rows.filter(({ key }) => key === "missing").flatMap(({ keyVariables }) => keyVariables.slice(0, 1));
  // A type that shares the address of another is found as that one.
  const addresses = new Set<string | null>([null]);
  const local = rows
    .filter((row) => row.local)
    .flatMap(({ type }) => entryOf(type))
    .filter(({ baseUrl }) => !addresses.has(baseUrl) && addresses.add(baseUrl));
  const [keys, servers] = await Promise.all([
    Promise.all(withKey.flatMap(({ type }) => entryOf(type)).map((provider) => checkKey(provider, places))),
    Promise.all(local.map((provider) => checkServer(provider, places))),
  ]);
  const found = servers.filter((check) => check !== null);
  const silent = local.filter((_, place) => servers[place] === null).map(({ name }) => name);
  return [
    ...keys,
    ...(missing.length === 0
      ? []
      : [note("Other keys", `not set: ${[...new Set(missing)].join(", ")}`, "Store those you have with: massgen --setup")]),
    ...found,
    ...(silent.length === 0
      ? []
      : [note("Local servers", `not running: ${silent.join(", ")}`, "Start one to use its models; it is found by itself.")]),
    ...(keys.length + found.length > 0 ? [] : [nobodyToAsk]),
  ];
}

const nobodyToAsk = problem(
  "Models",
  "no key and no local server",
  "Store a key with massgen --setup (or a line OPENAI_API_KEY=… in ~/.config/massgen/.env), start a local server, or see a simulated team: massgen demo",
);

async function checkKey(provider: ProviderEntry, { env, online, ask }: ModelPlaces): Promise<Check> {
  const variables = provider.keyVariables.filter((name) => (env[name] ?? "").trim() !== "").slice(0, 1);
  const isSet = `${variables.join("")} is set`;
  if (!online) return ok(provider.name, isSet);
  const request = modelsRequest({ provider, baseUrl: null, env });
  if ("because" in request)
    return note(
      provider.name,
      `${isSet}, not tried: ${request.because}`,
      `A question to it tells: massgen --backend ${provider.type} "Hello"`,
    );
  const answer = await ask(request, VENDOR_LIMIT_MS);
  if ("models" in answer) return ok(provider.name, `${isSet} and works`);
  return problem(provider.name, `${isSet}, but ${answer.because}`, remedyFor(answer.because, variables.join("")));
}

const remedyFor = (because: string, variable: string): string =>
  /status 40[013]/.test(because)
    ? `Get a new key from the vendor and set ${variable} to it.`
    : "Check the connection and proxy of this machine, then try again.";

/** `null`: nobody listens there, which is no fault. */
async function checkServer(provider: ProviderEntry, { env, ask }: ModelPlaces): Promise<Check | null> {
  const request = modelsRequest({ provider, baseUrl: null, env });
  if ("because" in request || !isOnThisMachine(request.url)) return null;
  const answer = await ask(request, LOCAL_LIMIT_MS);
  if ("because" in answer) return null;
  const [first] = answer.models;
  if (first === undefined) return note(provider.name, `runs, without a model: ${request.shownUrl}`, "Load a model into it.");
  const count = answer.models.length === 1 ? "1 model" : `${answer.models.length} models`;
  return ok(provider.name, `runs with ${count}; try: massgen --model ${provider.type}/${first} "…"`);
}
