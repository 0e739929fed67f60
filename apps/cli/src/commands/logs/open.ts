import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { begin, openerOf } from "../open-on-desktop.js";
import { logFolder } from "./find-logs.js";

/** `massgen logs open`: shows the folder in the file manager of the desktop; the path is on stdout in any case. */
export async function openLog({ log, json }: Extract<LogsRequest, { verb: "summary" | "open" }>, io: Io): Promise<ExitCode> {
  const folder = await logFolder(log, io);
  io.out.write(json ? `${visibleJson({ log_dir: folder })}\n` : `${visibleLine(folder)}\n`);
  if (json) return 0;
  const opener = openerOf(process.platform, io.env);
  if (opener === null) io.err.write("massgen: note: there is no desktop here to open it in\n");
  else if (!(await begin(opener, folder, io.env)))
    io.err.write(`massgen: note: \`${opener}\` could not be started; open the folder yourself\n`);
  return 0;
}
