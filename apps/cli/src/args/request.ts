import type { UiConfig } from "@massgen/config";
import type { CleanRequest } from "./clean-request.js";
import type { ExportRequest, SharesRequest } from "./export-request.js";
import type { McpRequest } from "./mcp-request.js";
import type { LogsRequest } from "./record-request.js";
import type { McpServeRequest, ServeRequest } from "./serve-request.js";
import type { SkillRequest } from "./skill-request.js";
import type { ViewerPageRequest, ViewerRequest } from "./viewer-request.js";
import type { WebRequest } from "./web-request.js";
import type { WorkerRequest } from "./worker-request.js";

/** Shells that `massgen completion` writes for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/**
 * How much of a run the user wants to see, and where. `null` as `mode` leaves it to the config and the terminal; `silent`,
 * which only a config can ask for, is the answer and nothing else.
 */
export interface OutputRequest {
  readonly mode: "plain" | "silent" | "automation" | "events" | null;
  /** `textual`: the whole terminal; `rich`: what agents do now below what has happened. Default: as `chooseScreen` says. */
  readonly display?: "rich" | "textual";
  /** What the config says about the look of it. */
  readonly look?: Pick<UiConfig, "theme" | "screenReader" | "liveTimeline" | "showAgentCards">;
  readonly outputFile: string | null;
  readonly logs: boolean;
  readonly debug: boolean;
}

export interface RunRequest {
  readonly kind: "run";
  readonly question: string | null;
  readonly config: string | null;
  readonly model: string | null;
  readonly backend: string | null;
  readonly baseUrl: string | null;
  readonly systemMessage: string | null;
  readonly timeoutSeconds: number | null;
  /** `null` leaves it to the config. */
  readonly rateLimit: true | null;
  /** Id of the agent to keep; `true` for the first. */
  readonly singleAgent: string | true | null;
  readonly coordinationMode: "parallel" | "decomposition" | null;
  readonly quick: true | null;
  readonly record: true | null;
  /** `@path` in the question names a file or folder. */
  readonly references: boolean;
  /** For the agents, besides those of the config. */
  readonly contextPaths: readonly { readonly path: string; readonly permission: "read" | "write" }[];
  /** Ask before what the presenter changed in the user's files is brought there. */
  readonly review: true | null;
  /** What warnings of the config do: `strict` stops the run, `skip` leaves the semantic checks out. */
  readonly validation: "normal" | "strict" | "skip";
  readonly session: SessionRequest;
  readonly output: OutputRequest;
}

/** Which conversation a question belongs to. `new`: one of its own; `none`: one that is kept nowhere. */
export type SessionRequest = "new" | "newest" | "none" | { readonly id: string };

/** A run with a stand-in for each model, and a forecast of what real ones will take. */
export interface DryRunRequest {
  readonly kind: "dry-run";
  readonly run: RunRequest;
  readonly json: boolean;
  readonly output: OutputRequest;
}

/** One question, asked of the team and of each agent alone. `run` holds the team and the question. */
export interface CompareRequest {
  readonly kind: "compare";
  readonly run: RunRequest;
  /** Simulated models instead of those of a config. */
  readonly demo: boolean;
  readonly json: boolean;
  readonly output: OutputRequest;
}

/** Questions with known answers, asked of the team and of each agent alone. */
export interface EvalRequest extends Omit<CompareRequest, "kind"> {
  readonly kind: "eval";
  /** `null`, in the demo only: the arithmetic problems that ship with the program. */
  readonly dataset: string | null;
  /** `null`: a new file below `.massgen/evaluations`. */
  readonly results: string | null;
  readonly retryFailed: boolean;
  readonly limit: number | null;
  readonly seed: number | null;
  readonly concurrency: number;
  /** Of this sitting; runs under way end as they would. `null`: no limit. */
  readonly maxCalls: number | null;
  readonly maxCostUsd: number | null;
  readonly judge: string | null;
  readonly judgeTimeoutSeconds: number;
  /** Names of variables. */
  readonly judgeEnv: readonly string[];
}

/** An agent as a command line names it; `null`: it follows from the rest. */
export interface AgentSpec {
  readonly id: string | null;
  readonly backend: string | null;
  readonly model: string | null;
  readonly reasoningEffort: string | null;
}

/** A team in under a minute. `run` is what follows: its `config` names the file to write, `null`: `.massgen/config.yaml`. */
export interface QuickstartRequest {
  readonly kind: "quickstart";
  /** No questions. */
  readonly headless: boolean;
  /** Empty: from what is there. */
  readonly agents: readonly AgentSpec[];
  readonly run: RunRequest;
}

/** A config without questions. `backend` and `model` both `null`: from what is there. */
export interface GenerateRequest {
  readonly kind: "generate-config";
  readonly path: string;
  readonly count: number;
  readonly backend: string | null;
  readonly model: string | null;
  readonly agentId: string | null;
  readonly contextPath: string | null;
  /** Commands in containers. */
  readonly docker: boolean;
}

/** What the command line asks for; all that the program does follows from it. */
export type CliRequest =
  | RunRequest
  | DryRunRequest
  | CompareRequest
  | EvalRequest
  | ServeRequest
  | WebRequest
  | WorkerRequest
  | McpServeRequest
  | SkillRequest
  | QuickstartRequest
  | GenerateRequest
  /** Keys into a `.env` file. */
  | { readonly kind: "setup"; readonly headless: boolean }
  | { readonly kind: "init"; readonly run: RunRequest }
  /** `headless`: the list of what there is. */
  | { readonly kind: "select"; readonly headless: boolean; readonly run: RunRequest }
  | { readonly kind: "demo"; readonly question: string | null; readonly record: true | null; readonly output: OutputRequest }
  | LogsRequest
  | McpRequest
  | ExportRequest
  | SharesRequest
  | ViewerRequest
  | ViewerPageRequest
  | CleanRequest
  | { readonly kind: "replay"; readonly log: string }
  /** `path`: `null` for all values. `team` is the run that they would be the values of. */
  | { readonly kind: "config-explain"; readonly path: string | null; readonly json: boolean; readonly team: RunRequest }
  /** `log`: a folder, or `latest`. */
  | { readonly kind: "resume"; readonly log: string; readonly review: boolean; readonly output: OutputRequest }
  | { readonly kind: "validate"; readonly file: string; readonly strict: boolean; readonly json: boolean }
  | { readonly kind: "show-schema"; readonly json: boolean; readonly backend: string | null; readonly examples: boolean }
  | { readonly kind: "list-examples"; readonly json: boolean }
  | { readonly kind: "list-backends"; readonly json: boolean }
  /** `provider`: `null` for all. */
  | { readonly kind: "update-prices"; readonly url: string | null }
  | { readonly kind: "list-models"; readonly provider: string | null; readonly baseUrl: string | null; readonly json: boolean }
  | { readonly kind: "list-sessions"; readonly all: boolean; readonly json: boolean }
  | { readonly kind: "example"; readonly name: string }
  /** `online`: vendors are asked, too. */
  | { readonly kind: "doctor"; readonly config: string | null; readonly online: boolean; readonly json: boolean }
  | { readonly kind: "completion"; readonly shell: Shell }
  | { readonly kind: "topic"; readonly name: string }
  | { readonly kind: "help"; readonly topic: string | null }
  | { readonly kind: "version" };
