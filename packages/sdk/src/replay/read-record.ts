import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import type { RecordedCall, RecordedStart } from "./call-record.js";
import type { RecordedHands } from "./hands-record.js";
import type { RecordedNewTools } from "./record-new-tools.js";

/** What one process put on record. */
export interface RecordedPart {
  readonly start: RecordedStart;
  readonly calls: readonly RecordedCall[];
  readonly hands: readonly RecordedHands[];
}

type Line = RecordedStart | RecordedCall | RecordedHands | RecordedNewTools;

/**
 * `llm_calls.jsonl`, by the processes that wrote it: one, and one more for each time the run was resumed.
 *
 * @throws MassgenError `NOT_SUPPORTED` when there is none, `STORE_FAILED` when it is damaged
 */
export async function readRecord(folder: string): Promise<readonly RecordedPart[]> {
  const file = join(folder, "llm_calls.jsonl");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null)
    throw new MassgenError("NOT_SUPPORTED", `${folder} has no record of its calls.`, { exitCode: 1, hint: "Record a run with --record." });
  const parts = byProcess(linesOf(text));
  if (parts === null) throw new MassgenError("STORE_FAILED", `${file} does not begin with the settings of a run.`);
  return parts;
}

const linesOf = (text: string): readonly Line[] =>
  text.split("\n").flatMap((line): readonly Line[] => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Line];
    } catch {
      return []; // torn by a crash
    }
  });

function byProcess(lines: readonly Line[]): readonly RecordedPart[] | null {
  const places = lines.flatMap((line, place) => (line.kind === "run" ? [place] : []));
  if (places[0] !== 0) return null;
  return places.map((from, index) => partOf(lines[from] as RecordedStart, lines.slice(from + 1, places[index + 1])));
}

const partOf = (start: RecordedStart, lines: readonly Line[]): RecordedPart => ({
  start: withAllTools(
    start,
    lines.filter((line) => line.kind === "new_tools"),
  ),
  calls: lines.filter((line) => line.kind === "call"),
  hands: lines.filter((line) => line.kind === "tool" || line.kind === "files" || line.kind === "check"),
});

/** What an agent came by later it has from the start: nobody called it before it was there. */
const withAllTools = (start: RecordedStart, added: readonly RecordedNewTools[]): RecordedStart => ({
  ...start,
  agents: start.agents.map((agent) => {
    const later = added.flatMap(({ agent_id, tools }) => (agent_id === agent.id ? tools : []));
    return later.length === 0 ? agent : { ...agent, tools: [...(agent.tools ?? []), ...later] };
  }),
});
