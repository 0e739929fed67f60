import { type Environment, knownModels, type ProviderEntry, providerOf, providers } from "@massgen/config";
import { whyUnsupported } from "@massgen/sdk/team";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { askModels } from "../listings/ask-models.js";
import { modelsRequest } from "../listings/models-request.js";
import { visibleJson, visibleLine } from "../output/visible-text.js";
import { readEnv } from "../read-env.js";

export interface ModelsRequested {
  /** A type or an alias; `null`: all that work today. */
  readonly provider: string | null;
  readonly baseUrl: string | null;
  readonly json: boolean;
}

interface ModelList {
  readonly provider: string;
  /** Who says so: the server itself, or the list that ships with the program. */
  readonly source: "server" | "built_in";
  /** Why the server was not heard; `null` when it was. */
  readonly note: string | null;
  readonly models: readonly string[];
}

/**
 * `massgen --list-models [provider]`: one model a line, as it is written behind `--model`. A server is asked when there is a
 * key for it or it is local.
 *
 * @throws MassgenError `UNKNOWN_BACKEND` for a provider nobody knows
 */
export async function listModels({ provider: name, baseUrl, json }: ModelsRequested, io: Io): Promise<ExitCode> {
  const named = name === null ? null : providerOf(name);
  if (name !== null && named === null) throw whyUnsupported(name);
  const { env } = await readEnv(io);
  const asked = named === null ? providers.filter(({ type }) => whyUnsupported(type) === null) : [named];
  const lists = await Promise.all(asked.map((provider) => listOf(provider, baseUrl, env, io.interrupt)));
  // Among all, a server that does not run and has no list of ours is nothing to speak of.
  const told = named === null ? lists.filter(({ models }) => models.length > 0) : lists;
  if (json) {
    io.out.write(`${visibleJson(told)}\n`);
    return 0;
  }
  for (const { note } of named === null ? [] : told) if (note !== null) io.err.write(`massgen: note: ${visibleLine(note)}\n`);
  const lines = told.flatMap(({ provider, models }) => models.map((model) => `${visibleLine(`${provider}/${model}`)}\n`));
  io.out.write(lines.join(""));
  return 0;
}

async function listOf(provider: ProviderEntry, baseUrl: string | null, env: Environment, signal: AbortSignal): Promise<ModelList> {
  const request = modelsRequest({ provider, baseUrl, env });
  const heard = "because" in request ? request : await askModels(request, { signal });
  if ("models" in heard) return { provider: provider.type, source: "server", note: null, models: heard.models };
  const models = knownModels[provider.type] ?? [];
  const instead = models.length === 0 ? "There is no built-in list." : "This is the built-in list.";
  return { provider: provider.type, source: "built_in", note: `${provider.name} was not heard: ${heard.because}. ${instead}`, models };
}
