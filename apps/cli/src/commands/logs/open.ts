import { spawn } from "node:child_process";
import { personalEnvironment } from "@massgen/exec";
import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
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

/** The program that opens a folder; `null` without a desktop. */
export function openerOf(platform: NodeJS.Platform, env: Io["env"]): string | null {
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : null;
}

/** Whether the program came up; it lives on without us. */
const begin = (program: string, folder: string, env: Io["env"]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, [folder], { detached: true, stdio: "ignore", env: personalEnvironment(env) });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
