import { type Conversation, type LogSettings, prepareRun, type RunPlan } from "@massgen/sdk";
import type { OutputRequest } from "../args/request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { chooseScreen, createScreen } from "../output/choose-screen.js";
import { personAtTerminal } from "../output/person-at-terminal.js";
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
  /** Hears every warning besides whoever sees it. */
  readonly onWarning?: (message: string) => void;
  /** The conversation it is a turn of. Default: it is a run and no more. */
  readonly converse?: (logs: LogSettings | null, warn: (message: string) => void) => Conversation;
}

/** Makes a run ready and shows it. Loaded when the config is good: a mistake in it is told without loading the engine. */
export async function startRun(
  { plan, output, review = false, warnings, onWarning, converse, ...start }: Start,
  io: Io,
  session: Session,
): Promise<ExitCode> {
  if (review) requireTerminal(output, io);
  const name = chooseScreen(output, io);
  const screen = await createScreen(name, io, output.look);
  session.close = screen.close;
  const warn = (message: string): void => {
    screen.say("warning", message);
    onWarning?.(message);
  };
  const logs = logSettings({ output, ...start }, io, warn);
  for (const warning of warnings) warn(warning);
  const { question } = plan;
  screen.open?.({ question, simulated: start.simulated });
  const conversation = converse?.(logs, warn);
  try {
    const asking = {
      ...(review ? { reviewChanges: reviewOnTerminal(io, screen) } : {}),
      ...(start.simulated ? {} : personAtTerminal(name, screen, io, session)),
      signal: io.interrupt,
      onWaiting: warn,
    };
    const turn = await conversation?.prepare(question, asking);
    const prepared = turn ?? (await prepareRun({ ...plan, ...asking, logs }));
    session.logDirectory = prepared.logDirectory;
    session.redact = prepared.redact;
    for (const note of prepared.notes) warn(note);
    const saved = turn === undefined ? {} : { saved: turn.saved };
    return await execute({ question, prepared, screen, output, simulated: start.simulated, ...saved }, io);
  } finally {
    await conversation?.close();
  }
}

/** How the log of a run of this start is kept; `null` when none is. */
export function logSettings(
  { output, origin, simulated }: Pick<Start, "output" | "origin" | "simulated">,
  io: Io,
  onWarning: (message: string) => void,
): LogSettings | null {
  if (!output.logs || origin === null) return null;
  return { ...origin, cwd: io.cwd, version: io.version, debug: output.debug, simulated, onWarning };
}
