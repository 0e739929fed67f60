import type { Hook, HumanBroker, JsonValue, RunEvent } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import type { ReviewChanges } from "./delivery/report.js";

/** What `run` and `runStream` take. All are optional; without any the config is looked for as the command line does. */
export interface RunOptions extends TeamOptions {
  /** Path, `@examples/name` or name of a config, or a config as an object in the language of the files. */
  readonly config?: string | { readonly [key: string]: unknown };
  /** Keep a log folder. Default false. */
  readonly enableLogging?: boolean;
  /** Writes the final answer there; parent folders are made. */
  readonly outputFile?: string;
  /** Tells the run on stderr, one line per fact. Default false: nothing is written to stdout or stderr. */
  readonly verbose?: boolean;
  /** What was said before the question. */
  readonly conversationHistory?: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  /**
   * The conversation the question belongs to, kept in `.massgen/sessions`: one that is there is gone on with, any other id
   * begins one. Default: none is kept.
   */
  readonly sessionId?: string;
  /** Folder that relative paths and `.massgen/` belong to. Default: that of the process. */
  readonly cwd?: string;
  /** Where keys and `${NAME}` come from. Default: the environment of the process; `.env` files are not read, see `loadEnv`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborting cancels the run in order. */
  readonly signal?: AbortSignal;
  /** Limit from the start of the coordination to the decision. Default 1800. */
  readonly timeoutSeconds?: number;
  /** Keep to the limits of the rate limit file. Default: as the config says. */
  readonly rateLimit?: boolean;
  /** Keeps one agent of the config: the named one, or with `true` the first. */
  readonly singleAgent?: string | true;
  /** How the agents work together; wins over the config. `parallel`: each on the whole, with votes. */
  readonly coordinationMode?: "parallel" | "decomposition";
  /** One answer each and no refinement: the fastest a team can be. Default false. */
  readonly quick?: boolean;
  /** Records every call of a model in the log, so that `replayRun` can run the engine again. Default: as the config says. */
  readonly record?: boolean;
  /** Somebody who is asked where a hook or a policy wants a person's consent. Default: nobody, and such calls are refused. */
  readonly human?: HumanBroker;
  /** Asked around every call of a tool, of all agents, besides the hooks of the config. */
  readonly hooks?: readonly Hook[];
  /** Gets every event as it happens. An error it throws cancels the run and rejects the result. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Asked before what the presenter changed in your files is brought there. Default: it is brought at once. */
  readonly reviewChanges?: ReviewChanges;
  /** Carries the requests to the vendors. Default: that of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Files and folders of yours for the agents, besides those of the config: a path to read, or the map of a config's
   * `context_paths`. Relative to `cwd`.
   */
  readonly contextPaths?: readonly (string | { readonly [key: string]: JsonValue })[];
  /** `@path` in the question names a file or folder for the agents. Default false. */
  readonly parseAtReferences?: boolean;
  /** Known, not supported yet: anything but the default is refused. */
  readonly tools?: readonly unknown[];
}

/** What `buildConfig` makes a team of. */
export interface TeamOptions {
  /** `gpt-5-mini`, or with its provider `openai/gpt-5-mini`. */
  readonly model?: string;
  /** One agent per entry. */
  readonly models?: readonly string[];
  /** Agents, when one model or backend is given. Default 1. */
  readonly numAgents?: number;
  readonly backend?: string;
  /** One per entry of `models`, or one agent per entry. */
  readonly backends?: readonly string[];
  readonly systemMessage?: string;
  readonly baseUrl?: string;
  /** Gives every agent a folder of its own below `.massgen`, and file tools. Default: only when the config or `contextPaths` call for it. */
  readonly enableFilesystem?: boolean;
  /** Every agent runs commands in a container of its own; gives it a folder, too. Only for teams that come from no config. Default false. */
  readonly useDocker?: boolean;
}

/** Options of features that are not built, with what counts as not asking for them. */
const LATER: readonly (readonly [name: keyof RunOptions, isHarmless: (value: unknown) => boolean])[] = [
  ["tools", (value) => Array.isArray(value) && value.length === 0],
];

/** @throws MassgenError `NOT_SUPPORTED` naming every option of a feature that is not built. */
export function refuseLaterOptions(options: RunOptions): void {
  if (options.enableFilesystem === false && (options.contextPaths?.length ?? 0) > 0)
    throw new MassgenError("USAGE", 'The options "enableFilesystem: false" and "contextPaths" contradict each other.', {
      hint: "Give one of them.",
    });
  if (options.useDocker === true && options.enableFilesystem === false)
    throw new MassgenError("USAGE", 'The options "useDocker: true" and "enableFilesystem: false" contradict each other.', {
      hint: "Commands need a folder to run in.",
    });
  if (options.useDocker === true && options.config !== undefined)
    throw new MassgenError("USAGE", 'The option "useDocker" is for teams without a config.', {
      hint: "In the config: command_line_execution_mode: docker, and enable_mcp_command_line: true.",
    });
  const asked = LATER.filter(([name, isHarmless]) => options[name] !== undefined && !isHarmless(options[name])).map(
    ([name]) => `"${name}"`,
  );
  if (asked.length === 0) return;
  const message = `${asked.length === 1 ? "The option" : "The options"} ${asked.join(", ")} ${asked.length === 1 ? "is" : "are"} known but not supported yet.`;
  throw new MassgenError("NOT_SUPPORTED", message, { exitCode: 1, hint: "Leave it out." });
}
