import { isDeepStrictEqual } from "node:util";
import { type ConfigOverrides, type Environment, type LoadedConfig, validateConfig } from "@massgen/config";
import { REDACTED, type RunMetadata } from "@massgen/logs";
import { loadConfig } from "./load-config.js";

export interface RecordedConfig {
  readonly loaded: LoadedConfig;
  /** What to know about it, for people; empty when it is the file as it was. */
  readonly notes: readonly string[];
}

/**
 * The config a run was started with. Its file is read again, for the keys that stand in it, as long as it says what it said
 * then; else the record counts, and what is secret comes from the environment.
 */
export async function recordedConfig(metadata: RunMetadata, env: Environment): Promise<RecordedConfig> {
  const { configPath, config } = metadata;
  // Written by `openLog` from the same type; what does not fit is found when the config is checked.
  const overrides = metadata.overrides as ConfigOverrides;
  if (configPath !== null) {
    const file = await loadConfig(configPath, { env, cwd: metadata.cwd, overrides }).catch(() => null);
    if (file !== null && isDeepStrictEqual(redactedAgain(file.raw), redactedAgain(config))) return { loaded: file, notes: [] };
    const what = file === null ? "is gone" : "has changed since";
    const note = `The config ${configPath} ${what}: the run goes on with the config its log recorded, keys come from the environment.`;
    return { loaded: validateConfig(withoutSecrets(config), { env, overrides }), notes: [note] };
  }
  return { loaded: validateConfig(withoutSecrets(config), { env, overrides }), notes: [] };
}

/** As YAML carries it: `undefined` is nothing, maps have no prototype. */
const redactedAgain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** A redacted value is left out, so that it is looked up where keys come from. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== REDACTED)
      .map(([key, entry]) => [key, withoutSecrets(entry)]),
  );
}
