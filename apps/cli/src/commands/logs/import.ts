import { resolve } from "node:path";
import { importLog, secretsInEnvironment } from "@massgen/logs";
import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { environmentOf, logBase } from "./find-logs.js";
import { summarise } from "./summary.js";

/** `massgen logs import <folder>`: a log of MassGen in Python becomes one of ours, and is summed up. */
export async function importForeign({ from, json }: Extract<LogsRequest, { verb: "import" }>, io: Io): Promise<ExitCode> {
  const env = await environmentOf(io);
  const { folder, turns } = await importLog(resolve(io.cwd, from), {
    cwd: io.cwd,
    baseDir: await logBase(io),
    version: io.version,
    secrets: [...secretsInEnvironment(io.env), ...secretsInEnvironment(env)],
    onWarning: (message) => io.err.write(`massgen: warning: ${visibleLine(message)}\n`),
  });
  if (json) {
    io.out.write(`${visibleJson({ log_dir: folder, turns })}\n`);
    return 0;
  }
  await summarise({ kind: "logs", verb: "summary", log: folder, json: false }, io);
  io.err.write(`massgen: note: look at it with massgen viewer, massgen export or massgen logs: ${visibleLine(folder)}\n`);
  return 0;
}
