import type { AgentCard, AgentId, Delta, EpochMillis, Recorded } from "@massgen/contracts";
import { describeRecord, formatDuration, oneLine, type RunView } from "@massgen/views";
import type { FileSink } from "../files/file-sink.js";
import type { StepFolders } from "../files/step-folders.js";
import { createTextLog, type TextLog } from "../files/text-log.js";
import { clockTime, dateTime, type ZoneOffset } from "../local-time.js";
import { createRedactingStream, type RedactingStream } from "../redact/redact-stream.js";
import type { Redactor } from "../redact/redactor.js";

/** What agents stream, as it comes, in `agent_outputs/` (docs/spec/logs.md 4.5). */
export interface AgentOutputs {
  open(agents: readonly AgentCard[]): void;
  delta(delta: Delta, at: EpochMillis): void;
  fact(record: Recorded, view: RunView): void;
  flush(): Promise<void>;
  /** Writes what was held back as well. */
  close(): Promise<void>;
}

export interface AgentOutputsOptions {
  readonly sink: FileSink;
  readonly folders: StepFolders;
  readonly redactor: Redactor;
  readonly zone: ZoneOffset;
  readonly simulated: boolean;
  /** The files are there already and are added to. */
  readonly isReopened: boolean;
}

/** One file that takes streamed text and lines of its own. */
interface Output {
  readonly log: TextLog;
  readonly stream: RedactingStream;
  atLineStart: boolean;
  /** What kind of text came last; a change of kind gets a line of its own. */
  streaming: "content" | "reasoning" | null;
}

export function createAgentOutputs(options: AgentOutputsOptions): AgentOutputs {
  const { sink, folders, redactor, zone, simulated, isReopened } = options;
  const agents = new Map<AgentId, Output>();
  let presentation: Output | null = null;

  const openOutput = (path: string): Output => ({
    log: createTextLog(sink, path),
    stream: createRedactingStream(redactor),
    atLineStart: true,
    streaming: null,
  });

  function open(cards: readonly AgentCard[]): void {
    folders.nameAgents(cards.map((card) => card.id));
    for (const { id } of cards) {
      if (agents.has(id)) continue;
      const output = openOutput(`agent_outputs/${folders.agentFolder(id)}.txt`);
      if (!isReopened)
        output.log.add(redactor.text(`=== ${oneLine(id).toUpperCase()} OUTPUT LOG ===${simulated ? " (simulated)" : ""}\n\n`));
      agents.set(id, output);
    }
  }

  function text(output: Output, kind: "content" | "reasoning", piece: string, at: EpochMillis): void {
    if (output.streaming !== kind) {
      if (kind === "reasoning" || output.streaming === "reasoning") line(output, kind === "reasoning" ? "thinks:" : "says:", at);
      output.streaming = kind;
    }
    add(output, output.stream.push(piece));
  }

  function line(output: Output, status: string, at: EpochMillis | null): void {
    add(output, output.stream.end());
    output.streaming = null;
    const stamp = at === null ? "" : `[${clockTime(at, zone)}] `;
    add(output, `${output.atLineStart ? "" : "\n"}${redactor.text(stamp + status)}\n`);
  }

  function add(output: Output, piece: string): void {
    if (piece === "") return;
    output.log.add(piece);
    output.atLineStart = piece.endsWith("\n");
  }

  return {
    open,

    delta(delta, at) {
      if (delta.type === "notice" || delta.type === "gate") return;
      const output = agents.get(delta.agent);
      if (output === undefined) return;
      switch (delta.type) {
        case "content_delta":
          text(output, "content", delta.text, at);
          if (delta.channel === "presentation" && presentation !== null) text(presentation, "content", delta.text, at);
          return;
        case "reasoning_delta":
          return text(output, "reasoning", delta.text, at);
        case "content_discarded": {
          const waiting = delta.waitMs > 0 ? `, again in ${formatDuration(delta.waitMs)}` : "";
          return line(output, `what this response said is void: ${oneLine(delta.reason)}${waiting}`, at);
        }
        case "tool_progress":
          return line(output, oneLine(delta.note), at);
        case "response_started":
          if (!output.atLineStart) add(output, `${output.stream.end()}\n`);
          return;
      }
    },

    fact(record, view) {
      if (record.type === "run_started") open(record.agents);
      if (record.type === "presentation_started") presentation = beginPresentation(record.agent, record.at);
      const output = "agent" in record && record.agent !== null ? agents.get(record.agent) : undefined;
      if (output === undefined) return;
      if (record.type === "round_started") line(output, `--- round ${record.round} (${record.kind}) ---`, null);
      else if (record.type === "presentation_started") line(output, "--- final presentation ---", null);
      else if (record.type === "tool_start") line(output, `calls ${record.name} ${oneLine(record.argsPreview)}`, record.at);
      else if (record.type === "tool_complete")
        line(output, `${record.name} ${record.ok ? "gave" : "failed"}: ${oneLine(record.resultPreview)}`, record.at);
      else {
        const sentence = describeRecord(record, view);
        if (sentence !== null) line(output, sentence, record.at);
      }
      if (record.type === "presentation_finished") finishPresentation(record);
    },

    flush,
    async close() {
      for (const output of opened()) add(output, output.stream.end());
      await flush();
    },
  };

  function opened(): readonly Output[] {
    return [...agents.values(), ...(presentation === null ? [] : [presentation])];
  }

  async function flush(): Promise<void> {
    await Promise.all(opened().map((output) => output.log.flush()));
  }

  function beginPresentation(agent: AgentId, at: EpochMillis): Output {
    const output = openOutput(presentationPath(agent));
    output.log.add(presentationHead(agent, at));
    return output;
  }

  /** The text that counts takes the place of what was streamed: it is trimmed, or another one. */
  function finishPresentation(record: Extract<Recorded, { type: "presentation_finished" }>): void {
    presentation = null;
    if (record.content === "") return;
    const path = presentationPath(record.agent);
    const whole = presentationHead(record.agent, record.at) + record.content;
    void sink.text(path, whole);
    const file = path.slice("agent_outputs/".length);
    void sink.link(path.replace(/\.txt$/, "_latest.txt"), file, whole);
  }

  function presentationPath(agent: AgentId): string {
    return `agent_outputs/final_presentation_${folders.agentFolder(agent)}.txt`;
  }

  function presentationHead(agent: AgentId, at: EpochMillis): string {
    return [
      `=== FINAL PRESENTATION FROM ${oneLine(agent).toUpperCase()} ===${simulated ? " (simulated)" : ""}`,
      `Generated at: ${dateTime(at, zone)}`,
      "=".repeat(60),
      "",
      "",
    ].join("\n");
  }
}
