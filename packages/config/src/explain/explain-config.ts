import type { MassgenConfig } from "../config.js";
import { type Environment, variableIn } from "../expand.js";
import type { KeyTable } from "../key-table.js";
import { agentTable } from "../keys/agent.js";
import { backendKeys } from "../keys/backend.js";
import { orchestratorTable } from "../keys/orchestrator.js";
import { timeoutTable, topTable, uiTable } from "../keys/sections.js";
import type { ConfigOverrides } from "../overrides.js";
import { type LoadedConfig, parseConfig } from "../parse-config.js";
import type { GivenValue } from "../positions.js";
import { resolveApiKey } from "../providers/resolve-api-key.js";
import type { PlainValue } from "../tree.js";
import { readSetting } from "./read-setting.js";

/** Where a value comes from. */
export type ValueOrigin =
  /** `key`: under which it was written, when that is another; `written`: what stands there, when it counts as something else. */
  | {
      readonly is: "file";
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly key: string | null;
      readonly written: string | null;
      readonly variables: readonly string[];
    }
  /** Said beside the file: by a flag, or by a program. */
  | { readonly is: "override"; readonly override: keyof ConfigOverrides }
  | { readonly is: "environment"; readonly variables: readonly string[] }
  /** Follows from others: an id from the place, a type from the model. Of a team without a file: everything that was said. */
  | { readonly is: "derived" }
  | { readonly is: "default" };

export interface ExplainedValue {
  /** In the language of the files, in its proper place: `agents[0].backend.max_retries`. */
  readonly path: string;
  /** Secrets are `[REDACTED]`; a text with variables shows them by name. */
  readonly value: PlainValue;
  readonly origin: ValueOrigin;
}

/** Every value of a config and where it comes from, agents first. Empty when the config has errors. */
export function explainConfig(loaded: LoadedConfig, env: Environment): readonly ExplainedValue[] {
  const { config } = loaded;
  if (config === null) return [];
  const given = loaded.positions.given();
  const byFlag = pathsByOverride(loaded, env);
  const file = loaded.source?.file ?? "(text)";
  const values: ExplainedValue[] = given.map((one) => ({ path: one.path, value: one.value, origin: originOf(one, file, byFlag) }));
  const known = new Set(given.map(({ path }) => path));
  values.push(...keys(config, known, env), ...defaults(config, known));
  return values.toSorted((a, b) => rank(a.path) - rank(b.path));
}

function originOf(
  { path, span, writtenAs, written, value }: GivenValue,
  file: string,
  byFlag: ReadonlyMap<string, keyof ConfigOverrides>,
): ValueOrigin {
  const override = byFlag.get(path);
  if (override !== undefined) return { is: "override", override };
  if (span === null) return { is: "derived" };
  return { is: "file", file, line: span.line, column: span.column, key: writtenAs, written, variables: variablesIn(value) };
}

const variablesIn = (value: PlainValue): readonly string[] =>
  [...JSON.stringify(value).matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)/g)].map((match) => match[1]!).filter((name) => name !== "cwd");

/** What each override puts where, found out by laying it alone over the file. */
function pathsByOverride({ source, overrides }: LoadedConfig, env: Environment): ReadonlyMap<string, keyof ConfigOverrides> {
  const { singleAgent } = overrides;
  const nowhere = (given: ConfigOverrides): ReadonlySet<string> => {
    const alone = { ...given, ...(singleAgent === undefined ? {} : { singleAgent }) };
    const values = parseConfig(source?.text ?? "", { env, overrides: alone }).positions.given();
    return new Set(values.filter(({ span }) => span === null).map(({ path }) => path));
  };
  const found = new Map<string, keyof ConfigOverrides>();
  if (source === null) return found;
  const always = nowhere({});
  for (const [name, value] of Object.entries(overrides) as [keyof ConfigOverrides, unknown][]) {
    if (value === undefined || name === "singleAgent") continue;
    for (const path of nowhere({ [name]: value })) if (!always.has(path)) found.set(path, name);
  }
  return found;
}

/** Keys that are not in the file come from the environment, by name only. */
function keys(config: MassgenConfig, known: ReadonlySet<string>, env: Environment): readonly ExplainedValue[] {
  return config.agents.flatMap(({ backend }, index) => {
    const path = `agents[${index}].backend.api_key`;
    if (known.has(path)) return [];
    const { variables, key } = resolveApiKey(backend, env);
    if (variables.length === 0) return [];
    const set = variables.find((name) => variableIn(env, name) !== null);
    const origin: ValueOrigin = { is: "environment", variables: set === undefined ? variables : [set] };
    return [{ path, value: set !== undefined && key !== null ? "[REDACTED]" : null, origin }];
  });
}

/** The keys nobody gave that have a value all the same. */
function defaults(config: MassgenConfig, known: ReadonlySet<string>): readonly ExplainedValue[] {
  const sections: readonly (readonly [where: string, table: KeyTable])[] = [
    ...config.agents.flatMap((_, index): [string, KeyTable][] => [
      [`agents[${index}]`, agentTable],
      [`agents[${index}].backend`, backendKeys],
    ]),
    ["", topTable],
    ["orchestrator", orchestratorTable],
    ["timeout_settings", timeoutTable],
    ["ui", uiTable],
  ];
  return sections.flatMap(([where, table]) => defaultsIn(config, where, table, known));
}

function defaultsIn(config: MassgenConfig, where: string, table: KeyTable, known: ReadonlySet<string>): readonly ExplainedValue[] {
  return Object.entries(table.keys).flatMap(([key, spec]) => {
    const path = where === "" ? key : `${where}.${key}`;
    if (spec.support.is !== "built" || known.has(path) || path.endsWith(".api_key")) return [];
    const table = spec.keys?.();
    // Only maps whose parts are on even when nobody wrote the map.
    if (table !== undefined) return key === "coordination" ? defaultsIn(config, path, table, known) : [];
    const value = readSetting(config, path);
    const isPlain =
      typeof value !== "object" || value === null || (Array.isArray(value) && value.every((item) => typeof item !== "object"));
    // Of an agent, what is not set says nothing; of the rules of a run, that there is no limit does.
    if (value === undefined || !isPlain || (value === null && where.startsWith("agents"))) return [];
    return [{ path, value: value as PlainValue, origin: { is: "default" } as const }];
  });
}

function rank(path: string): number {
  const agent = /^agents\[(\d+)\]/.exec(path);
  if (agent !== null) return Number(agent[1]);
  const at = ["orchestrator", "timeout_settings", "ui"].findIndex((section) => path.startsWith(section));
  return at === -1 ? 1e9 : 1e8 + at;
}
