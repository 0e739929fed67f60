import { basename } from "node:path";
import { isLogInUse, readLogEntry, readRunView, turnFolders } from "@massgen/logs";
import { runSummary, summaryText } from "@massgen/views";
import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { cells } from "../../output/columns.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { logFolder } from "./find-logs.js";

/** `massgen logs summary`: what was asked, who won, how long it took, what it cost, turn by turn. */
export async function summarise({ log, json }: Extract<LogsRequest, { verb: "summary" | "open" }>, io: Io): Promise<ExitCode> {
  const folder = await logFolder(log, io);
  const [turns, inUse, entry] = await Promise.all([turnFolders(folder), isLogInUse(folder), readLogEntry(folder)]);
  const views = [];
  for (const { turn, folder: of } of turns) views.push({ turn, view: await readRunView(of) });
  if (json) {
    const summaries = views.map(({ turn, view }) => ({ turn, ...runSummary(view) }));
    io.out.write(`${visibleJson({ log_dir: folder, in_use: inUse, simulated: entry.simulated, turns: summaries })}\n`);
    return 0;
  }
  const parts = views.map(({ turn, view }) => {
    const title = `${visibleLine(basename(folder))}${views.length > 1 ? `, turn ${turn}` : ""}${entry.simulated ? " (simulated: no model was asked)" : ""}`;
    return `${title}\n${summaryText(view, { cellWidth: cells, show: visibleLine, interrupted: !inUse })}`;
  });
  io.out.write(`${parts.join("\n\n")}\nfolder: ${visibleLine(folder)}\n`);
  return 0;
}
