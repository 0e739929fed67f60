import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { decisionsOfLines, followLog, readLogEntry } from "@massgen/logs";
import type { ViewerRequest } from "../../args/viewer-request.js";
import { type ExitCode, INTERRUPTED } from "../../exit.js";
import type { Io } from "../../io.js";
import { chooseScreen, createScreen } from "../../output/choose-screen.js";
import type { Session } from "../../session.js";
import { findRun, notThere } from "./find-run.js";
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
  const { root, folder: turn } = await findRun(request, io);
  const { simulated } = await readLogEntry(root);
  const attempts = await attemptFolders(turn);
  if (request.attempt !== null && !attempts.has(request.attempt)) throw notThere(`${turn} has no attempt ${request.attempt}.`);
  // An attempt says nothing without those before it: reading its folder begins with the first.
  const folder = request.attempt === null ? turn : (attempts.get(request.attempt) ?? turn);
  return { folder: turn, decisions: followLog(folder, io.interrupt), isSimulated: () => simulated };
}

/** The folders of a run's attempts by their numbers; a run without restarts is its own first attempt. */
async function attemptFolders(folder: string): Promise<ReadonlyMap<number, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^attempt_[1-9]\d*$/.test(name));
  return names.length === 0
    ? new Map([[1, folder]])
    : new Map(names.map((name) => [Number(name.slice("attempt_".length)), join(folder, name)]));
}
