import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { emptyRunView, foldRecord } from "@massgen/views";
import type { ZoneOffset } from "../local-time.js";
import { readRunLog } from "../read-run-log.js";
import { createRedactor } from "../redact/redactor.js";
import { type ReadTurn, readMap, readTurn, turnFolderName } from "./read-turn.js";
import type { SessionEntry } from "./registry.js";
import { turnEndOf } from "./turn-end.js";
import { STARTED, writeTurn } from "./write-turn.js";

/**
 * A turn whose process ended between the end of its run and the writing of its result: the log has all of it. A run that
 * had not ended stays what it was.
 */
export async function healTurn({ id, folder, ...entry }: SessionEntry, turn: ReadTurn, zone: ZoneOffset): Promise<ReadTurn> {
  if (turn.is !== "begun") return turn;
  const place = join(folder, turnFolderName(turn.turn));
  try {
    const start = await readMap(join(place, STARTED));
    const [task, logDirectory, startedAt] = [start["task"], start["log_dir"], start["started_at"]];
    if (typeof task !== "string" || typeof logDirectory !== "string" || typeof startedAt !== "number") return turn;
    const view = (await readRunLog(logDirectory)).reduce(foldRecord, emptyRunView);
    if (view.finished === null) return turn;
    const { config_path: configPath, model, log_root: logRoot } = start;
    await writeTurn({
      sessionId: id,
      turn: turn.turn,
      folder: place,
      start: {
        task,
        logDirectory,
        startedAt: startedAt * 1000,
        origin: {
          configPath: typeof configPath === "string" ? configPath : entry.configPath,
          model: typeof model === "string" ? model : entry.model,
          logRoot: typeof logRoot === "string" ? logRoot : entry.logDirectory,
        },
      },
      end: turnEndOf(view),
      files: { workspace: await deliveredIn(logDirectory) },
      // What is in a log has no secrets any more.
      redactor: createRedactor([]),
      zone,
    });
    return await readTurn(folder, turn.turn);
  } catch {
    // The log is gone, damaged, or of a run that never began: the turn is left out, and the notes of the session say so.
    return turn;
  }
}

/** The files that came with the final answer, where there are any. */
async function deliveredIn(logDirectory: string): Promise<string | null> {
  const final = join(logDirectory, "final");
  for (const agent of await readdir(final).catch(() => [])) {
    const workspace = join(final, agent, "workspace");
    if (
      await stat(workspace).then(
        (found) => found.isDirectory(),
        () => false,
      )
    )
      return workspace;
  }
  return null;
}
