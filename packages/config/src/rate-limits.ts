import { MassgenError } from "@massgen/contracts";
import { parse } from "yaml";
import { providerOf } from "./providers/catalogue.js";

/** What one model may be asked; absent: no limit. */
export interface ModelRateLimits {
  /** Requests in 60 s. */
  readonly rpm?: number;
  /** Tokens in 60 s. */
  readonly tpm?: number;
  /** Requests in 24 h. */
  readonly rpd?: number;
}

/** By canonical provider type, then by model or `default`. */
export type RateLimitTable = ReadonlyMap<string, ReadonlyMap<string, ModelRateLimits>>;

/** Used when the user has no file of limits. */
export const builtInRateLimits: RateLimitTable = new Map([
  [
    "gemini",
    new Map<string, ModelRateLimits>([
      ["gemini-2.5-flash", { rpm: 9, tpm: 240_000, rpd: 245 }],
      ["gemini-2.5-pro", { rpm: 2, tpm: 120_000, rpd: 48 }],
      ["default", { rpm: 7, tpm: 100_000, rpd: 100 }],
    ]),
  ],
]);

/** The limits of a model: its own name, else the longest name within it, else `default`; `null` for none. */
export function rateLimitsOf(table: RateLimitTable, type: string, model: string | null): ModelRateLimits | null {
  const section = table.get(type);
  if (section === undefined) return null;
  const name = model ?? "";
  const within = [...section.keys()].filter((key) => key !== "default" && name.includes(key)).sort((a, b) => b.length - a.length)[0];
  return section.get(name) ?? (within === undefined ? undefined : section.get(within)) ?? section.get("default") ?? null;
}

/**
 * The table in a rate limit file (docs/spec/config.md 19). `file`: how messages call it.
 *
 * @throws MassgenError `CONFIG_INVALID` naming the first place that is wrong
 */
export function parseRateLimits(text: string, file: string): RateLimitTable {
  let root: unknown;
  try {
    root = parse(text, { schema: "core", logLevel: "error" });
  } catch (cause) {
    throw invalid(file, "it is no YAML", cause);
  }
  const table = new Map<string, ReadonlyMap<string, ModelRateLimits>>();
  for (const [name, models] of entriesOf(root, file, "the file")) {
    const provider = providerOf(name);
    if (provider === null) throw invalid(file, `${JSON.stringify(name)} is no provider type`);
    table.set(
      provider.type,
      new Map(entriesOf(models, file, name).map(([model, limits]) => [model, limitsOf(limits, file, `${name}.${model}`)])),
    );
  }
  return table;
}

const LIMITS: readonly string[] = ["rpm", "tpm", "rpd"] satisfies readonly (keyof ModelRateLimits)[];

function limitsOf(value: unknown, file: string, path: string): ModelRateLimits {
  const entries = entriesOf(value, file, path);
  for (const [key, limit] of entries) {
    if (!LIMITS.includes(key)) throw invalid(file, `${path} has an unknown key ${JSON.stringify(key)}; there are rpm, tpm and rpd`);
    if (!Number.isSafeInteger(limit) || Number(limit) <= 0) throw invalid(file, `${path}.${key} must be a whole number above 0`);
  }
  return Object.fromEntries(entries);
}

function entriesOf(value: unknown, file: string, path: string): readonly (readonly [string, unknown])[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw invalid(file, `${path} must be a map`);
}

function invalid(file: string, what: string, cause?: unknown): MassgenError {
  return new MassgenError("CONFIG_INVALID", `The rate limit file ${file} cannot be used: ${what}.`, {
    exitCode: 1,
    hint: "It looks like this: gemini: {gemini-2.5-pro: {rpm: 2, tpm: 120000, rpd: 48}, default: {rpm: 7}}",
    ...(cause === undefined ? {} : { cause }),
  });
}
