import { homedir } from "node:os";
import type { PriceTable } from "@massgen/backend-kit";
import { type Environment, type LoadedConfig, type MassgenConfig, requireConfig } from "@massgen/config";
import {
  type AgentCard,
  type AgentId,
  type EventStore,
  type Hook,
  type HumanBroker,
  MassgenError,
  type RunEvent,
  type RunId,
  type ToolChoice,
  type ToolHandler,
  type ToolSpec,
} from "@massgen/contracts";
import { type Agent, type Coordination, coordinate, type HistoryMessage, type PolicyOptions, systemAmbient } from "@massgen/core";
import { anonIdAt } from "@massgen/kernel";
import type { RunLog } from "@massgen/logs";
import type { McpServersReport } from "@massgen/views";
import type { RateLimitSettings } from "./backends/limiters.js";
import { buildAgents } from "./build-agents.js";
import { limitHistory } from "./conversation/limit-history.js";
import type { ReviewChanges } from "./delivery/report.js";
import { settleChanges } from "./delivery/settle-changes.js";
import { type Following, followRun, type RunEnd } from "./follow-run.js";
import type { AllowUnconfined } from "./hands/allow-unconfined.js";
import { unknownToolNames, withChoice } from "./hands/choose-tools.js";
import { openCustomTools } from "./hands/custom-tools.js";
import type { Elicit } from "./hands/elicit.js";
import { type Hands, withTools } from "./hands/hands.js";
import type { McpOfRun, McpOptions } from "./hands/mcp.js";
import { openHands } from "./hands/open-hands.js";
import type { PreviousTurn } from "./hands/previous-turn.js";
import type { OpenVerify } from "./hands/verify.js";
import { openHooks } from "./hooks/open-hooks.js";
import { sharedFetch } from "./http/node-fetch.js";
import { modeFromConfig } from "./mode-from-config.js";
import { type LogSettings, type LogSubject, openLog } from "./open-log.js";
import { policyFromConfig } from "./policy-from-config.js";
import { environmentSecrets, redactorOf } from "./redactor-of.js";
import { recordCalls } from "./replay/record-calls.js";
import type { FinishedRun } from "./result.js";
import { type SendOptions, sendInput } from "./send-input.js";

/** Everything a run is made of, decided: nothing is looked up any more. */
export interface RunPlan {
  readonly question: string;
  readonly loaded: LoadedConfig;
  readonly env: Environment;
  /** `null`: no log is kept. */
  readonly logs: LogSettings | null;
  /**
   * Absolute folders from which adapters named by package or path are looked up, in order. Default: the folder of the
   * process.
   */
  readonly modulesFrom?: readonly string[];
  /** What `enable_rate_limit` keeps to. Default: the built-in limits. */
  readonly rateLimits?: RateLimitSettings;
  /** Absolute; where `.massgen` and relative paths of agents' files belong. Default: the folder of the process. */
  readonly cwd?: string;
  /** What tokens cost. Default: the built-in prices. */
  readonly prices?: PriceTable | null;
  readonly history?: readonly HistoryMessage[];
  /** Put before every agent's own instructions. */
  readonly instructions?: string;
  /** Tools of whoever asks, offered to the presenter: calling one ends the run with the status `tool_calls`. */
  readonly clientTools?: readonly ToolSpec[];
  /** Folders with the files of earlier turns: agents with files read them, and start with a copy of the last. */
  readonly previousTurns?: readonly PreviousTurn[];
  /** Which of them the presenter must call. Default `auto`. */
  readonly clientToolChoice?: ToolChoice;
  /** Asked before what the presenter changed in the user's files is brought there. Default: it is brought at once. */
  readonly reviewChanges?: ReviewChanges;
  readonly signal?: AbortSignal;
  /** Asks the person what an MCP server wants to know. Default: nobody is there, and every question is declined. */
  readonly elicit?: Elicit;
  /** Told what a person should know of MCP servers: that the start waits for them, and later that one was lost or changed. */
  readonly onWaiting?: (message: string) => void;
  readonly fetch?: typeof globalThis.fetch;
  /** Somebody who is asked where a hook or a policy wants a person's consent. Default: nobody, and such calls are refused. */
  readonly human?: HumanBroker;
  /**
   * Asked once whether agents may run commands although nothing can confine them. Default: nobody is there, and they run none
   * unless the config says `command_line_sandbox: off`.
   */
  readonly allowUnconfined?: AllowUnconfined;
  /** Asked around every call of a tool, of all agents, besides the hooks of the config. */
  readonly hooks?: readonly Hook[];
  /** Gets every event; an error it throws cancels the run and rejects `finished`. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** A run that is over, while the folders of its agents are still there. */
export interface RunLeaving extends RunEnd {
  /** Copies what an agent's folder holds to one that is there; `null` for agents without files. */
  readonly copyWorkspace: ((agent: AgentId, folder: string) => Promise<void>) | null;
}

/** A run that is ready to go: config, keys and log folder are good, no model has been called. */
export interface PreparedRun {
  readonly config: MassgenConfig;
  readonly runId: RunId;
  /** Absolute; `null` without logs. */
  readonly logDirectory: string | null;
  readonly statusFile: string | null;
  /**
   * Takes the secrets of this run out of a text: keys in use, those of the config and of the environment. Files of the log
   * are safe without it; screens and messages are not.
   */
  readonly redact: (text: string) => string;
  /** What agents may do on this machine and what not, a sentence each; to be shown before the run. */
  readonly notes: readonly string[];
  /** What an agent has on this machine, as it is now: its folder (`null` without files) and its MCP servers by name. */
  readonly equipmentOf: (agent: AgentId) => { readonly workspace: string | null; readonly servers: McpServersReport };
  /** Begins. May be called once. */
  readonly start: () => RunningRun;
}

/** Every iteration gets all facts from the first one on and the deltas that pass. Leaving it does not stop the run. */
export interface RunningRun extends AsyncIterable<RunEvent> {
  /** Resolves when everything is on disk, whatever came of the run. Rejects only when the run could not go on at all. */
  readonly finished: Promise<FinishedRun>;
  /**
   * Asks for the result: agents at work are told to wrap up, and once all have an answer they may only vote
   * (docs/spec/coordination.md 1.14). Resolves with whether the run took it; not after the decision, and not twice.
   */
  readonly answerNow: (reason?: string) => Promise<boolean>;
  /**
   * Says something to agents at work: each hears it once, before its next request to its model, and in every prompt after
   * that (docs/spec/coordination.md 1.24). Resolves with whether anybody could still hear it. After the decision that is the
   * presenter alone, after the end nobody.
   *
   * @throws MassgenError `USAGE` for a text that is blank or has more than 50,000 characters, and for an agent there is not
   */
  readonly send: (text: string, options?: SendOptions) => Promise<boolean>;
}

/** What makes a run this run, and where its log is kept. */
export interface RunIdentity {
  readonly runId: RunId;
  /** `null`: from the config, else drawn. */
  readonly seed: number | null;
  /** Gives `null` where no log is kept. */
  readonly openLog: (subject: LogSubject) => Promise<RunLog | null>;
  /** Keeps the events in place of the log. */
  readonly storeFor?: (redact: PreparedRun["redact"]) => EventStore;
  /** Keeps what came of it; may name the conversation it belongs to. Never rejects. */
  readonly onEnd?: (end: RunLeaving) => Promise<{ readonly sessionId?: string }>;
}

/** @throws MassgenError for a config, a key or a question that is not good; no model has been called then */
export function prepareRun(plan: RunPlan): Promise<PreparedRun> {
  const { logs } = plan;
  const openLogOf = async (subject: LogSubject): Promise<RunLog | null> => (logs === null ? null : openLog(logs, subject));
  return assembleRun(plan, { runId: newRunId(), seed: null, openLog: openLogOf });
}

export const newRunId = (): RunId => systemAmbient().ids.next("run");

/** The run of a plan under a given identity: a new one, or one that goes on. */
export async function assembleRun(plan: Omit<RunPlan, "logs">, identity: RunIdentity): Promise<PreparedRun> {
  const config = requireConfig(plan.loaded);
  if (plan.question.trim() === "") {
    throw new MassgenError("CONFIG_INVALID", "The question is empty.", { exitCode: 1, hint: "Say what the agents are to work on." });
  }
  const ambient = { fetch: plan.fetch ?? sharedFetch(plan.env) };
  const { agents, secrets } = await buildAgents(config, plan.env, ambient, plan.modulesFrom, plan.rateLimits, plan.prices);
  const { runId } = identity;
  const warnings: string[] = [];
  const { cwd = process.cwd() } = plan;
  const places = { cwd, home: plan.env["HOME"] || homedir(), folders: [...new Set([cwd, ...(plan.modulesFrom ?? [])])] };
  const customTools = await openCustomTools(config, places);
  const hooks = await openHooks(config, { ...places, env: plan.env, runId, now: systemAmbient().clock.now });
  const hands = await openHandsOf(config, plan, runId, (message) => warnings.push(message));
  const orClosed = async (error: unknown): Promise<never> => {
    await hands?.close();
    throw error;
  };
  const verifying = await openVerifyOf(config, plan, runId, hands).catch(orClosed);
  const { seed: configured = null, ...rules } = policyFromConfig(config);
  const seed = identity.seed ?? configured ?? drawSeed();
  const cards = agents.map(
    ({ id, backend }, index): AgentCard => ({ id, anon: anonIdAt(index), backend: backend.id, model: backend.model }),
  );
  const { question, loaded } = plan;
  const maxAttempts = config.orchestrator.maxOrchestrationRestarts + 1;
  const known = [...secrets, ...loaded.secrets, ...environmentSecrets(plan.env), ...(hands?.secrets ?? [])];
  const history = limitHistory(plan.history ?? [], agents, (message) => warnings.push(message));
  const equipment = new Map(
    config.agents.map(({ id }) => [id, { sandbox: hands?.confinedBy(id) ?? null, workspacePaths: hands?.placesOf(id) ?? null }] as const),
  );
  const subject = { question, history, runId, seed, maxAttempts, cards, loaded, env: plan.env, secrets: known, equipment };
  const log = await identity.openLog(subject).catch(orClosed);

  const servers = await openServers(config, plan, { agents, hands, log }).catch(async (error: unknown) => {
    await log?.finish({ status: "error", message: error instanceof Error ? error.message : String(error) });
    return orClosed(error);
  });
  const { clientTools = [], clientToolChoice = "auto" } = plan;
  const settings = {
    question,
    seed,
    ...rules,
    ...(clientTools.length === 0 ? {} : { clientTools, clientToolChoice, policy: withPresentation(rules.policy, agents.length) }),
    mode: modeFromConfig(config),
    ...(history.length === 0 ? {} : { history }),
  };
  const instructed = agents.map((agent) => instruct(agent, plan.instructions));

  const armed = instructed.map((agent) =>
    withTools(agent, hands?.of(agent.id) ?? null, { custom: customTools.of(agent.id), servers: servers?.of(agent.id) ?? null }),
  );
  const team = armed.map((agent, index) => withChoice(agent, config.agents[index]!.toolChoice));
  const allToolsOf = (id: AgentId): readonly ToolHandler[] => armed.filter((agent) => agent.id === id).flatMap(toolsNow);
  const redact = redactorOf(known);
  const notes = [
    ...(hands?.notes ?? []),
    ...(verifying === null ? [] : [verifying.note]),
    ...customTools.notes,
    ...(servers?.notes ?? []),
    ...unknownToolNames(config, allToolsOf),
    ...hooks.notes(allToolsOf),
    ...warnings,
  ];
  for (const note of notes) log?.log("warning", "run", null, note);
  const start = (): RunningRun => {
    const stop = new AbortController();
    const outside = {
      agents: team.map((agent) => ({ ...agent, hooks: hooks.of(agent.id, toolsNow(agent)) })),
      ...(verifying === null ? {} : { verify: verifying.verify }),
      ...(hands === null ? {} : { workspaces: hands.workspaces }),
    };
    const run = coordinate({
      ...settings,
      runId,
      ...(log !== null && config.orchestrator.record ? recordCalls(log, runId, settings, outside) : outside),
      ambient,
      ...(hands === null ? {} : { permissions: hands.permissions, pathsFor: hands.pathsFor }),
      redact,
      ...(plan.human === undefined ? {} : { human: plan.human }),
      ...(plan.hooks === undefined ? {} : { hooks: plan.hooks }),
      signal: plan.signal === undefined ? stop.signal : AbortSignal.any([plan.signal, stop.signal]),
      ...(log === null ? {} : { store: log.store, onTranscript: log.onTranscript }),
      ...(identity.storeFor === undefined ? {} : { store: identity.storeFor(redact) }),
    });
    const finished = finish(run, log, stop);
    // Who only iterates learns of a failure there.
    finished.catch(() => {});
    const answerNow = async (reason = "asked for by the caller"): Promise<boolean> =>
      (await run.send({ type: "answer_now_requested", reason })).length > 0;
    const ids = cards.map(({ id }) => id);
    const send = (text: string, options: SendOptions = {}): Promise<boolean> => sendInput(run, ids, text, options);
    return { finished, answerNow, send, [Symbol.asyncIterator]: () => run[Symbol.asyncIterator]() };
  };

  async function finish(run: Coordination, log: RunLog | null, stop: AbortController): Promise<FinishedRun> {
    try {
      const deliver = hands === null ? {} : { deliver: hands.deliver, copy: hands.copy, settleChanges: settleWith(hands, stop.signal) };
      const onEvent = plan.onEvent === undefined ? {} : { onEvent: plan.onEvent };
      return await followRun(run, { log, stop, ...deliver, ...onEvent, ...keeping(identity, hands) });
    } finally {
      await Promise.all(agents.map((agent) => agent.backend.dispose()));
      await hooks.idle();
      // After the models, which use them, and before the folders they work in.
      await servers?.close();
      await hands?.close();
    }
  }

  const settleWith = (own: Hands, stopped: AbortSignal): NonNullable<Following["settleChanges"]> =>
    settleChanges({
      hands: own,
      runId,
      review: plan.reviewChanges,
      redact,
      signal: plan.signal === undefined ? stopped : AbortSignal.any([plan.signal, stopped]),
      onProblem: (message) => log?.log("warning", "files", null, message),
    });

  return {
    config,
    runId,
    logDirectory: log?.root ?? null,
    statusFile: log?.statusFile ?? null,
    notes,
    redact,
    equipmentOf: (agent) => ({ workspace: hands?.placesOf(agent)?.workspace ?? null, servers: servers?.reportOf(agent) ?? {} }),
    start,
  };
}

function keeping({ onEnd }: RunIdentity, hands: Hands | null): Pick<Following, "onEnd"> {
  if (onEnd === undefined) return {};
  const copyWorkspace = hands === null ? null : (agent: AgentId, folder: string): Promise<void> => hands.deliver(agent, null, folder);
  return { onEnd: (end) => onEnd({ ...end, copyWorkspace }) };
}

const toolsNow = (agent: Agent): readonly ToolHandler[] => [...(agent.tools ?? []), ...(agent.changingTools?.() ?? [])];

/** Only a presentation offers the tools of the caller: a single agent presents at once, and no team goes without. */
const withPresentation = (policy: PolicyOptions, agents: number): PolicyOptions => ({
  ...policy,
  ...(agents === 1 ? { skipCoordination: true } : {}),
  ...(policy.finalAnswer === "reuse" ? { finalAnswer: "present" } : {}),
});

function instruct(agent: Agent, common: string | undefined): Agent {
  if (common === undefined || common.trim() === "") return agent;
  return { ...agent, instructions: agent.instructions === undefined ? common : `${common}\n\n${agent.instructions}` };
}

const drawSeed = (): number => globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** The home is that of the environment, as everywhere. */
const openHandsOf = (
  config: MassgenConfig,
  {
    env,
    cwd = process.cwd(),
    previousTurns = [],
    reviewChanges,
    allowUnconfined,
  }: Pick<RunPlan, "env" | "cwd" | "previousTurns" | "reviewChanges" | "allowUnconfined">,
  runId: RunId,
  onWarning: (message: string) => void,
): ReturnType<typeof openHands> =>
  openHands({
    config,
    runId,
    env,
    cwd,
    home: env["HOME"] || homedir(),
    previousTurns,
    asksFirst: reviewChanges !== undefined,
    ...(allowUnconfined === undefined ? {} : { allowUnconfined }),
    onWarning,
  });

/** `null`, and nothing of it is loaded, when no agent has servers. */
async function openServers(
  config: MassgenConfig,
  { env, cwd = process.cwd(), signal, elicit, onWaiting }: Pick<RunPlan, "env" | "cwd" | "signal" | "elicit" | "onWaiting">,
  parts: Pick<McpOptions, "agents" | "hands" | "log">,
): Promise<McpOfRun | null> {
  if (config.agents.every(({ mcpServers }) => mcpServers.length === 0)) return null;
  const { openMcp } = await import("./hands/mcp.js");
  const home = env["HOME"] || homedir();
  const stop = signal ?? new AbortController().signal;
  const told = { ...(elicit === undefined ? {} : { elicit }), ...(onWaiting === undefined ? {} : { onWaiting }) };
  return openMcp({ config, env, cwd, home, signal: stop, ...told, ...parts });
}

async function openVerifyOf(
  config: MassgenConfig,
  { env }: Pick<RunPlan, "env">,
  runId: RunId,
  hands: Hands | null,
): Promise<OpenVerify | null> {
  const command = config.orchestrator.verify;
  if (command === null) return null;
  const { openVerify } = await import("./hands/verify.js");
  return openVerify({ config, command, hands, env, home: env["HOME"] || homedir(), runId });
}
