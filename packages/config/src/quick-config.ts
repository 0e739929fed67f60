import { quoteText } from "./describe.js";
import type { Environment } from "./expand.js";
import type { IssueCode } from "./issue.js";
import { didYouMean, nearest } from "./nearest.js";
import type { ConfigOverrides } from "./overrides.js";
import { type LoadedConfig, validateConfig } from "./parse-config.js";
import { noPositions } from "./positions.js";
import { providerNames, providerOf, providers, worksInFolder } from "./providers/catalogue.js";
import { findProvider, nearestModels } from "./providers/find-provider.js";
import { namesModule } from "./providers/module-type.js";
import { createReporter } from "./reporter.js";

export interface QuickOptions {
  /** A model name, with or without its provider: `gpt-5-nano`, `groq/llama-3.3-70b-versatile`. */
  readonly model?: string;
  /** A provider type. Absent: found from the model, or `chatcompletion` when there is an address. */
  readonly backend?: string;
  readonly baseUrl?: string;
  readonly systemMessage?: string;
  readonly env?: Environment;
  /** Its `model`, `baseUrl` and `systemMessage` are not used here. */
  readonly overrides?: ConfigOverrides;
}

export const DEFAULT_SYSTEM_MESSAGE = "You are a helpful AI assistant.";

/** A team of one, `agent1`, from what the command line says; no file involved. */
export function quickConfig({ model, backend, baseUrl, systemMessage, env = {}, overrides = {} }: QuickOptions): LoadedConfig {
  const found = backend === undefined ? fromModel(model, baseUrl) : fromBackend(backend, model);
  if ("code" in found) return refused(found, overrides);
  const { model: _model, baseUrl: _baseUrl, systemMessage: _systemMessage, ...rest } = overrides;
  return validateConfig(
    {
      agents: [
        {
          id: "agent1",
          backend: {
            type: found.type,
            model: found.model,
            base_url: literal(baseUrl),
            ...(worksInFolder(found.type) ? { cwd: "workspace" } : {}),
            ...(found.reasoningEffort === null ? {} : { reasoning: { effort: found.reasoningEffort } }),
          },
          system_message: literal(systemMessage ?? DEFAULT_SYSTEM_MESSAGE),
        },
      ],
    },
    { env, overrides: rest },
  );
}

/** What a shell has passed on is meant as it is; only files name variables. */
const literal = (text: string | undefined): string | undefined => text?.replace(/\$\{[^}]*\}/g, "$$$&");

interface Choice {
  readonly type: string;
  readonly model: string | undefined;
  readonly reasoningEffort: string | null;
}

interface Refusal {
  readonly code: IssueCode;
  readonly message: string;
  readonly hint: string;
}

function fromModel(model: string | undefined, baseUrl: string | undefined): Choice | Refusal {
  if (model === undefined || model.trim() === "")
    return { code: "CFG031", message: "a quick run needs a model or a backend", hint: "Add --model <name>." };
  const found = findProvider(model);
  if (found !== null) return found;
  // An address says where to go; almost everything that has one speaks Chat Completions.
  if (baseUrl !== undefined) return { type: "chatcompletion", model, reasoningEffort: null };
  const hint =
    `${didYouMean(nearestModels(model))} For any other model name its provider too: --model <provider>/<model> or --backend <provider>.`.trim();
  return { code: "CFG025", message: `the model ${quoteText(model)} does not tell its provider`, hint };
}

function fromBackend(backend: string, model: string | undefined): Choice | Refusal {
  const provider = providerOf(backend);
  if (provider === null && namesModule(backend)) return { type: backend, model, reasoningEffort: null };
  if (provider === null) {
    const hint = `${didYouMean(nearest(backend, providerNames))} Types: ${providers.map((entry) => entry.type).join(", ")}.`.trim();
    return { code: "CFG030", message: `unknown backend type ${quoteText(backend)}`, hint };
  }
  const own = model === undefined ? null : findProvider(model);
  // The provider's own prefix may be repeated; anybody else's is part of the name.
  const repeats = model !== undefined && own?.type === provider.type;
  return { type: provider.type, model: repeats ? own.model : model, reasoningEffort: repeats ? own.reasoningEffort : null };
}

function refused({ code, message, hint }: Refusal, overrides: ConfigOverrides): LoadedConfig {
  const reporter = createReporter(null, []);
  reporter.reportRange(code, null, message, hint);
  return { config: null, raw: null, overrides, source: null, positions: noPositions, issues: reporter.issues, secrets: [] };
}
