import { MassgenError } from "@massgen/contracts";
import { readRunView, turnFolders } from "@massgen/logs";
import { analysisPrompt } from "@massgen/views";
import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { cells } from "../../output/columns.js";
import { visibleText } from "../../output/visible-text.js";
import { logFolder } from "./find-logs.js";

/** `massgen logs analyze`: a prompt with which a coding agent looks at the run. Nothing is asked of any model. */
export async function printAnalysisPrompt({ log, turn }: Extract<LogsRequest, { verb: "analyze" }>, io: Io): Promise<ExitCode> {
  const folder = await logFolder(log, io);
  const turns = await turnFolders(folder);
  const chosen = turn === null ? turns.at(-1) : turns.find((one) => one.turn === turn);
  if (chosen === undefined)
    throw new MassgenError("CONFIG_NOT_FOUND", `${folder} has no turn ${turn}; it has ${turns.map((one) => one.turn).join(", ")}.`, {
      exitCode: 1,
    });
  io.out.write(visibleText(analysisPrompt(await readRunView(chosen.folder), { folder: chosen.folder, cellWidth: cells })));
  return 0;
}
