import { MassgenError, type Recorded } from "@massgen/contracts";
import { readRunLog } from "@massgen/logs";
import { type RecordedPart, readRecord } from "./read-record.js";
import { type Difference, type PartOfRun, replayPart } from "./replay-part.js";

/** What running the engine again from the record gave. */
export interface Replay {
  /** Every fact the engine made again, in the order of the log. */
  readonly records: readonly Recorded[];
  /** The first one; `null`: the engine made the same decisions. */
  readonly difference: Difference | null;
}

/**
 * Runs the engine again from `llm_calls.jsonl`: without network, on a clock of its own, with the seed, the settings and the
 * order of arrival of the record (docs/spec/coordination.md 7 W19). A run that was resumed is run again process by process,
 * each from what it found in the log; what was in flight when one of them died is on no record and comes to nothing again.
 *
 * @throws MassgenError `NOT_SUPPORTED` for a log without calls, or one whose record is too old for it, `STORE_FAILED` when it is damaged
 */
export async function replayRun(folder: string): Promise<Replay> {
  const records = await readRunLog(folder);
  const parts = await readRecord(folder);
  const obstacle = obstacleIn(records, parts);
  if (obstacle !== null)
    throw new MassgenError("NOT_SUPPORTED", `${obstacle} can be looked at, but not run again from its record.`, { exitCode: 1 });
  const again: Recorded[] = [];
  for (const part of processesOf(records, parts)) {
    const { records: made, difference } = await replayPart(part);
    again.push(...made);
    if (difference !== null) return { records: again, difference };
  }
  return { records: again, difference: null };
}

/** What each process found and added. One that died before it added anything is none. */
function processesOf(records: readonly Recorded[], parts: readonly RecordedPart[]): readonly PartOfRun[] {
  const begins = [0, ...records.flatMap((record, place) => (record.type === "run_resumed" ? [place] : []))];
  return begins.map((from, index) => ({
    record: partAt(from, parts),
    before: records.slice(0, from),
    added: records.slice(from, begins[index + 1]),
  }));
}

/** One that died before even its settings were on record had those of the process before it, and no call came to an end. */
function partAt(lastSeq: number, parts: readonly RecordedPart[]): RecordedPart {
  const known = parts.findLast(({ start }) => (start.last_seq ?? 0) <= lastSeq) ?? parts[0]!;
  return (known.start.last_seq ?? 0) === lastSeq ? known : { start: known.start, calls: [], hands: [] };
}

/** What of a run is not on record and would have to be: in old records which process made which call, what tools gave, and files. */
function obstacleIn(records: readonly Recorded[], parts: readonly RecordedPart[]): string | null {
  const isResumed = records.some(({ type }) => type === "run_resumed");
  if (isResumed && parts.some(({ start }) => start.last_seq === undefined))
    return "A run that was resumed, recorded by an earlier version,";
  if (parts.every(({ start }) => start.agents.every(({ tools }) => tools !== undefined))) return null;
  if (records.some(({ type }) => type === "tool_start")) return "A run in which tools were used, recorded by an earlier version,";
  return records.some((record) => "snapshot" in record && record.snapshot !== null)
    ? "A run with files, recorded by an earlier version,"
    : null;
}
