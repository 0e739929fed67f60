import type { AgentId, AnswerLabel, Message, Recorded, RoundTranscript } from "@massgen/contracts";
import { describeRecord, type RunView, roundReport, roundsOf } from "@massgen/views";
import type { FileSink } from "../files/file-sink.js";
import type { StepFolders } from "../files/step-folders.js";
import type { ZoneOffset } from "../local-time.js";
import { contextJson, finalContextJson } from "./context-json.js";
import { executionTrace } from "./execution-trace.js";
import { partsText, resultText } from "./message-json.js";
import { voteStep } from "./vote-step.js";

/** The folders of what each agent did, one per answer, vote, update and interrupted round (docs/spec/logs.md 4.3, 4.4). */
export interface Steps {
  /** `isPast`: an earlier process has written what it knew of it. */
  fact(record: Recorded, view: RunView, isPast: boolean): void;
  transcript(transcript: RoundTranscript): void;
}

export interface StepsOptions {
  readonly sink: FileSink;
  readonly folders: StepFolders;
  readonly zone: ZoneOffset;
  readonly simulated: boolean;
}

/** A step whose files are (to be) made of the transcript of its round. */
interface Step {
  readonly folder: string;
  readonly action: string;
  readonly view: RunView;
  readonly round: RoundKey;
  readonly isFinal: boolean;
  readonly isPast: boolean;
}

interface Update {
  readonly folder: string;
  readonly round: RoundKey;
  readonly labels: readonly AnswerLabel[];
}

type RoundKey = `${number}:${AgentId}`;

export function createSteps({ sink, folders, zone, simulated }: StepsOptions): Steps {
  let isPast = false;
  const transcripts = new Map<RoundKey, RoundTranscript>();
  /** The newest step of each round: a transcript that comes later completes it. */
  const steps = new Map<RoundKey, Step>();
  let updates: readonly Update[] = [];

  function begin(agent: AgentId, record: Recorded, view: RunView, folder: string, isFinal = false): void {
    const history = view.agents.get(agent);
    const newest = history?.newestRound ?? null;
    const round = newest?.round ?? 0;
    const step: Step = { folder, action: describeRecord(record, view) ?? record.type, view, round: `${round}:${agent}`, isFinal, isPast };
    steps.set(step.round, step);
    if (newest !== null && !isFinal) void sink.json(`${folder}/usage.json`, marked(roundReport(newest)));
    write(step, agent);
  }

  function write(step: Step, agent: AgentId): void {
    const transcript = transcripts.get(step.round) ?? null;
    if (step.isPast) return;
    const history = step.view.agents.get(agent);
    const began = history === undefined ? undefined : roundsOf(history).findLast((round) => `${round.round}:${agent}` === step.round);
    const head = {
      anon: history?.card.anon ?? agent,
      model: history?.card.model ?? "",
      startedAt: began?.startedAt ?? step.view.lastAt ?? 0,
      simulated,
      action: step.action,
    };
    void sink.text(`${step.folder}/execution_trace.md`, executionTrace(transcript, head, zone));
    if (step.isFinal) void sink.json(`${step.folder}/context.txt`, marked(finalContextJson(step.view, transcript)));
    else if (transcript !== null)
      void sink.json(`${step.folder}/context.txt`, marked(contextJson(transcript, step.view.state.answers.length)));
  }

  const marked = (value: unknown): unknown =>
    simulated && typeof value === "object" && value !== null ? { ...value, simulated: true } : value;

  /** The update reaches the conversation before or after its fact, depending on how it is delivered. */
  function writeUpdates(): void {
    updates = updates.filter((update) => {
      const transcript = transcripts.get(update.round);
      const content = transcript === undefined ? null : updateText(transcript.messages, update.labels);
      if (content !== null) void sink.json(`${update.folder}/update_message.txt`, marked({ role: "user", content }));
      return content === null;
    });
  }

  function voteCast(record: Extract<Recorded, { type: "vote_cast" }>, view: RunView): void {
    const folder = folders.stepFolder(record.agent, record.seq, record.at);
    const ballot = view.ballots.at(-1);
    if (ballot?.seq === record.seq)
      void sink.json(`${folder}/vote.json`, marked(voteStep(view, ballot, folder.slice(folder.lastIndexOf("/") + 1))));
    begin(record.agent, record, view, folder);
  }

  function stopped(record: Extract<Recorded, { type: "agent_stopped" }>, view: RunView): void {
    const folder = folders.stepFolder(record.agent, record.seq, record.at);
    const { agent, summary, status, round } = record;
    const anon = view.agents.get(agent)?.card.anon ?? agent;
    const epoch = view.state.answers.length;
    void sink.json(
      `${folder}/stop.json`,
      marked({ agent_id: agent, anon_id: anon, status, summary, round, epoch, unix_timestamp: record.at / 1000 }),
    );
    begin(agent, record, view, folder);
  }

  return {
    fact(record, view, past) {
      isPast = past;
      if (record.type === "vote_cast") voteCast(record, view);
      else if (record.type === "agent_stopped" && record.by === "agent") stopped(record, view);
      else if (record.type === "answer_submitted")
        begin(record.agent, record, view, folders.stepFolder(record.agent, record.seq, record.at));
      else if (record.type === "update_injected") {
        if (isPast) return;
        const folder = folders.stepFolder(record.agent, record.seq, record.at);
        updates = [...updates, { folder, round: `${record.round}:${record.agent}`, labels: record.labels }];
        writeUpdates();
      } else if (record.type === "presentation_finished") {
        if (record.content !== "") begin(record.agent, record, view, `final/${folders.agentFolder(record.agent)}`, true);
      } else {
        const agent = interruptedBy(record, view);
        if (agent !== null) begin(agent, record, view, folders.stepFolder(agent, record.seq, record.at));
      }
    },

    transcript(transcript) {
      const key: RoundKey = `${transcript.round}:${transcript.agent}`;
      transcripts.set(key, transcript);
      for (const other of transcripts.keys()) {
        if (!isOlder(other, transcript)) continue;
        transcripts.delete(other);
        steps.delete(other);
      }
      writeUpdates();
      const step = steps.get(key);
      if (step !== undefined) write(step, transcript.agent);
    },
  };
}

/** The round before may still be completed; anything older is over and its conversation need not be kept. */
const isOlder = (key: RoundKey, { agent, round }: RoundTranscript): boolean => {
  const [number, ...id] = key.split(":");
  return id.join(":") === agent && Number(number) < round - 1;
};

/** Whose running round this record broke off. An agent that was stopped while it waited leaves nothing to look at. */
function interruptedBy(record: Recorded, view: RunView): AgentId | null {
  switch (record.type) {
    case "agent_failed":
    case "agent_timeout":
    case "agent_cancelled":
    case "agent_abstained":
      return view.agents.get(record.agent)?.newestRound?.endedAt === record.at ? record.agent : null;
    default:
      return null;
  }
}

/** The newest message behind the prompt that names all these labels, as an update does. */
function updateText(messages: readonly Message[], labels: readonly AnswerLabel[]): string | null {
  const first = messages.findIndex((message) => message.role === "assistant");
  if (first === -1) return null;
  const texts = messages.slice(first).flatMap((message) => {
    if (message.role === "user") return [partsText(message.parts)];
    return message.role === "tool" ? message.results.map(resultText) : [];
  });
  return texts.findLast((text) => labels.every((label) => text.includes(label))) ?? null;
}
