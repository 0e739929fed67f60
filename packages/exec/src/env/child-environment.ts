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

/** Where a user's programs find their settings and put what passes. */
const USERS_OWN: readonly string[] = ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];

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
  const env = harmless(options.host);
  const path = pathWithout(options.host["PATH"], [options.workspace, options.home]);
  if (env["PYENV_ROOT"] === undefined && path.includes(join(options.hostHome, ".pyenv/")))
    env["PYENV_ROOT"] = join(options.hostHome, ".pyenv");
  if (env["RUSTUP_HOME"] === undefined && existsSync(join(options.hostHome, ".rustup")))
    env["RUSTUP_HOME"] = join(options.hostHome, ".rustup");
  Object.assign(env, FIXED, homeVariables(options.home), { PATH: path, MASSGEN_RUN_ID: options.runId });
  if (options.portBase !== null) env["MASSGEN_PORT_BASE"] = String(options.portBase);

  const refused = addNamed(env, [
    ...options.passthrough.map((name) => [name, options.host[name]] as const),
    ...Object.entries(options.extra),
  ]);

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

/** Absolute folders that exist and in which no agent can plant a program. */
function pathWithout(path: string | undefined, writable: readonly string[]): string {
  const seen = new Set<string>();
  for (const entry of (path ?? "").split(":")) {
    if (!isAbsolute(entry)) continue;
    const folder = resolve(entry);
    if (writable.some((root) => isInside(folder, root))) continue;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) seen.add(folder);
  }
  return seen.size === 0 ? "/usr/local/bin:/usr/bin:/bin" : [...seen].join(":");
}

function harmless(host: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const env: Record<string, string> = { LANG: "C.UTF-8" };
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && (FROM_HOST.includes(name) || TOOLCHAINS.includes(name) || name.startsWith("LC_"))) env[name] = value;
  }
  return env;
}

/** Adds what the config names, and gives back what it may not name. */
function addNamed(env: Record<string, string>, named: readonly (readonly [name: string, value: string | undefined])[]): readonly string[] {
  const refused: string[] = [];
  for (const [name, value] of named) {
    if (isNeverPassed(name)) refused.push(name);
    else if (value !== undefined) env[name] = value;
  }
  return refused;
}

export interface OwnEnvironmentOptions {
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly runId: string;
  /** Folders agents may write: nothing in them is on the path. */
  readonly writableRoots: readonly string[];
  /** Names of the host's variables that the config passes on. */
  readonly passthrough: readonly string[];
}

/**
 * The environment of a program of the user's own, such as a hook: with the user's home and settings, and without keys
 * unless the config names them.
 */
export function ownEnvironment({ host, runId, writableRoots, passthrough }: OwnEnvironmentOptions): ChildEnvironment {
  const env = harmless(host);
  for (const name of USERS_OWN) if (host[name] !== undefined) env[name] = host[name];
  Object.assign(env, FIXED, { PATH: pathWithout(host["PATH"], writableRoots), MASSGEN_RUN_ID: runId });
  return {
    env,
    refused: addNamed(
      env,
      passthrough.map((name) => [name, host[name]]),
    ),
  };
}

/**
 * The environment of a program the person uses themselves, beside us: an editor, a file manager, a judge of answers. All they
 * have set, but keys, tokens and passwords, unless they are named.
 */
export function personalEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  passthrough: readonly string[] = [],
): Readonly<Record<string, string>> {
  const mayPass = ([name, value]: [string, string | undefined]): readonly [string, string][] =>
    value === undefined || (isSecretName(name) && !passthrough.includes(name)) ? [] : [[name, value]];
  return Object.fromEntries(Object.entries(host).flatMap(mayPass));
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
