import { type CoordinationEvent, MassgenError } from "@massgen/contracts";
import { findLog, type Replay, readRunLog, replayRun } from "@massgen/sdk";
import { decisionText, describeRecord, emptyRunView, foldRecord, formatDuration, type RunView } from "@massgen/views";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { cells } from "../output/columns.js";
import { visibleLine, visibleText } from "../output/visible-text.js";
import { readEnv } from "../read-env.js";

/** Exit code for a replay that came out differently. */
const DIFFERENT: ExitCode = 2;

/** `massgen replay <log>`: the engine once more, from what was recorded; of a log without a record its story. */
export async function replayLog(log: string, io: Io): Promise<ExitCode> {
  const { env } = await readEnv(io);
  const folder = await findLog(log, { cwd: io.cwd, env });
  let replay: Replay;
  try {
    replay = await replayRun(folder);
  } catch (error) {
    if (!MassgenError.is(error) || error.code !== "NOT_SUPPORTED") throw error;
    io.err.write(`massgen: note: ${visibleLine(error.message)} This is what the log tells.\n`);
    io.out.write(story(await readRunLog(folder)));
    return 0;
  }
  if (replay.difference === null) {
    io.out.write(`The engine made the same ${replay.records.length} records again; only times differ.\n`);
    return 0;
  }
  io.out.write(differenceText(replay.difference));
  return DIFFERENT;
}

function differenceText({ seq, recorded, replayed }: NonNullable<Replay["difference"]>): string {
  const side = (facts: readonly CoordinationEvent[]): string => facts.map((fact) => `  ${visibleLine(JSON.stringify(fact))}\n`).join("");
  const other = replayed === null ? "  nothing more\n" : side(replayed);
  return `The replay parts from the log at record ${seq}.\nrecorded:\n${side(recorded)}replayed:\n${other}`;
}

/** Every fact worth telling with its time, then how it was decided. */
function story(records: Awaited<ReturnType<typeof readRunLog>>): string {
  let view: RunView = emptyRunView;
  const lines: string[] = [];
  for (const record of records) {
    view = foldRecord(view, record);
    const sentence = describeRecord(record, view);
    if (sentence !== null)
      lines.push(`${formatDuration(record.at - (view.startedAt ?? record.at)).padStart(10)}  ${visibleLine(sentence)}`);
  }
  const decision = decisionText(view, { cellWidth: cells, simulated: false });
  return `${lines.join("\n")}\n${decision === null ? "" : `\n${visibleText(decision)}`}`;
}
