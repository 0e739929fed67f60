import type { AgentId, Delta, EpochMillis, Recorded, RoundTranscript } from "@massgen/contracts";
import { describeRecord, exitCodeOf, finishReasonOf, foldRecord, type RunView } from "@massgen/views";
import { createAgentOutputs } from "./artefacts/agent-outputs.js";
import { coordinationEvent } from "./artefacts/coordination-events.js";
import { createDerivedFiles } from "./artefacts/derived-files.js";
import { activityText, agentOf, levelOf } from "./artefacts/log-lines.js";
import { createMassgenLog, type LogLevel } from "./artefacts/massgen-log.js";
import { type MetadataInput, metadataYaml } from "./artefacts/metadata.js";
import { createSteps } from "./artefacts/steps.js";
import type { FileSink } from "./files/file-sink.js";
import type { LogParts } from "./log-parts.js";
import type { RunOutcome } from "./run-outcome.js";

/** The files of one attempt, or of a run that has only one: everything but its events and what is of the whole run. */
export interface LeafLog {
  /** Absolute. */
  readonly folder: string;
  readonly sink: FileSink;
  /** The view after all facts so far. */
  view(): RunView;
  /** Metadata and the first status are on the disk. */
  begin(): Promise<void>;
  /** `isPast`: an earlier process has written what it knew of it. */
  fact(record: Recorded, isPast: boolean): void;
  delta(delta: Delta, at: EpochMillis): void;
  transcript(transcript: RoundTranscript): void;
  statusChanged(): void;
  log(at: EpochMillis, level: LogLevel, component: string, agent: AgentId | null, message: string): void;
  tick(): void;
  /** Everything is written but the last status. */
  close(outcome: RunOutcome | null): Promise<void>;
  /** The last status: all files are complete. */
  complete(outcome: RunOutcome | null): Promise<void>;
}

export interface LeafLogOptions extends LogParts {
  readonly folder: string;
  readonly sink: FileSink;
  readonly sessionId: string;
  /** What was before the first fact of these files. */
  readonly from: RunView;
  /** An earlier process has begun these files: what grows is added to. */
  readonly isReopened: boolean;
  onStatus(status: object): Promise<void>;
}

export function createLeafLog(options: LeafLogOptions): LeafLog {
  const { sink, folders, redactor, zone, clock, metadata, maxAttempts, from } = options;
  const { simulated } = metadata;
  let view = from;

  const lines = createMassgenLog({ sink, redactor, zone, debug: options.debug, simulated });
  const outputs = createAgentOutputs({ sink, folders, redactor, zone, simulated, isReopened: options.isReopened });
  const steps = createSteps({ sink, folders, zone, simulated });
  const derived = createDerivedFiles({ ...options, leaf: options.folder });
  outputs.open(metadata.agents);

  function writeMetadata(known: Pick<MetadataInput, "git" | "end">): Promise<void> {
    const { attempt, planning } = view.state;
    const verdict = planning?.verdict ?? null;
    const input: MetadataInput = {
      ...metadata,
      ...known,
      attempt: maxAttempts === 1 ? null : { number: attempt, of: maxAttempts },
      planning: verdict === null ? null : { ...verdict, analyzer: planning?.analyst ?? null },
    };
    return sink.text("execution_metadata.yaml", metadataYaml(input, zone));
  }

  return {
    folder: options.folder,
    sink,
    view: () => view,

    async begin() {
      await Promise.all([writeMetadata({ git: null, end: null }), derived.begin(), outputs.flush()]);
    },

    fact(record, isPast) {
      const before = view;
      view = foldRecord(view, record);
      const sentence = describeRecord(record, view);
      if (isPast) {
        // Whatever only grows has it already.
      } else if (sentence !== null) lines.add(record.at, levelOf(record), "coordination", agentOf(record), sentence);
      else lines.add(record.at, "debug", "activity", agentOf(record), activityText(record));
      if (!isPast) outputs.fact(record, view);
      steps.fact(record, view, isPast);
      derived.fact({ record, view, sentence, event: coordinationEvent(record, before, view, options) });
      if (!isPast && record.type === "planning_decided") void writeMetadata({ git: null, end: null });
    },

    delta(delta, at) {
      outputs.delta(delta, at);
      derived.delta(delta, at);
      if (delta.type === "notice") lines.add(at, delta.level, "notice", delta.agent, delta.message);
    },

    transcript: steps.transcript,
    statusChanged: derived.statusChanged,
    log: lines.add,

    tick() {
      void lines.flush();
      void outputs.flush();
      derived.tick();
    },

    async close(outcome) {
      const status = view.finished?.status ?? outcome?.status ?? null;
      const at = view.finished?.at ?? view.postEvaluation?.at ?? clock.now();
      if (status !== null && view.finished === null && view.postEvaluation === null)
        lines.add(at, "error", "coordination", null, `Ended: ${status}${outcome?.message == null ? "" : `: ${outcome.message}`}`);
      await Promise.all([outputs.close(), lines.flush()]);
      const end = status === null ? null : { at, finishReason: finishReasonOf(status), exitCode: exitCodeOf(status) };
      await Promise.all([writeMetadata({ git: await options.git, end }), derived.finish(outcome)]);
      await sink.settled();
    },

    complete: derived.complete,
  };
}
