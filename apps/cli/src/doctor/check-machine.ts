import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ContainerFinding, SandboxFinding } from "@massgen/exec";
import type { Io } from "../io.js";
import { wantsColour } from "../output/paint.js";
import { type Check, note, ok, problem } from "./check.js";

/** `engines` of the package. */
const LEAST_NODE = [20, 19] as const;
const NARROWEST = 60;

/** @param version as in `process.versions.node` */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  const least = LEAST_NODE.join(".");
  return isEnough ? ok("Node", version) : problem("Node", `${version}, older than ${least}`, "Install the current LTS: https://nodejs.org");
}

/** Whether a run can keep its log below `logs`, and whether it may remember prices and limits at home. Writes nothing. */
export function checkFolders(logs: string, home: string): readonly Check[] {
  const fault = whyNotWritable(logs);
  const homeFault = whyNotWritable(join(home, ".massgen"));
  return [
    fault === null
      ? ok("Logs", `${logs} can be written`)
      : problem("Logs", fault, "Start massgen in a folder of yours, or give --no-logs."),
    homeFault === null
      ? ok("Home", `${join(home, ".massgen")} can be written`)
      : note("Home", homeFault, "Prices and rate limits are not kept between runs until it can be written."),
  ];
}

/** `null` when `folder` can be written, or made. */
function whyNotWritable(folder: string): string | null {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is no folder`;
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Not there yet, or below something that is no folder: the nearest thing that is there tells.
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    return isMissing && dirname(folder) !== folder ? whyNotWritable(dirname(folder)) : `${folder} cannot be written (${code})`;
  }
}

/** Commands of agents run in a sandbox or a container; a team without commands needs neither. */
export function checkCommands(sandbox: SandboxFinding, container: ContainerFinding): readonly Check[] {
  return [
    sandbox.found ? ok("Sandbox", "commands of agents can be walled in") : note("Sandbox", sandbox.reason, sandbox.remedy),
    container.found ? ok("Containers", container.version) : note("Containers", reasonOf(container), "Only a team with docker needs them."),
  ];
}

// The finder speaks to somebody whose config asks for docker; here nobody did.
const reasonOf = ({ reason }: { readonly reason: string }): string =>
  reason.startsWith("command_line_execution_mode") ? "neither docker nor podman is installed" : reason;

export function checkTerminal({ out, err, env }: Pick<Io, "out" | "err" | "env">): Check {
  const sink = out.isTerminal ? out : err;
  if (!sink.isTerminal) return ok("Terminal", "none: plain lines are written");
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  const isUnicode = /utf-?8/i.test(locale);
  const colour = wantsColour(env, true) ? "colour" : "no colour";
  const found = `${sink.columns()} columns, ${colour}, ${isUnicode ? "unicode" : "no unicode"}`;
  if (sink.columns() < NARROWEST) return note("Terminal", found, `Make it ${NARROWEST} columns wide or more.`);
  return isUnicode ? ok("Terminal", found) : note("Terminal", found, "Where signs look wrong: export LANG=C.UTF-8");
}
