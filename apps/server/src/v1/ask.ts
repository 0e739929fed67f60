import type { RunEvent } from "@massgen/contracts";
import { type FinishedRun, type PreparedRun, prepareRun } from "@massgen/sdk";
import { observed } from "../observed.js";
import type { ServerOptions } from "../options.js";
import type { FoundTeam } from "../teams.js";
import type { ClientTools } from "./client-tools.js";
import type { Conversation } from "./conversation.js";

export interface Asking {
  readonly conversation: Conversation;
  readonly found: FoundTeam;
  readonly clientTools: ClientTools;
  /** Aborted when the client hangs up or the server stops. */
  readonly signal: AbortSignal;
}

/** A run of a request, ready to begin: config, keys and log folder are good, no model has been called. */
export async function prepareAsking({ conversation, found, clientTools, signal }: Asking, options: ServerOptions): Promise<PreparedRun> {
  const { team } = found;
  const { question, history, instructions } = conversation;
  const logs = { cwd: options.cwd, version: options.version, configPath: team.path, cliArgs: { command: "serve" } };
  const prepared = await prepareRun({
    question,
    history,
    signal,
    loaded: team.loaded,
    rateLimits: team.rateLimits,
    prices: team.prices,
    env: options.env,
    cwd: options.cwd,
    modulesFrom: found.modulesFrom,
    logs: options.keepLogs ? logs : null,
    ...(instructions === null ? {} : { instructions }),
    ...(clientTools.tools.length === 0 ? {} : { clientTools: clientTools.tools, clientToolChoice: clientTools.choice }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  return observed(prepared, options.observeRun);
}

/** Plays a run to its end, one event after another; the run waits for no one who listens. */
export async function playRun(prepared: PreparedRun, onEvent: (event: RunEvent) => void | Promise<void>): Promise<FinishedRun> {
  const running = prepared.start();
  for await (const event of running) await onEvent(event);
  return running.finished;
}
