import { prepareRun, type RunPlan } from "@massgen/sdk";
import type { OutputRequest } from "../args/request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { chooseScreen, createScreen } from "../output/choose-screen.js";
import { terminalBroker } from "../output/terminal-broker.js";
import { requireTerminal, reviewOnTerminal } from "../review/review-on-terminal.js";
import type { Session } from "../session.js";
import { execute } from "./execute.js";

export interface Start {
  readonly plan: Omit<RunPlan, "signal" | "logs">;
  readonly output: OutputRequest;
  /** What the record of the run says about where it came from; `null` when the config wants no logs. */
  readonly origin: { readonly configPath: string | null; readonly cliArgs: unknown } | null;
  /** Ask before file changes are applied. Default false. */
  readonly review?: boolean;
  readonly simulated: boolean;
  readonly warnings: readonly string[];
}

/** Makes a run ready and shows it. Loaded when the config is good: a mistake in it is told without loading the engine. */
export async function startRun(
  { plan, output, origin, review = false, simulated, warnings }: Start,
  io: Io,
  session: Session,
): Promise<ExitCode> {
  if (review) requireTerminal(output, io);
  const name = chooseScreen(output, io);
  const screen = await createScreen(name, io);
  session.close = screen.close;
  const warn = (message: string): void => screen.say("warning", message);
  const keepsLogs = output.logs && origin !== null;
  const logs = keepsLogs ? { ...origin, cwd: io.cwd, version: io.version, debug: output.debug, simulated, onWarning: warn } : null;
  for (const warning of warnings) warn(warning);
  const reviewing = review ? { reviewChanges: reviewOnTerminal(io, screen) } : {};
  const human = simulated ? null : terminalBroker(name, screen, io);
  const prepared = await prepareRun({
    ...plan,
    ...reviewing,
    ...(human === null ? {} : { human }),
    signal: io.interrupt,
    logs,
    onWaiting: warn,
  });
  session.logDirectory = prepared.logDirectory;
  session.redact = prepared.redact;
  for (const note of prepared.notes) warn(note);
  return execute({ question: plan.question, prepared, screen, output, simulated }, io);
}
