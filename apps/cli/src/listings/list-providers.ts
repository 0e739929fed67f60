import { type Environment, type ProviderEntry, providers, resolveApiKey } from "@massgen/config";
import { cells } from "../output/columns.js";

/** `set` and `missing` speak of the variables; `optional`: works without, and there is none; `none`: there is no key. */
type KeyState = "set" | "missing" | "optional" | "none";

/** A provider as a person chooses one. Never holds a key. */
export interface ProviderRow {
  readonly type: string;
  readonly aliases: readonly string[];
  readonly name: string;
  readonly defaultModel: string | null;
  /** Environment variables that may hold the key, in the order in which they are looked at. */
  readonly keyVariables: readonly string[];
  readonly key: KeyState;
  readonly local: boolean;
  /** Whether an agent of this type can run today. */
  readonly supported: boolean;
}

/** Every provider type there is, in the order of the catalogue. */
export function listProviders(env: Environment, isSupported: (type: string) => boolean): readonly ProviderRow[] {
  return providers.map((provider) => ({
    type: provider.type,
    aliases: provider.aliases,
    name: provider.name,
    defaultModel: provider.defaultModel,
    keyVariables: provider.keyVariables,
    key: keyState(provider, env),
    local: provider.local,
    supported: isSupported(provider.type),
  }));
}

function keyState({ type, keyVariables, keyNeeded, placeholderKey }: ProviderEntry, env: Environment): KeyState {
  if (keyVariables.length === 0) return keyNeeded ? "missing" : "none";
  const { key } = resolveApiKey({ type }, env);
  if (key !== null && key !== "" && key !== placeholderKey) return "set";
  return keyNeeded ? "missing" : "optional";
}

/** The rows as lines for people; columns are as wide as their widest cell. */
export function providerTable(rows: readonly ProviderRow[]): string {
  const head = ["TYPE", "NAME", "DEFAULT MODEL", "KEY VARIABLE", "KEY", "WHERE", "RUNS TODAY"];
  const body = rows.map((row) => [
    row.type,
    row.name,
    row.defaultModel ?? "-",
    row.keyVariables.length === 0 ? "-" : row.keyVariables.join(" or "),
    row.key === "none" ? "-" : row.key,
    row.local ? "local" : "-",
    row.supported ? "yes" : "not yet",
  ]);
  const table = [head, ...body];
  const widths = head.map((_, column) => Math.max(...table.map((row) => cells(row[column] ?? ""))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - cells(cell)))
      .join("  ")
      .trimEnd();
  return table.map((row) => `${line(row)}\n`).join("");
}
