import { basename, join } from "node:path";
import type { AgentId, AnswerLabel, EventStore, Recorded, RoundTranscript, RunEvent } from "@massgen/contracts";
import { acceptedAttempt, emptyRunView, type McpServersReport, type RunView } from "@massgen/views";
import { createCallLog } from "./artefacts/call-log.js";
import type { LogLevel } from "./artefacts/massgen-log.js";
import { createServerLogs } from "./artefacts/server-logs.js";
import { attemptFolder } from "./attempts/attempt-folders.js";
import { createRunFiles } from "./attempts/run-files.js";
import type { TurnPlace } from "./attempts/turn-folders.js";
import type { EventsFileStore } from "./events/event-store.js";
import { createFileSink, type FileSink } from "./files/file-sink.js";
import { createLeafLog, type LeafLog } from "./leaf-log.js";
import type { LogParts } from "./log-parts.js";
import type { RunOutcome } from "./run-outcome.js";
import { startTicker } from "./ticker.js";

export interface RunLog {
  /** What is printed as `LOG_DIR`. */
  readonly root: string;
  /** The folder of this run's files: the root itself, or that of the attempt it is in. */
  readonly leaf: string;
  readonly statusFile: string;
  /** Its turn of a conversation; `null` for a run that has its root for itself. */
  readonly turn: number | null;
  /** The folder of its files, those of all its attempts: the root, or that of the turn. */
  readonly base: string;
  /** For the engine: what is appended here is on the disk before anything is done about it. */
  readonly store: EventStore;
  /** The view after all facts watched so far. */
  view(): RunView;
  /** Takes every event of the run, in order. Never blocks and never throws. */
  watch(event: RunEvent): void;
  /** Takes the conversations of rounds as they stand. */
  onTranscript(transcript: RoundTranscript): void;
  /** Number of the last record that an earlier process left in this log; 0 in a new one. */
  readonly lastSeq: number;
  /**
   * A line for `llm_calls.jsonl`, secrets removed; a `request` in it gets its hash beside it. Resolves when the line outlives
   * this process, and never rejects.
   */
  recordCall(line: object): Promise<void>;
  /** A line for `massgen.log`. */
  log(level: LogLevel, component: string, agent: AgentId | null, message: string): void;
  /** What became of the MCP servers of an agent, for the status. */
  mcpServers(agent: AgentId, report: McpServersReport): void;
  /** A line of an MCP server of an agent's, for a file of its own, secrets removed. */
  serverLine(agent: AgentId, server: string, line: string): void;
  /** Completes all files; the last one says that they are complete. Later calls give the same. */
  finish(outcome?: RunOutcome): Promise<FinishedLog>;
}

export interface FinishedLog {
  /** `null` when there is no final answer, or it could not be written. */
  readonly finalAnswerPath: string | null;
  readonly answerPaths: ReadonlyMap<AnswerLabel, string>;
  /** The folder of the attempt whose result is that of the run; the root itself where there is only one. */
  readonly leaf: string;
  /** Every folder with the final answer: its own first, then the copies beside it; empty without an answer. */
  readonly finalFolders: readonly string[];
}

export interface RunLogParts extends Omit<LogParts, "mcpServers"> {
  readonly place: TurnPlace;
  readonly store: EventsFileStore;
  /** What an earlier process has recorded; `null` for a new log. */
  readonly history: readonly Recorded[] | null;
  onWarning(message: string): void;
}

/** How often pending text and stale files are looked at. */
const TICK_MS = 500;

export async function createRunLog(given: RunLogParts): Promise<RunLog> {
  const mcpServers = new Map<AgentId, McpServersReport>();
  const parts: RunLogParts & LogParts = { ...given, mcpServers };
  const { place, store, folders, redactor, clock, metadata, onWarning } = parts;
  const { root, base } = place;
  const leafOf = (attempt: number): string => (parts.maxAttempts > 1 ? join(base, attemptFolder(attempt)) : base);
  const isNested = leafOf(1) !== root;
  const sinkOf = (folder: string): FileSink => createFileSink({ folder, redactor, onWarning });
  const rootSink = sinkOf(root);
  const sink = base === root ? rootSink : sinkOf(base);
  const runFiles = createRunFiles({ place, sink: rootSink, runId: metadata.runId, leafOf, onWarning });
  /** Attempts that are over and still being written. */
  const closing: Promise<void>[] = [];
  const calls = createCallLog({ sink, redactor, simulated: metadata.simulated });
  let leaf = openLeaf(emptyRunView, 1, parts.history !== null);
  let finished: Promise<FinishedLog> | null = null;

  /** `isReopened`: an earlier process has begun its files. */
  function openLeaf(from: RunView, attempt: number, isReopened: boolean): LeafLog {
    const folder = leafOf(attempt);
    const opened: LeafLog = createLeafLog({
      ...parts,
      folder,
      sink: folder === base ? sink : sinkOf(folder),
      sessionId: basename(root),
      from,
      isReopened,
      onStatus: async (status) => {
        if (isNested && leaf === opened) await runFiles.status(status);
      },
    });
    return opened;
  }

  /** The files of the attempt are completed, and those of the next begun. */
  function nextAttempt(record: Extract<Recorded, { type: "attempt_restarted" }>, isPast: boolean): void {
    const past = leaf;
    const outcome: RunOutcome = { status: "completed", message: `The team was sent back to work: ${record.reason}` };
    leaf = openLeaf(past.view(), record.attempt, isPast);
    closing.push(past.close(outcome).then(() => past.complete(outcome)));
    if (!isPast) closing.push(leaf.begin());
  }

  function fact(given: Recorded, isPast: boolean): void {
    // Before anything is made of it: a preview that is cut in the middle of a secret would hide it from the redactor.
    const record = redactor.value(given);
    const isNew = parts.maxAttempts > 1 && record.type === "attempt_restarted";
    if (isNew) nextAttempt(record, isPast);
    leaf.fact(record, isPast);
    if (isNew) void runFiles.index(leaf.view());
  }

  async function close(outcome: RunOutcome | null): Promise<FinishedLog> {
    ticker.stop();
    await Promise.all([leaf.close(outcome), store.close(), ...closing]);
    if (isNested) await Promise.all([runFiles.index(leaf.view()), runFiles.final(leaf.view())]);
    await Promise.all([sink.settled(), rootSink.settled()]);
    await leaf.complete(outcome);
    return { ...(await finalFolders()), answerPaths: answerPaths(), leaf: acceptedFolder() };
  }

  async function finalFolders(): Promise<Pick<FinishedLog, "finalAnswerPath" | "finalFolders">> {
    const agent = acceptedAttempt(leaf.view()).presentationFinished?.agent;
    if (agent === undefined) return { finalAnswerPath: null, finalFolders: [] };
    const path = `final/${folders.agentFolder(agent)}`;
    if (!(await rootSink.exists(`${path}/answer.txt`))) return { finalAnswerPath: null, finalFolders: [] };
    const all = [...new Set([acceptedFolder(), base, root])].map((folder) => join(folder, path));
    return { finalAnswerPath: join(root, path, "answer.txt"), finalFolders: all };
  }

  const acceptedFolder = (): string => leafOf(acceptedAttempt(leaf.view()).state.attempt);

  function answerPaths(): ReadonlyMap<AnswerLabel, string> {
    const { answers } = acceptedAttempt(leaf.view());
    const folder = acceptedFolder();
    const pathOf = (agent: AgentId, seq: number, at: number): string => join(folder, folders.stepFolder(agent, seq, at), "answer.txt");
    return new Map(answers.map((answer) => [answer.label, pathOf(answer.agent, answer.seq, answer.at)]));
  }

  for (const record of parts.history ?? []) fact(record, true);
  await Promise.all([leaf.begin(), isNested ? runFiles.index(leaf.view()) : null]);
  const ticker = startTicker(clock, TICK_MS, () => leaf.tick());

  return {
    root,
    base,
    turn: place.turn,
    get leaf() {
      return leaf.folder;
    },
    statusFile: join(root, "status.json"),
    store,
    view: () => leaf.view(),
    watch(event) {
      if (finished !== null) return;
      if ("seq" in event) {
        if (event.seq > (parts.history?.length ?? 0)) fact(event, false);
      } else leaf.delta(event, clock.now());
    },
    onTranscript(transcript) {
      if (finished === null) leaf.transcript(transcript);
    },
    lastSeq: parts.history?.at(-1)?.seq ?? 0,
    recordCall: (line) => (finished === null ? calls.add(line) : Promise.resolve()),
    mcpServers(agent, report) {
      mcpServers.set(agent, report);
      if (finished === null) leaf.statusChanged();
    },
    serverLine: createServerLogs({ sink, redactor, folders, clock, zone: parts.zone }).add,
    log: (level, component, agent, message) => leaf.log(clock.now(), level, component, agent, message),
    finish(outcome) {
      finished ??= close(outcome ?? null);
      return finished;
    },
  };
}
