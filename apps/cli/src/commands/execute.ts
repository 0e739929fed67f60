import { resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { type FinishedRun, failure, type PreparedRun, writeAnswer } from "@massgen/sdk";
import type { RunTelemetry } from "@massgen/telemetry";
import type { OutputRequest } from "../args/request.js";
import { type ExitCode, exitCodeOfError } from "../exit.js";
import type { Io } from "../io.js";
import type { Screen } from "../output/screen.js";
import { tellRecords } from "../output/tell-records.js";
import { telemetryOf } from "./telemetry.js";

export interface Execution {
  readonly question: string;
  readonly prepared: PreparedRun;
  readonly screen: Screen;
  readonly output: OutputRequest;
  readonly simulated: boolean;
  /** Settled when what came of it is kept for a conversation to go on with. */
  readonly saved?: Promise<void>;
}

/**
 * Shows a prepared run from its first line to its last and gives the exit code.
 *
 * @throws MassgenError when there is no answer, and when `--output-file` or the session cannot be written
 */
export async function execute({ question, prepared, screen, output, simulated, saved }: Execution, io: Io): Promise<ExitCode> {
  screen.begin({ question, logDirectory: prepared.logDirectory, statusFile: prepared.statusFile, simulated, machine: prepared });

  const interrupted = (): void => {
    if (!io.outputIsLost()) screen.interrupted();
  };
  if (io.interrupt.aborted) interrupted();
  io.interrupt.addEventListener("abort", interrupted, { once: true });
  const telemetry = await telemetryOf(io, (message) => screen.say("warning", message));
  try {
    const result = await follow(
      prepared,
      screen,
      telemetry?.run({ simulated }) ?? null,
      output.debug && output.mode !== "automation" && output.mode !== "events",
    );
    const outputFile = output.outputFile === null ? null : resolve(io.cwd, output.outputFile);
    const fault = await writeOutput(outputFile, result);
    screen.end({ result, durationMs: result.durationMs, outputFile: fault === null && result.finalAnswer !== null ? outputFile : null });
    await screen.ended?.();
    if (fault !== null) throw fault;
    await saved;
    if (result.finalAnswer === null && result.status !== "cancelled") throw failure(result);
    return result.exitCode;
  } finally {
    io.interrupt.removeEventListener("abort", interrupted);
    await telemetry?.close();
    screen.close();
  }
}

async function follow(prepared: PreparedRun, screen: Screen, telemetry: RunTelemetry | null, isTold: boolean): Promise<FinishedRun> {
  const tell = isTold ? tellRecords((line) => screen.say("debug", line)) : null;
  try {
    const running = prepared.start();
    screen.control?.({
      answerNow: () => running.answerNow("asked for at the screen"),
      send: (text, agent) => running.send(text, agent === null ? {} : { agent }),
    });
    for await (const event of running) {
      screen.event(event);
      tell?.(event);
      if ("seq" in event) telemetry?.record(event);
    }
    return await running.finished;
  } catch (error) {
    screen.fail(error instanceof Error ? error.message : String(error), exitCodeOfError(error));
    throw error;
  }
}

/** A file that cannot be written must not keep the answer from the screen, so the error is given back and thrown later. */
async function writeOutput(path: string | null, result: FinishedRun): Promise<MassgenError | null> {
  if (path === null || result.finalAnswer === null) return null;
  try {
    await writeAnswer(path, result.finalAnswer, result);
    return null;
  } catch (error) {
    if (MassgenError.is(error)) return error;
    throw error;
  }
}
