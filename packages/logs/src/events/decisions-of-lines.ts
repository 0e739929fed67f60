import { MassgenError, type Recorded } from "@massgen/contracts";
import { type PersistedLine, recordOf } from "./persisted-event.js";

/**
 * The decisions of lines as `events.jsonl` has them, or as `massgen --stream-events` writes them, from wherever they come.
 * A torn last line and a last decision that is not closed are left out. Texts that stand in files of their own are not there: their place says so.
 *
 * @throws MassgenError `STORE_FAILED` for a line that is no event, with its number
 */
export async function* decisionsOfLines(lines: AsyncIterable<string>): AsyncGenerator<readonly Recorded[]> {
  let pending: Recorded[] = [];
  let number = 0;
  let damaged: number | null = null;
  for await (const text of lines) {
    number += 1;
    if (text.trim() === "") continue;
    // Only a last line can have been torn.
    if (damaged !== null) throw noEvent(damaged);
    const line = lineOf(text, number);
    if (line === null) {
      damaged = number;
      continue;
    }
    pending.push(recordOf(withPlaces(line)));
    if (!line.closes) continue;
    yield pending;
    pending = [];
  }
  if (damaged === 1) throw noEvent(damaged);
}

const noEvent = (line: number): MassgenError =>
  new MassgenError("STORE_FAILED", `Line ${line} is no event of a run.`, {
    hint: "Give the lines of an events.jsonl, or of massgen --stream-events.",
  });

function lineOf(text: string, number: number): PersistedLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isMap(value) || typeof value["event_type"] !== "string" || typeof value["timestamp"] !== "number") return null;
  if (isMap(value["context"]) && typeof value["seq"] === "number") return value as unknown as PersistedLine;
  if (!isMap(value["data"])) return null;
  const { event_type, timestamp, agent_id, data } = value;
  // A stream has no numbers and no decisions of its own: every line is one.
  const stamp = { event_id: `E${number}`, seq: number, decision: number, closes: true, run_id: "", timestamp_iso: "", details: "" };
  return { ...stamp, event_type, timestamp, agent_id: typeof agent_id === "string" ? agent_id : null, context: data } as PersistedLine;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The words in the place of a text that is in a file which did not come along. */
function withPlaces(line: PersistedLine): PersistedLine {
  const { path, content, partial_path: partialPath } = line.context;
  if (typeof path !== "string" || content !== undefined) return line;
  const partial = typeof partialPath === "string" ? { partial: `[text in ${partialPath}]` } : {};
  return { ...line, context: { ...line.context, content: `[text in ${path}]`, ...partial } };
}
