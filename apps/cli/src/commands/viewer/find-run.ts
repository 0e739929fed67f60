import { MassgenError } from "@massgen/contracts";
import { listLogs, turnFolders } from "@massgen/logs";
import { excerpt } from "@massgen/views";
import type { ViewedLog } from "../../args/viewer-request.js";
import type { Io } from "../../io.js";
import { visibleLine } from "../../output/visible-text.js";
import { logBase, logFolder } from "../logs/find-logs.js";

export interface FoundRun {
  /** Folder of the log. */
  readonly root: string;
  /** Folder of the turn that is shown. */
  readonly folder: string;
}

/** The log that is asked for, or picked, and its turn. @throws MassgenError where there is none */
export async function findRun({ log, turn: wanted, pick }: ViewedLog, io: Io): Promise<FoundRun> {
  const root = pick ? await pickLog(io) : await logFolder(log, io);
  const turns = await turnFolders(root);
  const turn = wanted === null ? turns.at(-1) : turns.find((one) => one.turn === wanted);
  if (turn === undefined) throw notThere(`${root} has no turn ${wanted}; it has ${turns.map((one) => one.turn).join(", ")}.`);
  if (wanted === null && turns.length > 1)
    io.err.write(`massgen: note: this is turn ${turn.turn} of ${turns.length}; others with --turn\n`);
  return { root, folder: turn.folder };
}

export const notThere = (message: string): MassgenError => new MassgenError("CONFIG_NOT_FOUND", message, { exitCode: 1 });

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
