import type { EpochMillis, Message, Part, RoundTranscript } from "@massgen/contracts";
import { isoTime, type ZoneOffset } from "../local-time.js";
import { partsText, resultText } from "./message-json.js";

export interface TraceHead {
  readonly anon: string;
  readonly model: string;
  readonly startedAt: EpochMillis;
  readonly simulated: boolean;
  /** What came of it, as a sentence. */
  readonly action: string;
}

/** `execution_trace.md`: what an agent thought, called, got back and did in one conversation (docs/spec/logs.md 4.3). */
export function executionTrace(transcript: RoundTranscript | null, head: TraceHead, zone: ZoneOffset): string {
  const { anon, model, startedAt, simulated, action } = head;
  const title = `# Execution trace: ${anon} (${model}), started ${isoTime(startedAt, zone)}${simulated ? " (simulated)" : ""}`;
  const body = transcript === null ? [] : requests(transcript);
  return `${[title, ...body, "## Action", action].join("\n\n")}\n`;
}

function requests({ messages, openingMessages }: RoundTranscript): readonly string[] {
  const tools = new Map(messages.flatMap((message) => (message.role === "assistant" ? message.parts.flatMap(callName) : [])));
  const started = messages.slice(openingMessages);
  return started.flatMap((message, place) => {
    const number = started.slice(0, place + 1).filter((one) => one.role === "assistant").length;
    return [...sectionsOf(message, number, tools)];
  });
}

function sectionsOf(message: Message, request: number, tools: ReadonlyMap<string, string>): readonly string[] {
  switch (message.role) {
    case "assistant":
      return [`## Request ${request}`, ...message.parts.flatMap(partSection)];
    case "tool":
      return message.results.flatMap((result) => [
        `### ${result.output.isError ? "Error" : "Result"} of ${tools.get(result.callId) ?? result.callId}`,
        fenced(resultText(result), ""),
      ]);
    case "user":
      return ["### Message to the agent", fenced(partsText(message.parts), "")];
    case "system":
      return ["### System message", fenced(message.text, "")];
  }
}

const callName = (part: Part): readonly (readonly [string, string])[] => (part.type === "tool_call" ? [[part.callId, part.tool]] : []);

function partSection(part: Part): readonly string[] {
  switch (part.type) {
    case "reasoning":
      return part.text.trim() === "" ? [] : ["### Reasoning", fenced(part.text, "")];
    case "text":
      return part.text.trim() === "" ? [] : ["### Text", fenced(part.text, "")];
    case "tool_call":
      return [`### Call of ${part.tool}`, fenced(part.inputError ?? JSON.stringify(part.input, null, 2), "json")];
    case "media":
      return [`### ${part.mediaType}`];
  }
}

/** A fence that the text cannot close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
