import { homedir } from "node:os";
import type { ConfigOverrides, Environment, LoadedConfig } from "@massgen/config";
import { locateConfig, loadConfig as readConfig } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";

export interface LoadConfigOptions {
  /** For `${NAME}`. Default: the environment of the process. */
  readonly env?: Environment;
  /** Default: the folder of the process, and the home of its user. */
  readonly cwd?: string;
  readonly home?: string;
  /** Folder that `@examples/…` stands for. */
  readonly examplesDir?: string;
  readonly overrides?: ConfigOverrides;
}

export interface FoundConfig extends LoadedConfig {
  /** Absolute path of the file. */
  readonly path: string;
}

/**
 * Reads the config a name stands for: a path, `@examples/name`, the name of a user config; without a name that of the project
 * or user. What is wrong with it is in `issues`; `config` is `null` when that is an error.
 *
 * @throws MassgenError `CONFIG_NOT_FOUND` when there is no such file.
 */
export async function loadConfig(name: string | null, options: LoadConfigOptions = {}): Promise<FoundConfig> {
  const { env = process.env, cwd = process.cwd(), home = homedir(), examplesDir, overrides } = options;
  const found = await locateConfig(name, { cwd, home, ...(examplesDir === undefined ? {} : { examplesDir }) });
  if (!found.found) throw notFound(found.issue);
  const loaded = await readConfig(found.path, { file: found.file, env, ...(overrides === undefined ? {} : { overrides }) });
  return { ...loaded, path: found.path };
}

function notFound(issue: { readonly message: string; readonly hint: string } | null): MassgenError {
  if (issue === null) {
    return new MassgenError(
      "CONFIG_NOT_FOUND",
      "There is no config: neither .massgen/config.yaml here nor ~/.config/massgen/config.yaml.",
      {
        exitCode: 1,
        hint: "Name a config, or a model for a team of one.",
      },
    );
  }
  return new MassgenError("CONFIG_NOT_FOUND", `${issue.message}.`, { exitCode: 1, hint: issue.hint, issues: [issue] });
}
