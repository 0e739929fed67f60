import { configJsonSchema, keySections, type ProviderEntry, providerNames, providerOf } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { schemaExamples } from "../listings/schema-examples.js";
import { schemaTable } from "../listings/schema-table.js";

interface SchemaRequest {
  readonly json: boolean;
  readonly backend: string | null;
  readonly examples: boolean;
}

/** `massgen --show-schema`: every key of a config with type, default and meaning; with `--json` a JSON Schema for editors. */
export function showSchema({ json, backend, examples }: SchemaRequest, { out }: Pick<Io, "out">): ExitCode {
  const provider = backend === null ? null : demandProvider(backend);
  if (json) {
    const shown = examples ? { examples: schemaExamples.map(({ yaml }) => yaml) } : {};
    out.write(`${JSON.stringify({ ...configJsonSchema(), ...shown }, null, 2)}\n`);
    return 0;
  }
  if (provider !== null) out.write(`${describeProvider(provider)}\n`);
  out.write(schemaTable(keySections(), provider?.type ?? null));
  if (examples) for (const { title, yaml } of schemaExamples) out.write(`\n# ${title}\n${yaml}`);
  return 0;
}

function demandProvider(name: string): ProviderEntry {
  const found = providerOf(name);
  if (found !== null) return found;
  throw new MassgenError("CONFIG_INVALID", `There is no provider ${JSON.stringify(name)}.`, {
    exitCode: 1,
    hint: `Types: ${[...new Set(providerNames.map((alias) => providerOf(alias)?.type ?? alias))].join(", ")}.`,
  });
}

function describeProvider({ type, name, aliases, defaultModel, keyVariables, baseUrl }: ProviderEntry): string {
  const rows = [
    `type: ${type}${aliases.length === 0 ? "" : ` (also ${aliases.join(", ")})`}`,
    `model: ${defaultModel ?? "required"}`,
    `key: ${keyVariables.length === 0 ? "none" : keyVariables.join(" or ")}`,
    ...(baseUrl === null ? [] : [`address: ${baseUrl}`]),
  ];
  return `${name}\n${rows.map((row) => `  ${row}\n`).join("")}`;
}
