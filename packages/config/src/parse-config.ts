import { buildConfig } from "./build-config.js";
import { checkBackends } from "./check-backends.js";
import { checkKeys } from "./check-keys.js";
import { reportUnsetOfServer } from "./check-mcp.js";
import { checkRun } from "./check-run.js";
import type { MassgenConfig } from "./config.js";
import { type Environment, expandVariables, reportUnset } from "./expand.js";
import { fromObject } from "./from-object.js";
import { type ConfigIssue, hasErrors, sortIssues, strictIssues } from "./issue.js";
import { topTable } from "./keys/sections.js";
import { mendModels } from "./mend-models.js";
import { normalise } from "./normalise.js";
import { applyOverrides, type ConfigOverrides, keepAgents } from "./overrides.js";
import { createPositions, noPositions, type PositionIndex } from "./positions.js";
import { readYaml } from "./read-yaml.js";
import { recogniseForeignFile } from "./recognise-file.js";
import { createReporter, lineStartsOf, type Reporter } from "./reporter.js";
import { toStored } from "./secrets.js";
import { type ConfigNode, type MapNode, type PlainValue, walk } from "./tree.js";

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

export interface LoadedConfig {
  /** `null` when an issue is an error. */
  readonly config: MassgenConfig | null;
  /** The config as written: before expansion of variables, literal secrets replaced by `[REDACTED]`. For the record of a run. */
  readonly raw: PlainValue;
  /** What flags changed. */
  readonly overrides: ConfigOverrides;
  readonly source: SourceText | null;
  readonly positions: PositionIndex;
  /** All that was found, by line. */
  readonly issues: readonly ConfigIssue[];
  /** Keys and expanded variables that must not appear in any log. */
  readonly secrets: readonly string[];
}

export interface ParseOptions {
  /** The file as the user named it; used in messages only. */
  readonly file?: string;
  /** For `${NAME}`. Absent: no variable is set. */
  readonly env?: Environment;
  readonly overrides?: ConfigOverrides;
}

/**
 * Reads a config from YAML or JSON text. Problems are collected in `issues`; nothing is thrown, whatever the text.
 *
 * @example
 * const { config, issues } = parseConfig("agent: {id: solo, backend: {model: gpt-5-nano}}", { file: "team.yaml" });
 */
export function parseConfig(text: string, { file, env = {}, overrides = {} }: ParseOptions = {}): LoadedConfig {
  const clean = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const reporter = createReporter(file ?? null, lineStartsOf(clean));
  const source = { file: file ?? "(text)", text: clean };
  return loadTree(readYaml(clean, reporter), reporter, source, env, overrides);
}

/** Checks a config built in memory, in the language of the files (`snake_case` keys). Issues have paths and no positions. */
export function validateConfig(object: unknown, { file, env = {}, overrides = {} }: ParseOptions = {}): LoadedConfig {
  const reporter = createReporter(file ?? null, []);
  return loadTree(fromObject(object, reporter), reporter, null, env, overrides);
}

function loadTree(
  root: MapNode | null,
  reporter: Reporter,
  source: SourceText | null,
  env: Environment,
  overrides: ConfigOverrides,
): LoadedConfig {
  const nothing: LoadedConfig = {
    config: null,
    raw: null,
    overrides,
    source,
    positions: noPositions,
    issues: sortIssues(reporter.issues),
    secrets: [],
  };
  if (root === null) return nothing;
  const stored = toStored(root);
  const positions = createPositions(root, reporter.locate);
  if (recogniseForeignFile(root, reporter))
    return { ...nothing, positions, raw: stored.raw, secrets: stored.secrets, issues: sortIssues(reporter.issues) };

  const { unset, secrets } = expandVariables(root, env);
  const agents = keepAgents(root, normalise(root, reporter), overrides, reporter);
  applyOverrides(root, agents, overrides, reporter);
  mendModels(agents, reporter);
  const ignoredNodes = new Set<ConfigNode>();
  checkKeys(root, topTable, reporter, ignoredNodes);
  checkBackends(agents, reporter);
  checkRun(root, agents, reporter);
  const meaningless = everythingBelow(ignoredNodes);
  for (const variable of unset)
    if (!meaningless.has(variable.node) && !reportUnsetOfServer(variable, reporter)) reportUnset(variable, reporter);

  const config = hasErrors(reporter.issues) ? null : buildConfig(root, agents);
  return {
    ...nothing,
    config,
    raw: stored.raw,
    positions,
    issues: sortIssues(reporter.issues),
    secrets: [...new Set([...stored.secrets, ...secrets])],
  };
}

function everythingBelow(nodes: ReadonlySet<ConfigNode>): ReadonlySet<ConfigNode> {
  const all = new Set<ConfigNode>();
  for (const node of nodes) if (!all.has(node)) walk(node, (below) => all.add(below));
  return all;
}

/** The same result with warnings raised to errors, so that any of them leaves no config. */
export function strictly(loaded: LoadedConfig): LoadedConfig {
  const issues = strictIssues(loaded.issues);
  return { ...loaded, issues, config: hasErrors(issues) ? null : loaded.config };
}
