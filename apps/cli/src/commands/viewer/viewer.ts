import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { decisionsOfLines, followLog, listLogs, readLogEntry, turnFolders } from "@massgen/logs";
import { excerpt } from "@massgen/views";
import type { ViewerRequest } from "../../args/viewer-request.js";
import { type ExitCode, INTERRUPTED } from "../../exit.js";
import type { Io } from "../../io.js";
import { chooseScreen, createScreen } from "../../output/choose-screen.js";
import { visibleLine } from "../../output/visible-text.js";
import type { Session } from "../../session.js";
import { logBase, logFolder } from "../logs/find-logs.js";
import { createPace } from "./pace.js";
import { play } from "./play.js";

/** `massgen viewer`: shows a run as it went, at any speed, while it runs or long after. Reads only. */
export async function viewLog(request: ViewerRequest, io: Io, session: Session): Promise<ExitCode> {
  const fromPipe = request.log === "-" && !request.pick;
  const source = fromPipe ? openPipe(io) : await openSource(request, io);
  const onScreen = chooseScreen({ mode: null, display: "rich", outputFile: null, logs: true, debug: false }, io);
  const pace = createPace(request.speed ?? (io.out.isTerminal && !fromPipe ? null : 0), io.monotonic, io.interrupt);
  const screen = await createScreen(onScreen, { ...io, monotonic: pace.now });
  session.close = screen.close;
  try {
    const { folder, decisions, isSimulated } = source;
    const view = await play(decisions, { screen, pace, folder, isSimulated, fromAttempt: request.attempt ?? 1, signal: io.interrupt });
    screen.close();
    if (io.interrupt.aborted) return io.outputIsLost() ? 0 : INTERRUPTED;
    if (view.startedAt === null) io.err.write("massgen: note: there is nothing in this log\n");
    else if (view.finished === null) io.err.write("massgen: note: the log ends here; the run was interrupted\n");
    return 0;
  } finally {
    screen.close();
  }
}

/** Every line of a run without models says so, and the first of a stream does. */
function openPipe(io: Io) {
  let simulated = false;
  const decisions = decisionsOfLines(
    (async function* () {
      for await (const line of io.lines()) {
        simulated ||= /"simulated":\s*true/.test(line.slice(-40)) || (line.includes('"session_start"') && /"simulated":\s*true/.test(line));
        yield line;
      }
    })(),
  );
  return { folder: null, decisions, isSimulated: () => simulated };
}

async function openSource(request: ViewerRequest, io: Io) {
  const root = request.pick ? await pickLog(io) : await logFolder(request.log, io);
  const [turns, { simulated }] = await Promise.all([turnFolders(root), readLogEntry(root)]);
  const turn = request.turn === null ? turns.at(-1) : turns.find((one) => one.turn === request.turn);
  if (turn === undefined) throw notThere(`${root} has no turn ${request.turn}; it has ${turns.map((one) => one.turn).join(", ")}.`);
  if (request.turn === null && turns.length > 1)
    io.err.write(`massgen: note: this is turn ${turn.turn} of ${turns.length}; others with --turn\n`);
  const attempts = await attemptFolders(turn.folder);
  if (request.attempt !== null && !attempts.has(request.attempt)) throw notThere(`${turn.folder} has no attempt ${request.attempt}.`);
  // An attempt says nothing without those before it: reading its folder begins with the first.
  const folder = request.attempt === null ? turn.folder : (attempts.get(request.attempt) ?? turn.folder);
  return { folder: turn.folder, decisions: followLog(folder, io.interrupt), isSimulated: () => simulated };
}

/** The folders of a run's attempts by their numbers; a run without restarts is its own first attempt. */
async function attemptFolders(folder: string): Promise<ReadonlyMap<number, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^attempt_[1-9]\d*$/.test(name));
  return names.length === 0
    ? new Map([[1, folder]])
    : new Map(names.map((name) => [Number(name.slice("attempt_".length)), join(folder, name)]));
}

const notThere = (message: string): MassgenError => new MassgenError("CONFIG_NOT_FOUND", message, { exitCode: 1 });

const CHOICES = 20;

/** The log a person chooses from a list. @throws MassgenError where nobody can be asked */
async function pickLog(io: Io): Promise<string> {
  if (!io.stdinIsTerminal)
    throw new MassgenError("USAGE", "--pick asks, and nobody is there to be asked.", {
      exitCode: 2,
      hint: "Name the log: massgen viewer <log>",
    });
  const logs = await listLogs(await logBase(io), { limit: CHOICES });
  if (logs.length === 0) throw notThere(`There is no log in ${await logBase(io)}.`);
  logs.forEach(({ name, state, question }, place) => {
    io.err.write(`${String(place + 1).padStart(3)}  ${name}  ${state.padEnd(11)}  ${visibleLine(excerpt(question ?? "-", 70))}\n`);
  });
  const answer = Number(await io.ask(`Which one? [1-${logs.length}] `));
  const chosen = logs[answer - 1];
  if (chosen === undefined) throw new MassgenError("USAGE", "No log was chosen.", { exitCode: 2 });
  return chosen.folder;
}
