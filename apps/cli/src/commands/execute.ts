import { resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { type FinishedRun, failure, type PreparedRun, writeAnswer } from "@massgen/sdk";
import type { OutputRequest } from "../args/request.js";
import type { Session } from "../errors.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { createScreen, type ScreenName } from "../output/choose-screen.js";

export interface Execution {
  readonly question: string;
  readonly prepared: PreparedRun;
  readonly screen: ScreenName;
  readonly output: OutputRequest;
  readonly simulated: boolean;
  /** Said on the screen before the run, on stderr. */
  readonly warnings: readonly string[];
}

/**
 * Shows a prepared run from its first line to its last and gives the exit code.
 *
 * @throws MassgenError when there is no answer, and when `--output-file` cannot be written
 */
export async function execute(
  { question, prepared, screen: name, output, simulated, warnings }: Execution,
  io: Io,
  session: Session,
): Promise<ExitCode> {
  const screen = createScreen(name, io);
  session.close = screen.close;
  session.logDirectory = prepared.logDirectory;
  for (const warning of warnings) screen.warn(warning);
  screen.begin({ question, logDirectory: prepared.logDirectory, statusFile: prepared.statusFile, simulated });

  const interrupted = (): void => {
    if (!io.outputIsLost()) screen.interrupted();
  };
  if (io.interrupt.aborted) interrupted();
  io.interrupt.addEventListener("abort", interrupted, { once: true });
  try {
    const running = prepared.start();
    for await (const event of running) screen.event(event);
    const result = await running.finished;
    const outputFile = output.outputFile === null ? null : resolve(io.cwd, output.outputFile);
    const written = await writeOutput(outputFile, result);
    screen.end({ result, durationMs: result.durationMs, outputFile: written === "written" ? outputFile : null });
    if (written instanceof MassgenError) throw written;
    if (result.finalAnswer === null && result.status !== "cancelled") throw failure(result);
    return result.exitCode;
  } finally {
    io.interrupt.removeEventListener("abort", interrupted);
    screen.close();
  }
}

/** A file that cannot be written must not keep the answer from the screen, so the error waits. */
async function writeOutput(path: string | null, result: FinishedRun): Promise<"written" | "nothing" | MassgenError> {
  if (path === null || result.finalAnswer === null) return "nothing";
  try {
    await writeAnswer(path, result.finalAnswer, result);
    return "written";
  } catch (error) {
    if (MassgenError.is(error)) return error;
    throw error;
  }
}
