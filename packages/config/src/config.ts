import type { TieBreak } from "@massgen/contracts";
import type { PlainValue } from "./tree.js";

export type VotingSensitivity = "lenient" | "balanced" | "strict";

/** A team as the rest of MassGen uses it: defaults filled in, aliases resolved, frozen. Rules: docs/spec/config.md 25. */
export interface MassgenConfig {
  /** At least one, ids unique, in the order of the file: the first is agent1. */
  readonly agents: readonly AgentConfig[];
  readonly orchestrator: OrchestratorConfig;
  readonly ui: UiConfig;
  readonly timeouts: TimeoutConfig;
  /** The question the config carries; used when none is asked. */
  readonly prompt?: string;
}

export interface AgentConfig {
  /** Any text without control characters, at most 100 characters. Not a file name. */
  readonly id: string;
  readonly backend: BackendConfig;
  /** Put into this agent's system prompt; `null` for none. Without newlines at its end. */
  readonly systemMessage: string | null;
  /** Its own, else that of the orchestrator. */
  readonly votingSensitivity: VotingSensitivity;
  /** Decomposition: its part of the whole; `null` for none. */
  readonly subtask: string | null;
  /** Files and commands; `null` for an agent without a `cwd`. */
  readonly hands: HandsConfig | null;
  readonly customTools: readonly CustomToolConfig[];
  readonly toolChoice: ToolChoiceConfig;
  /** Asked around its tool calls, in this order: those of the team and its own. */
  readonly hooks: readonly HookConfig[];
  readonly mcpServers: readonly McpServerConfig[];
}

/** Which of its tools an agent has. Rules: docs/spec/config.md 7.2. */
export interface ToolChoiceConfig {
  /** Names as in `namesTool` of @massgen/tools; `null`: all. Not about tools of the user's own. */
  readonly allowed: readonly string[] | null;
  /** Wins over `allowed`. */
  readonly excluded: readonly string[];
  /** Calls of one response that run at once, as far as they only read. */
  readonly atOnce: number;
}

export type HookEvent = "PreToolUse" | "PostToolUse";

/** Somebody who is asked around tool calls. Rules: docs/spec/config.md 18. */
export interface HookConfig {
  /** Where it stands, for messages: `hooks.PreToolUse[0]`. */
  readonly where: string;
  readonly event: HookEvent;
  readonly type: "module" | "command";
  /** A module as for custom tools, or a line for the shell. */
  readonly handler: string;
  /** Names of tools, `*` for any run of characters, alternatives by `|`. */
  readonly matcher: string;
  readonly timeoutSeconds: number;
  /** A hook that fails refuses the call. */
  readonly failClosed: boolean;
  /** Variables of the host that a command gets besides the harmless ones. */
  readonly envPassthrough: readonly string[];
}

/** One MCP server of one agent. Rules: docs/spec/config.md 8. */
export interface McpServerConfig {
  /** Where it stands, for messages. */
  readonly where: string;
  readonly name: string;
  readonly transport:
    | {
        readonly kind: "stdio";
        /** `${cwd}` in it, and in `env` and `cwd`, stands for the workspace of the agent. */
        readonly argv: readonly string[];
        /** `null`: the workspace of the agent, else the folder of the run. */
        readonly cwd: string | null;
        /** Secret. */
        readonly env: Readonly<Record<string, string>>;
      }
    | {
        readonly kind: "http";
        readonly url: string;
        /** Secret. */
        readonly headers: Readonly<Record<string, string>>;
        readonly readTimeoutSeconds: number;
        readonly networks: readonly ("loopback" | "private")[];
        readonly trustedHosts: readonly string[];
      };
  readonly connectTimeoutSeconds: number;
  /** Of one call; progress starts it anew. */
  readonly callTimeoutSeconds: number;
  readonly maxRetries: number;
  readonly concurrency: number;
  /** `null`: all. */
  readonly allowedTools: readonly string[] | null;
  readonly excludedTools: readonly string[];
  /** Filters of this server alone: each should mean a tool of it. */
  readonly expectedTools: readonly string[];
  readonly trust: "low" | "normal";
  readonly isOptional: boolean;
  readonly isPinned: boolean;
  readonly readOnlyTools: readonly string[];
  readonly destructiveTools: readonly string[];
  readonly exposesResources: boolean;
}

/** One tool of the user's own. Rules: docs/spec/config.md 7.1. */
export interface CustomToolConfig {
  /** Where it stands, for messages: `agents[0].backend.custom_tools[1]`. */
  readonly where: string;
  readonly name: string | null;
  /** The export of the module. */
  readonly function: string | null;
  readonly path: string | null;
  readonly category: string | null;
  readonly description: string | null;
  readonly presetArgs: { readonly [name: string]: PlainValue } | null;
}

/** What an agent may do on this machine. Rules: docs/spec/config.md 6. */
export interface HandsConfig {
  /** A name, which gets a folder of its own for each run, or an absolute path, used as it is. */
  readonly cwd: string;
  readonly readBeforeDelete: boolean;
  readonly readBeforeOverwrite: boolean;
  readonly fileTools: "full" | "read_only" | "none";
  /** `null`: it runs no commands. */
  readonly commands: CommandsConfig | null;
}

export interface CommandsConfig {
  /** `null`: on this machine, behind `sandbox`. */
  readonly docker: DockerConfig | null;
  /** `auto`: behind a sandbox, or not at all where there is none; `off`: without one. */
  readonly sandbox: "auto" | "require" | "off";
  readonly timeoutSeconds: number;
  readonly maxTimeoutSeconds: number;
  /** Regular expressions on simple commands; empty `allowed`: all that is not refused. */
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables of the host. */
  readonly envPassthrough: readonly string[];
  readonly maxBackground: number;
  readonly autoVenv: boolean;
}

/** The container an agent's commands run in. Rules: docs/spec/config.md 6. */
export interface DockerConfig {
  readonly image: string;
  /** `2g`. */
  readonly memory: string;
  readonly cpus: number;
  readonly network: "none" | "bridge" | "host";
  /** Commands may become root in it. */
  readonly sudo: boolean;
  readonly pull: "missing" | "never" | "always";
  readonly credentials: {
    /** Settings of the user's, read-only in the home of the commands. */
    readonly kinds: readonly ("ssh_keys" | "git_config" | "gh_config" | "npm_config" | "pypi_config")[];
    readonly mounts: readonly DockerMountConfig[];
    readonly envFile: string | null;
    readonly envNames: readonly string[];
    /** Names taken from `envFile`; empty: all. */
    readonly envFileNames: readonly string[];
    /** The host's variables without what looks like a key. */
    readonly allEnv: boolean;
  };
  /** Put into an image of its own, once. */
  readonly preinstall: { readonly python: readonly string[]; readonly npm: readonly string[]; readonly system: readonly string[] };
}

export interface DockerMountConfig {
  /** As written: absolute, below the working directory, or with `~`. */
  readonly source: string;
  readonly target: string;
  readonly mode: "ro" | "rw";
}

/** A file or folder of the user's that agents work on. Rules: docs/spec/config.md 14. */
export interface ContextPathConfig {
  /** As written: absolute, below the working directory, or with `~`. */
  readonly path: string;
  /** `write` counts for the presenter alone. */
  readonly permission: "read" | "write";
  readonly protectedPaths: readonly string[];
}

export interface BackendConfig {
  /** Canonical provider type, one of `providers`, or a module that makes the adapter: `namesModule`. */
  readonly type: string;
  /** `null` only for frameworks and modules that choose models themselves. */
  readonly model: string | null;
  /** Secret. `null`: look it up with `resolveApiKey`. */
  readonly apiKey: string | null;
  /** As written, trimmed; `null` for the provider's own address. May hold a login: mask before showing. */
  readonly baseUrl: string | null;
  /** Upper bound of generated tokens. */
  readonly maxTokens: number | null;
  /** Of one request. */
  readonly timeoutSeconds: number | null;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** Attempts after a stream that broke off in the middle. */
  readonly maxIncompleteResponseRetries: number;
  /** `null`: off. */
  readonly circuitBreaker: CircuitBreakerConfig | null;
  /** Requests keep to the limits of the rate limit file. */
  readonly rateLimited: boolean;
  /** Merged last into the request body. */
  readonly extraBody: { readonly [key: string]: PlainValue } | null;
  /** Shown instead of the provider's name. */
  readonly providerName: string | null;
  readonly organization: string | null;
  /** Azure only. */
  readonly apiVersion: string | null;
  readonly deploymentName: string | null;
  /** `temperature`, `top_p` and every other key of the backend that is not ours, spelled as written, ready to be sent. Never null values. */
  readonly params: { readonly [key: string]: PlainValue };
}

/** When a vendor that fails is left alone. Rules: docs/spec/backends.md 22. */
export interface CircuitBreakerConfig {
  /** Failures in a row. */
  readonly maxFailures: number;
  /** Until one request probes. */
  readonly resetTimeSeconds: number;
  /** Growth of that time with each probe that fails, and its end. */
  readonly backoffMultiplier: number;
  readonly maxBackoffSeconds: number;
  /** Longest wait of a 429 that is kept. */
  readonly retryAfterThresholdSeconds: number;
  /** Statuses that count as failures. */
  readonly retryableStatusCodes: readonly number[];
}

export interface OrchestratorConfig {
  readonly votingSensitivity: VotingSensitivity;
  /** Accepted answers per agent after which it may only vote; `null` for no cap. */
  readonly maxNewAnswersPerAgent: number | null;
  readonly maxNewAnswersGlobal: number | null;
  readonly fairnessEnabled: boolean;
  /** Answers an agent may be ahead of the slowest active one; 0 is lockstep. */
  readonly fairnessLeadCapAnswers: number;
  readonly maxMidstreamInjectionsPerRound: number;
  readonly disableInjection: boolean;
  readonly deferPeerUpdatesUntilRestart: boolean;
  /** Unless set: true with three or more agents. */
  readonly deferVotingUntilAllAnswered: boolean;
  /** How long that waits for stragglers, as a factor of the time to the median first answer; 0 does not wait, `null` waits for all. */
  readonly stragglerPatience: number | null;
  readonly tieBreak: readonly TieBreak[];
  readonly answerOrder: "auto" | "rotate" | "fixed";
  readonly singleAgentMode: "auto" | "direct" | "refine";
  /** The first agent presents at once. */
  readonly skipCoordinationRounds: boolean;
  readonly skipVoting: boolean;
  /** `winner_reuse` also where only `skip_final_presentation` is set. */
  readonly finalAnswerStrategy: "winner_reuse" | "winner_present" | "synthesize";
  readonly coordinationMode: "voting" | "decomposition";
  /** Decomposition: id of the agent that puts the parts together; `null` is the last one that has an answer. */
  readonly presenterAgent: string | null;
  readonly workflow: "parallel" | "sequential";
  /** How different a new answer must be from every current one. */
  readonly answerNoveltyRequirement: "lenient" | "balanced" | "strict";
  /** Accepted answers per agent, as the cap above; bounds debates too. */
  readonly maxRounds: number | null;
  /** Share of the team that must agree; `null` asks for none. */
  readonly convergenceThreshold: number | null;
  readonly votingMethod: "plurality" | "weighted_by_confidence";
  /** Factor from 0 to 1 on a vote for the voter's own answer. */
  readonly selfVoteWeight: number;
  /** `false`: agents go on in their conversations. */
  readonly enableRestarts: boolean;
  readonly restartAfterStagnation: number | null;
  readonly toolOffering: "constant" | "per_round";
  /** Agents' configured ids and model names are taken out of the answers others read. */
  readonly scrubIdentities: boolean;
  /** Every call of a model is recorded, so that the run can be run again without one. */
  readonly record: boolean;
  /** `null`: nothing limits the spending. */
  readonly budget: BudgetConfig | null;
  /** A command that checks every answer; `null` for none. Rules: docs/spec/coordination.md 7 W21. */
  readonly verify: string | null;
  /** What fails it cannot win while something passes. */
  readonly verifyRequired: boolean;
  readonly verifyTimeoutSeconds: number;
  readonly contextPaths: readonly ContextPathConfig[];
  /** Folders below `.massgen`, or absolute; `null` for the usual ones. */
  readonly snapshotStorage: string | null;
  readonly agentTemporaryWorkspace: string | null;
  /** Workspaces have folders for drafts and for what counts, and their versions a history in git. */
  readonly twoTierWorkspace: boolean;
  /** `null`: draw one. */
  readonly seed: number | null;
  /** Times the presented answer may send the team back to work; attempts are one more. */
  readonly maxOrchestrationRestarts: number;
  /** What is judged in place of the presented answer of the first attempt. */
  readonly debugFinalAnswer: string | null;
  /** What cannot be undone is planned by all and done by the presenter only. */
  readonly planningMode: boolean;
  /** What agents in planning mode are told in place of our own text. */
  readonly planningModeInstruction: string | null;
  /** How many other wordings of the question are asked for; 0 for none. */
  readonly paraphrases: number;
  /** How sure a comparison must be that a wording asks for the same, 0 to 1; `null`: nobody compares. */
  readonly paraphraseThreshold: number | null;
  readonly decomposer: DecomposerConfig;
}

/** Decomposition: how agents without a part of their own get one (docs/spec/coordination.md 1.21). */
export interface DecomposerConfig {
  /** `false`: nobody is asked, everybody takes a share of the whole. */
  readonly isEnabled: boolean;
  /** What the parts are to keep to besides; `null` for nothing. */
  readonly guidelines: string | null;
  readonly timeoutSeconds: number;
}

/** What a run may spend; `null`: no such limit. Rules: docs/spec/coordination.md 7 W3. */
export interface BudgetConfig {
  readonly maxTotalTokens: number | null;
  readonly maxTotalCostUsd: number | null;
  readonly maxLlmCalls: number | null;
  readonly maxAgentTokens: number | null;
  readonly maxAgentCostUsd: number | null;
  readonly maxRoundCostUsd: number | null;
  readonly warnAt: number;
  readonly reserveForFinal: number;
}

export interface UiConfig {
  /** `terminal`: the live screen where there is a terminal. */
  readonly displayType: "terminal" | "simple" | "silent";
  readonly loggingEnabled: boolean;
  readonly automationMode: boolean;
  readonly debug: boolean;
  /** Colours of the screen; `null` leaves it to the terminal's owner. */
  readonly theme: "dark" | "light" | "contrast" | "none" | null;
  /** Plain lines, each whole when it comes, in place of a screen that is drawn over and over. */
  readonly screenReader: boolean;
  /** What the screen shows beside the streams: what happened, and a row for each agent. */
  readonly liveTimeline: boolean;
  readonly showAgentCards: boolean;
}

export interface TimeoutConfig {
  /** From the start of coordinating to the decision. */
  readonly orchestratorTimeoutSeconds: number;
  /** Soft limits of an agent's first round and of later ones; `null` for none. */
  readonly initialRoundTimeoutSeconds: number | null;
  readonly subsequentRoundTimeoutSeconds: number | null;
  /** From the soft limit to the hard one. */
  readonly roundTimeoutGraceSeconds: number;
  readonly finalPresentationTimeoutSeconds: number;
  readonly postEvaluationTimeoutSeconds: number;
  /** Without a sign of life from the model. */
  readonly agentStallTimeoutSeconds: number;
}
