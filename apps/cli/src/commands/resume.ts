import { MassgenError } from "@massgen/contracts";
import { findLog, finishDelivery, type KnownRun, prepareResume, readKnownRun } from "@massgen/sdk";
import { emptyRunView, foldRecord } from "@massgen/views";
import type { OutputRequest } from "../args/request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { changedFilesLines } from "../output/changed-files.js";
import { chooseScreen, createScreen } from "../output/choose-screen.js";
import { personAtTerminal } from "../output/person-at-terminal.js";
import { visibleLine, visibleText } from "../output/visible-text.js";
import { readEnv } from "../read-env.js";
import { requireTerminal, reviewOnTerminal } from "../review/review-on-terminal.js";
import type { Session } from "../session.js";
import { execute } from "./execute.js";

/** `massgen --resume <log>`: goes on with a run that a crash or a kill cut off. A finished one only shows its result. */
export async function resumeRun(
  { log, review, output }: { readonly log: string; readonly review: boolean; readonly output: OutputRequest },
  io: Io,
  session: Session,
): Promise<ExitCode> {
  const { env, warnings } = await readEnv(io);
  const known = await readKnownRun(await findLog(log, { cwd: io.cwd, env }));
  if (known.isFinished) {
    const exitCode = showFinished(known, io);
    await finishChanges(known, { review, output, env }, io);
    return exitCode;
  }
  if (known.metadata.simulated && !isDemo(known)) throw dryRunAgain(known);
  const asks = review || wasReviewed(known);
  if (asks) requireTerminal(output, io);
  const standIns = isDemo(known) ? await (await import("./demo.js")).openDemo() : null;
  try {
    const name = chooseScreen(output, io);
    const screen = await createScreen(name, io, output.look);
    session.close = screen.close;
    const warn = (message: string): void => screen.say("warning", message);
    for (const { file, line, message } of warnings) warn(`${file}${line === null ? "" : `:${line}`}: ${message}`);
    const { prepared, notes } = await prepareResume({
      folder: known.folder,
      env,
      signal: io.interrupt,
      debug: output.debug,
      onWarning: warn,
      ...(asks ? { reviewChanges: reviewOnTerminal(io, screen) } : {}),
      ...personAtTerminal(name, screen, io, session),
      ...(standIns === null ? {} : { loaded: standIns.loaded }),
    });
    for (const note of notes) warn(note);
    session.logDirectory = prepared.logDirectory;
    session.redact = prepared.redact;
    const { question, simulated } = known.metadata;
    return await execute({ question, prepared, screen, output, simulated }, io);
  } finally {
    await standIns?.close();
  }
}

/** Who wanted to be asked still wants it after a crash. */
const wasReviewed = ({ metadata: { cliArgs } }: KnownRun): boolean =>
  typeof cliArgs === "object" && cliArgs !== null && "review" in cliArgs && cliArgs.review === true;

/** Changes that nobody has decided about, or that a crash left half applied. */
async function finishChanges(
  known: KnownRun,
  { review, output, env }: { readonly review: boolean; readonly output: OutputRequest; readonly env: Io["env"] },
  io: Io,
): Promise<void> {
  if (review) requireTerminal(output, io);
  const mayAsk = io.stdinIsTerminal && io.err.isTerminal && output.mode !== "automation" && output.mode !== "events";
  const reviewing = mayAsk ? { reviewChanges: reviewOnTerminal(io, { close: () => {} }) } : {};
  const changes = await finishDelivery(known, { ...reviewing, env, signal: io.interrupt });
  for (const line of changedFilesLines(changes)) io.err.write(`massgen: ${line}\n`);
}

/** The demo's models ended with its process; new ones take their place. */
const isDemo = ({ metadata: { simulated, cliArgs } }: KnownRun): boolean =>
  simulated && typeof cliArgs === "object" && cliArgs !== null && "command" in cliArgs && cliArgs.command === "demo";

/** Going on would ask real models in the place of stand-ins. */
const dryRunAgain = ({ folder }: KnownRun): MassgenError =>
  new MassgenError("USAGE", `${folder} is the log of a dry run.`, {
    hint: "It takes seconds: start it again with --dry-run.",
    exitCode: 2,
  });

/** What a finished run came to: the answer on stdout, the rest on stderr. */
function showFinished({ folder, records }: KnownRun, { out, err }: Io): ExitCode {
  const { finished: end, state } = records.reduce(foldRecord, emptyRunView);
  err.write(
    `massgen: note: this run is finished (${end?.status ?? "completed"}); there is nothing to go on with. Its log: ${visibleLine(folder)}\n`,
  );
  if (end?.message != null) err.write(`massgen: note: ${visibleLine(end.message)}\n`);
  if (state.finalAnswer !== null) out.write(`${visibleText(state.finalAnswer).replace(/\n+$/, "")}\n`);
  return 0;
}
