import { relative } from "node:path";
import type { JsonValue, ToolHandler, ToolOutput } from "@massgen/contracts";
import { isInside } from "../env/child-environment.js";
import type { JobTable } from "../jobs/job-table.js";
import { describeResult } from "../output/describe-result.js";
import type { CommandRunner } from "./command-runner.js";
import { readInput } from "./read-input.js";

export interface ExecuteCommandOptions {
  readonly runner: CommandRunner;
  readonly jobs: JobTable;
  /** Limit of a command that names none, in milliseconds. Default 120 000. */
  readonly timeoutMs?: number;
  /** The longest limit a command may name. Default 600 000. */
  readonly maxTimeoutMs?: number;
  /** Folder for output that is too long for the model; inside the workspace, so that the agent can read it. `null`: nowhere. */
  readonly spillFolder: string | null;
}

/** Bytes of each stream kept for the model: more than it gets, since cleaning shortens. */
const KEEP_BYTES = 160 * 1024;
/** Output of at most so many bytes is shown whole. */
const SHOWN_WHOLE_BYTES = 29_000;
const SPILL_BYTES = 5 * 1024 * 1024;

const FIELDS = ["command", "timeout", "work_dir", "description", "run_in_background"];

interface Call {
  readonly command: string;
  readonly workDir: string;
  readonly timeoutMs: number;
  readonly description: string;
  readonly isBackground: boolean;
}

/** The tool `execute_command` (docs/spec/tools.md 4.2). */
export function createExecuteCommand(options: ExecuteCommandOptions): ToolHandler {
  const { runner, jobs, timeoutMs = 120_000, maxTimeoutMs = 600_000, spillFolder } = options;
  let spills = 0;
  const read = (input: JsonValue): Call => readCall(input, { timeoutMs: Math.min(timeoutMs, maxTimeoutMs), maxTimeoutMs });

  return {
    spec: specOf(runner, timeoutMs, maxTimeoutMs),
    risk: "destructive",
    // The command has its own deadline, which also ends what it started.
    timeoutMs: null,
    effects(input) {
      const { command, workDir } = read(input);
      const cwd = runner.resolveWorkDir(workDir);
      return [
        { kind: "path", op: "exec_cwd", path: cwd },
        { kind: "command", argv: runner.argvOf(command), cwd },
      ];
    },
    async run(input, context) {
      const call = read(input);
      if (call.isBackground) {
        const job = await jobs.start(call);
        return text(`Started in the background as ${job.id}. Read its output with job_output, end it with job_kill.`);
      }
      if (call.description !== "") context.progress(call.description);
      spills += 1;
      const fileName = `execute_command_${process.pid}_${spills}.txt`;
      const running = await runner.start({
        command: call.command,
        workDir: call.workDir,
        timeoutMs: call.timeoutMs,
        signal: context.signal,
        keepBytes: KEEP_BYTES,
        spill: spillFolder === null ? null : { folder: spillFolder, fileName, aboveBytes: SHOWN_WHOLE_BYTES, capBytes: SPILL_BYTES },
      });
      const result = await running.ended;
      const described = describeResult(result, { timeoutMs: call.timeoutMs, moreIn: shownPath(result.spilledTo, runner.workspace) });
      return text([described.text, ...jobs.takeEnded().map(noticeOf)].join("\n"), described.isError);
    },
  };
}

const noticeOf = (job: { readonly id: string; readonly state: string; readonly exitCode: number | null }): string =>
  `[background job ${job.id} has ended: ${job.state}${job.exitCode === null ? "" : `, exit code ${job.exitCode}`}]`;

function readCall(input: JsonValue, limits: { readonly timeoutMs: number; readonly maxTimeoutMs: number }): Call {
  const reader = readInput(input, FIELDS);
  const command = reader.text("command", { min: 1 });
  if (command === undefined) throw new Error("INVALID_ARGS: command is missing.");
  const seconds = reader.number("timeout", { above: 0, max: limits.maxTimeoutMs / 1000, unit: " seconds" });
  return {
    command,
    workDir: reader.text("work_dir", { min: 1, max: 4096 }) ?? ".",
    timeoutMs: seconds === undefined ? limits.timeoutMs : seconds * 1000,
    description: reader.text("description", { max: 500 }) ?? "",
    isBackground: reader.flag("run_in_background"),
  };
}

function specOf(runner: CommandRunner, timeoutMs: number, maxTimeoutMs: number): ToolHandler["spec"] {
  const shell = runner.argvOf("")[0];
  const network = runner.report.network === "none" ? " There is no network." : "";
  return {
    name: "execute_command",
    description:
      `Runs a command in ${shell} and gives back its exit code and what it printed. It starts in your workspace, with nothing to read ` +
      `from standard input and no terminal.${network} Each call is a shell of its own: a changed folder or variable does not last. ` +
      "What a command leaves running ends with it; to keep something running, set run_in_background and read it with job_output.",
    input: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, maxLength: 32_000, description: "What the shell is to run." },
        timeout: {
          type: "number",
          exclusiveMinimum: 0,
          maximum: maxTimeoutMs / 1000,
          description: `Seconds until it is ended. Default ${Math.min(timeoutMs, maxTimeoutMs) / 1000}.`,
        },
        work_dir: { type: "string", minLength: 1, description: "Folder to run in. Default: your workspace." },
        description: { type: "string", maxLength: 500, description: "A few words for the people who watch." },
        run_in_background: { type: "boolean", description: "Start it, give back an id at once, and let it run. Default false." },
      },
      required: ["command"],
      additionalProperties: false,
    },
  };
}

const shownPath = (path: string | null, workspace: string): string | null =>
  path !== null && isInside(path, workspace) ? relative(workspace, path) : path;

const text = (words: string, isError = false): ToolOutput => ({ parts: [{ type: "text", text: words }], isError });
