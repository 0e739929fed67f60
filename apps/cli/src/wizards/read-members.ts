import { findProvider, type Member, nearestModels, providerOf, takesEffort } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { whyUnsupported } from "@massgen/sdk/team";
import type { AgentSpec } from "../args/request.js";

/**
 * Agents as they are named on a command line. What is left out follows from the rest: the provider from the model, the model
 * from the provider.
 *
 * @throws MassgenError `CONFIG_INVALID`, `UNKNOWN_BACKEND` or `NOT_SUPPORTED` (exit 1) for an agent nobody could run
 */
export const membersOf = (specs: readonly AgentSpec[]): readonly Member[] => specs.map(memberOf);

function memberOf({ id, backend, model, reasoningEffort }: AgentSpec): Member {
  const own = findProvider(model ?? "");
  const type = backend === null ? own?.type : (providerOf(backend)?.type ?? backend);
  if (type === undefined) {
    const near = nearestModels(model ?? "");
    throw wrong(
      model === null ? "An agent needs a backend or a model." : `The model ${JSON.stringify(model)} does not tell its provider.`,
      near.length === 0 ? "Write backend=<type> too; list them with: massgen --list-backends" : `Did you mean ${near.join(" or ")}?`,
    );
  }
  const unsupported = whyUnsupported(type);
  if (unsupported !== null) throw unsupported;
  // A provider's own prefix may be repeated; anybody else's is part of the name.
  const found = model === null ? null : own?.type === type ? own : findProvider(`${type}/${model}`);
  const name = found?.model ?? model ?? providerOf(type)?.defaultModel ?? null;
  if (name === null)
    throw wrong(`The backend ${JSON.stringify(type)} has no default model.`, `List its models with: massgen --list-models ${type}`);
  const effort = reasoningEffort ?? found?.reasoningEffort ?? null;
  if (effort !== null && !takesEffort(type, name))
    throw wrong(`${type}/${name} takes no reasoning_effort here.`, "Leave it out; the models gpt-5… and o… of openai take it.");
  return { type, model: name, ...(id === null ? {} : { id }), ...(effort === null ? {} : { reasoningEffort: effort }) };
}

const wrong = (message: string, hint: string): MassgenError => new MassgenError("CONFIG_INVALID", message, { exitCode: 1, hint });
