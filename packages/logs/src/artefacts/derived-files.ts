import type { AgentId, Clock, Delta, EpochMillis, Recorded } from "@massgen/contracts";
import {
  coordinationTable,
  decisionReport,
  decisionText,
  metricsEvents,
  metricsSummary,
  type RunView,
  statusReport,
  voteReport,
} from "@massgen/views";
import type { PersistedEvent } from "../events/persisted-event.js";
import type { FileSink } from "../files/file-sink.js";
import type { StepFolders } from "../files/step-folders.js";
import type { ZoneOffset } from "../local-time.js";
import type { LogParts } from "../log-parts.js";
import { createRewriter } from "../rewriter.js";
import type { RunOutcome } from "../run-outcome.js";
import { loadCellWidth } from "./cell-width.js";
import { coordinationEvents } from "./coordination-events.js";
import { partialAnswers } from "./partial-answers.js";
import { snapshotMappings } from "./snapshot-mappings.js";
import { type Happening, systemStatus } from "./system-status.js";

interface WatchedFact {
  readonly record: Recorded;
  /** The view after the record. */
  readonly view: RunView;
  readonly sentence: string | null;
  readonly event: PersistedEvent | null;
}

/** The files that are folds of the facts: each can be made again from `events.jsonl` at any time. */
export interface DerivedFiles {
  begin(): Promise<void>;
  fact(fact: WatchedFact): void;
  delta(delta: Delta, at: EpochMillis): void;
  /** Something of the status that is no fact is another now. */
  statusChanged(): void;
  tick(): void;
  /** Writes all of them for the last time, the status excepted. */
  finish(outcome: RunOutcome | null): Promise<void>;
  /** The last status: everything else is on the disk. */
  complete(outcome: RunOutcome | null): Promise<void>;
}

export interface DerivedFilesOptions {
  /** The folder of these files; one of several when a run has attempts. */
  readonly leaf: string;
  readonly sessionId: string;
  readonly sink: FileSink;
  readonly folders: StepFolders;
  readonly zone: ZoneOffset;
  readonly clock: Clock;
  readonly metadata: LogParts["metadata"];
  readonly mcpServers: LogParts["mcpServers"];
  /** What was before these files were begun: nothing, or the run up to the attempt that they are of. */
  readonly from: RunView;
  readonly maxAttempts: number;
  /** Shown to whoever looks at the whole run: gets every status. */
  onStatus(status: object): Promise<void>;
}

const STATUS_MS = { minIntervalMs: 500, maxIntervalMs: 2_000 } as const;
const FILES_MS = { minIntervalMs: 2_000 } as const;
/** `coordination_events.json` is written anew when it has grown by half, so that a long run does not write it for ever. */
const GROWTH = 1.5;

export function createDerivedFiles(options: DerivedFilesOptions): DerivedFiles {
  const { leaf, sessionId, sink, folders, zone, clock, metadata, from, maxAttempts } = options;
  const { simulated, question, runId } = metadata;
  const streamedAt = new Map<AgentId, EpochMillis>();
  const waitReasons = new Map<AgentId, string>();
  const happenings: Happening[] = [];
  const events: PersistedEvent[] = [];
  const records: Recorded[] = [];
  let view: RunView = from;
  let outcome: RunOutcome | null = null;
  let eventsWritten = 0;
  let isComplete = false;

  const marked = (value: object): object => (simulated ? { ...value, simulated: true } : value);
  const monotonic = (): number => clock.monotonic();

  const status = createRewriter({ ...STATUS_MS, monotonic, write: writeStatus });
  const eventsFile = createRewriter({ ...FILES_MS, monotonic, write: writeEvents });
  const systemFile = createRewriter({ ...FILES_MS, monotonic, write: writeSystemStatus });
  const mappings = createRewriter({
    ...FILES_MS,
    monotonic,
    write: () => sink.json("snapshot_mappings.json", snapshotMappings(view, folders, simulated)),
  });

  async function writeStatus(): Promise<void> {
    const current = currentStatus();
    await Promise.all([sink.json("status.json", current), options.onStatus(current)]);
  }

  function currentStatus(): object {
    return statusReport(view, {
      now: clock.now(),
      startedAt: metadata.startedAt,
      sessionId,
      logDir: leaf,
      pid: process.pid,
      simulated,
      runId,
      question,
      agents: metadata.agents,
      dirs: new Map(metadata.agents.map((card) => [card.id, folders.agentFolder(card.id)])),
      turn: metadata.turn ?? 1,
      attempt: view.state.attempt,
      maxAttempts,
      waitReasons,
      mcpServers: options.mcpServers,
      streamedAt,
      outcome: outcome === null ? null : { status: outcome.status, message: outcome.message ?? null },
      isComplete,
      equipment: metadata.equipment,
    });
  }

  function writeEvents(): Promise<void> {
    eventsWritten = events.length;
    return sink.json(
      "coordination_events.json",
      coordinationEvents(view, events, { question, runId, turn: metadata.turn ?? 1, attempt: view.state.attempt, simulated }),
    );
  }

  function writeSystemStatus(): Promise<void> {
    return sink.text("agent_outputs/system_status.txt", systemStatus(view, happenings, clock.now(), zone, simulated));
  }

  /** Frozen with the decision, so that nothing that comes later can colour it. */
  async function writeDecision(): Promise<void> {
    const decided = view;
    const report = decisionReport(decided);
    const text = decisionText(decided, { cellWidth: await loadCellWidth(), simulated });
    if (report === null || text === null) return;
    await Promise.all([sink.json("decision.json", marked(report)), sink.text("decision.md", text), writeVotes()]);
  }

  function writeVotes(): Promise<void> {
    return sink.json("vote.json", marked(voteReport(view)));
  }

  async function writeTable(): Promise<void> {
    const cellWidth = await loadCellWidth();
    await sink.text("coordination_table.txt", coordinationTable(records, { cellWidth, simulated, from }));
  }

  function writeMetrics(): Promise<unknown> {
    const context = { now: clock.now(), sessionId };
    return Promise.all([
      sink.json("metrics_events.json", marked(metricsEvents(view, context))),
      sink.json("metrics_summary.json", marked(metricsSummary(view, context))),
    ]);
  }

  async function writePartialAnswers(): Promise<void> {
    const partial = view.cancelled === null && outcome?.status !== "cancelled" ? null : partialAnswers(view);
    if (partial !== null) await sink.json("partial_answers.json", marked(partial as object));
  }

  return {
    async begin() {
      await Promise.all([status.now(), systemFile.now()]);
    },

    fact({ record, view: after, sentence, event }) {
      view = after;
      records.push(record);
      if (sentence !== null) happenings.push({ at: record.at, text: sentence });
      if (event !== null) events.push(event);
      if (record.type === "round_started") waitReasons.delete(record.agent);
      if (record.type === "phase_changed") void status.now();
      else status.changed();
      if (sentence !== null) systemFile.changed();
      if (events.length >= eventsWritten * GROWTH) eventsFile.changed();
      if (record.type === "answer_submitted" || record.type === "vote_cast" || record.type === "presentation_finished") mappings.changed();
      if (record.type === "winner_selected") void Promise.all([writeDecision(), writeTable()]);
    },

    delta(delta, at) {
      if (delta.type === "gate") {
        if (delta.held) waitReasons.set(delta.agent, delta.gate);
        else if (waitReasons.get(delta.agent) === delta.gate) waitReasons.delete(delta.agent);
        status.changed();
      } else if (delta.type !== "notice") streamedAt.set(delta.agent, at);
    },

    tick() {
      for (const file of [status, eventsFile, systemFile, mappings]) file.tick();
    },

    statusChanged: () => status.changed(),

    async finish(given) {
      outcome = given;
      await Promise.all([
        eventsFile.now(),
        systemFile.now(),
        mappings.now(),
        writeVotes(),
        writeTable(),
        writeMetrics(),
        writePartialAnswers(),
      ]);
    },

    async complete(given) {
      outcome = given;
      isComplete = true;
      await status.now();
    },
  };
}
