import { basename, join } from "node:path";
import type { AgentId, AnswerLabel, Clock, EpochMillis, EventStore, Recorded, RoundTranscript, RunEvent } from "@massgen/contracts";
import { describeRecord, emptyRunView, exitCodeOf, finishReasonOf, foldRecord, type RunView } from "@massgen/views";
import { createAgentOutputs } from "./artefacts/agent-outputs.js";
import { createCallLog } from "./artefacts/call-log.js";
import { coordinationEvent } from "./artefacts/coordination-events.js";
import { createDerivedFiles } from "./artefacts/derived-files.js";
import { createMassgenLog, type LogLevel } from "./artefacts/massgen-log.js";
import { type MetadataInput, metadataYaml } from "./artefacts/metadata.js";
import { createSteps } from "./artefacts/steps.js";
import type { EventsFileStore } from "./events/event-store.js";
import type { FileSink } from "./files/file-sink.js";
import type { StepFolders } from "./files/step-folders.js";
import type { GitInfo } from "./git-info.js";
import type { ZoneOffset } from "./local-time.js";
import type { Redactor } from "./redact/redactor.js";
import type { RunOutcome } from "./run-outcome.js";
import { startTicker } from "./ticker.js";

export interface RunLog {
  /** What is printed as `LOG_DIR`. */
  readonly root: string;
  /** The folder of this run's files; the root itself for a one-shot run. */
  readonly leaf: string;
  readonly statusFile: string;
  /** For the engine: what is appended here is on the disk before anything is done about it. */
  readonly store: EventStore;
  /** The view after all facts watched so far. */
  view(): RunView;
  /** Takes every event of the run, in order. Never blocks and never throws. */
  watch(event: RunEvent): void;
  /** Takes the conversations of rounds as they stand. */
  onTranscript(transcript: RoundTranscript): void;
  /** A line for `llm_calls.jsonl`, secrets removed; a `request` in it gets its hash beside it. */
  recordCall(line: object): void;
  /** A line for `massgen.log`. */
  log(level: LogLevel, component: string, agent: AgentId | null, message: string): void;
  /** Completes all files; the last one says that they are complete. Later calls give the same. */
  finish(outcome?: RunOutcome): Promise<FinishedLog>;
}

export interface FinishedLog {
  /** `null` when there is no final answer, or it could not be written. */
  readonly finalAnswerPath: string | null;
  readonly answerPaths: ReadonlyMap<AnswerLabel, string>;
}

export interface RunLogParts {
  readonly root: string;
  readonly sink: FileSink;
  readonly store: EventsFileStore;
  readonly folders: StepFolders;
  readonly redactor: Redactor;
  readonly zone: ZoneOffset;
  readonly clock: Clock;
  readonly debug: boolean;
  readonly git: Promise<GitInfo | null>;
  readonly metadata: Omit<MetadataInput, "git" | "end">;
  /** What an earlier process has recorded; `null` for a new log. */
  readonly history: readonly Recorded[] | null;
}

/** How often pending text and stale files are looked at. */
const TICK_MS = 500;

export async function createRunLog(parts: RunLogParts): Promise<RunLog> {
  const { root, sink, store, folders, redactor, zone, clock, metadata } = parts;
  const { simulated } = metadata;
  let view: RunView = emptyRunView;
  let finished: Promise<FinishedLog> | null = null;
  const records: Recorded[] = [];

  const log = createMassgenLog({ sink, redactor, zone, debug: parts.debug, simulated });
  const calls = createCallLog({ sink, redactor, simulated });
  const outputs = createAgentOutputs({ sink, folders, redactor, zone, simulated, isReopened: parts.history !== null });
  const steps = createSteps({ sink, folders, zone, simulated });
  const derived = createDerivedFiles({ ...parts, sessionId: basename(root), records });
  outputs.open(metadata.agents);

  const writeMetadata = (git: GitInfo | null, end: MetadataInput["end"]): Promise<void> =>
    sink.text("execution_metadata.yaml", metadataYaml({ ...metadata, git, end }, zone));

  function fact(given: Recorded, isPast: boolean): void {
    // Before anything is made of it: a preview that is cut in the middle of a secret would hide it from the redactor.
    const record = redactor.value(given);
    const before = view;
    view = foldRecord(view, record);
    records.push(record);
    const sentence = describeRecord(record, view);
    if (isPast) {
      // Whatever only grows has it already.
    } else if (sentence !== null) log.add(record.at, levelOf(record), "coordination", agentOf(record), sentence);
    else log.add(record.at, "debug", "activity", agentOf(record), activityText(record));
    if (!isPast) outputs.fact(record, view);
    steps.fact(record, view, isPast);
    derived.fact({ record, view, sentence, event: coordinationEvent(record, before, view, parts) });
  }

  function tick(): void {
    void log.flush();
    void outputs.flush();
    derived.tick();
  }

  async function close(outcome: RunOutcome | null): Promise<FinishedLog> {
    ticker.stop();
    const status = view.finished?.status ?? outcome?.status ?? null;
    const at = clock.now();
    if (status !== null && view.finished === null)
      log.add(at, "error", "coordination", null, `Ended: ${status}${outcome?.message == null ? "" : `: ${outcome.message}`}`);
    await Promise.all([outputs.close(), log.flush(), store.close()]);
    const end = status === null ? null : { at, finishReason: finishReasonOf(status), exitCode: exitCodeOf(status) };
    await Promise.all([writeMetadata(await parts.git, end), derived.finish(outcome)]);
    await sink.settled();
    await derived.complete(outcome);
    return { finalAnswerPath: await finalAnswerPath(), answerPaths: answerPaths() };
  }

  async function finalAnswerPath(): Promise<string | null> {
    const agent = view.presentationFinished?.agent;
    if (agent === undefined) return null;
    const path = `final/${folders.agentFolder(agent)}/answer.txt`;
    return (await sink.exists(path)) ? join(root, path) : null;
  }

  const answerPaths = (): ReadonlyMap<AnswerLabel, string> =>
    new Map(
      view.answers.map((answer) => [answer.label, join(root, folders.stepFolder(answer.agent, answer.seq, answer.at), "answer.txt")]),
    );

  for (const record of parts.history ?? []) fact(record, true);
  await Promise.all([writeMetadata(null, null), derived.begin(), outputs.flush()]);
  const ticker = startTicker(clock, TICK_MS, tick);

  return {
    root,
    leaf: root,
    statusFile: join(root, "status.json"),
    store,
    view: () => view,
    watch(event) {
      if (finished !== null) return;
      if ("seq" in event) {
        if (event.seq > (parts.history?.length ?? 0)) fact(event, false);
      } else {
        const at: EpochMillis = clock.now();
        outputs.delta(event, at);
        derived.delta(event, at);
        if (event.type === "notice") log.add(at, event.level, "notice", event.agent, event.message);
      }
    },
    onTranscript(transcript) {
      if (finished === null) steps.transcript(transcript);
    },
    recordCall(line) {
      if (finished === null) calls.add(line);
    },
    log: (level, component, agent, message) => log.add(clock.now(), level, component, agent, message),
    finish(outcome) {
      finished ??= close(outcome ?? null);
      return finished;
    },
  };
}

const agentOf = (record: Recorded): AgentId | null => ("agent" in record ? record.agent : null);

function levelOf(record: Recorded): LogLevel {
  switch (record.type) {
    case "agent_failed":
      return record.fatal ? "error" : "warning";
    case "agent_timeout":
    case "orchestrator_timeout":
    case "cancelled":
    case "deadlock_avoided":
    case "answer_rejected":
    case "vote_rejected":
    case "enforcement_retry":
    case "irreversible_tool_ran":
    case "earlier_attempt_used":
      return "warning";
    case "post_evaluation_finished":
      return record.autoSubmitted ? "warning" : "info";
    case "planning_decided":
      return record.failure === null ? "info" : "warning";
    case "run_finished":
      return record.status === "error" ? "error" : "info";
    default:
      return "info";
  }
}

function activityText(record: Recorded): string {
  switch (record.type) {
    case "llm_call":
      return `request ${record.callId} ${record.status}${record.durationMs === null ? "" : ` after ${record.durationMs} ms`}${record.message === null ? "" : `: ${record.message}`}`;
    case "tool_start":
      return `tool ${record.name} ${record.argsPreview}`;
    case "tool_complete":
      return `tool ${record.name} ${record.ok ? "done" : "failed"} after ${record.durationMs} ms: ${record.resultPreview}`;
    case "usage_recorded":
      return `usage: ${record.usage.inputTokens} in, ${record.usage.outputTokens} out`;
    default:
      return record.type;
  }
}
