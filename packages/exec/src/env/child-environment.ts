import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";

export interface EnvironmentOptions {
  /** The host's own variables; only names listed here are looked at. */
  readonly host: Readonly<Record<string, string | undefined>>;
  /** The host user's home; where version managers keep their toolchains. */
  readonly hostHome: string;
  /** The private home of the child. Its `tmp` and caches are below it. */
  readonly home: string;
  /** Programs in it are never on the path, except through a virtual environment. */
  readonly workspace: string;
  readonly workDir: string;
  readonly runId: string;
  /** First of twenty ports this agent may use, so that two agents do not meet on one. */
  readonly portBase: number | null;
  /** `command_line_env`: values by name. */
  readonly extra: Readonly<Record<string, string>>;
  /** `command_line_env_passthrough`: names of the host's variables. */
  readonly passthrough: readonly string[];
  /** `command_line_auto_venv`: puts `.venv` of the working directory in front of the path. */
  readonly autoVenv: boolean;
}

export interface ChildEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Names the config asked for that no command may get, because they make programs run foreign code. */
  readonly refused: readonly string[];
}

const FROM_HOST: readonly string[] = ["LANG", "TZ", "SHELL", "USER", "LOGNAME"];
/** Where version managers and runtimes live: paths, never secrets. */
const TOOLCHAINS: readonly string[] = [
  "PYENV_ROOT",
  "RUSTUP_HOME",
  "NVM_DIR",
  "VOLTA_HOME",
  "JAVA_HOME",
  "GOROOT",
  "DOTNET_ROOT",
  "SDKMAN_DIR",
];

const FIXED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  CI: "1",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  PYTHONUNBUFFERED: "1",
};

/** Variables that make a program load or run something else than what was asked for. */
const NEVER =
  /^(NODE_OPTIONS|LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_.*|PYTHONSTARTUP|BASH_ENV|ENV|PROMPT_COMMAND|GIT_CONFIG.*|MASSGEN_PROCESS)$/;

/** Names of keys, tokens and passwords, of vendors' accounts too. They reach a command only when the config names them. */
export const isSecretName = (name: string): boolean =>
  /API_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|PRIVATE_?KEY|^(AWS|OPENAI|ANTHROPIC|GEMINI|GOOGLE|XAI|AZURE)_/i.test(name);

/** A variable that no config can pass on. */
export const isNeverPassed = (name: string): boolean => NEVER.test(name);

/**
 * The environment of a command, built up from nothing: a name that is not listed here, in the config or by the sandbox is
 * not in it (docs/spec/tools.md 4.4). A passed-through variable the host does not have is left out.
 */
export function childEnvironment(options: EnvironmentOptions): ChildEnvironment {
  const env: Record<string, string> = { LANG: "C.UTF-8" };
  for (const [name, value] of Object.entries(options.host)) {
    if (value !== undefined && (FROM_HOST.includes(name) || TOOLCHAINS.includes(name) || name.startsWith("LC_"))) env[name] = value;
  }
  const path = childPath(options);
  if (env["PYENV_ROOT"] === undefined && path.includes(join(options.hostHome, ".pyenv/")))
    env["PYENV_ROOT"] = join(options.hostHome, ".pyenv");
  if (env["RUSTUP_HOME"] === undefined && existsSync(join(options.hostHome, ".rustup")))
    env["RUSTUP_HOME"] = join(options.hostHome, ".rustup");
  Object.assign(env, FIXED, homeVariables(options.home), { PATH: path, MASSGEN_RUN_ID: options.runId });
  if (options.portBase !== null) env["MASSGEN_PORT_BASE"] = String(options.portBase);

  const refused: string[] = [];
  const add = (name: string, value: string | undefined): void => {
    if (isNeverPassed(name)) refused.push(name);
    else if (value !== undefined) env[name] = value;
  };
  for (const name of options.passthrough) add(name, options.host[name]);
  for (const [name, value] of Object.entries(options.extra)) add(name, value);

  const venv = join(options.workDir, ".venv");
  if (options.autoVenv && existsSync(join(venv, "bin"))) {
    env["PATH"] = `${join(venv, "bin")}:${env["PATH"] ?? ""}`;
    env["VIRTUAL_ENV"] = venv;
  }
  return { env, refused };
}

/** Home, temporary files and the caches of package managers: all in the child's own home. */
function homeVariables(home: string): Record<string, string> {
  return {
    HOME: home,
    TMPDIR: join(home, "tmp"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    npm_config_cache: join(home, ".cache/npm"),
    PIP_CACHE_DIR: join(home, ".cache/pip"),
    UV_CACHE_DIR: join(home, ".cache/uv"),
    CARGO_HOME: join(home, ".cargo"),
    GOCACHE: join(home, ".cache/go-build"),
    GOMODCACHE: join(home, "go/pkg/mod"),
  };
}

/** Absolute folders that exist and in which the agent cannot plant a program. */
function childPath(options: EnvironmentOptions): string {
  const seen = new Set<string>();
  for (const entry of (options.host["PATH"] ?? "").split(":")) {
    if (!isAbsolute(entry)) continue;
    const folder = resolve(entry);
    if (isInside(folder, options.workspace) || isInside(folder, options.home)) continue;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) seen.add(folder);
  }
  return seen.size === 0 ? "/usr/local/bin:/usr/bin:/bin" : [...seen].join(":");
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
