import { type ListedSession, listSessions, sessionPlaces } from "@massgen/sdk";
import { plainTable } from "@massgen/views";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { cells } from "../output/columns.js";
import { visibleJson, visibleLine } from "../output/visible-text.js";

const ROWS = 10;

/** `massgen --list-sessions [--all]`: newest first, those of other folders as well. */
export async function listAllSessions({ all, json }: { readonly all: boolean; readonly json: boolean }, io: Io): Promise<ExitCode> {
  const onWarning = (message: string): void => io.err.write(`massgen: warning: ${visibleLine(message)}\n`);
  const { sessions, total } = await listSessions(sessionPlaces({ cwd: io.cwd, env: io.env, onWarning }), all ? undefined : ROWS);
  if (json) {
    io.out.write(`${visibleJson({ sessions: sessions.map(rowJson), total })}\n`);
    return 0;
  }
  if (total === 0) {
    io.err.write("massgen: note: there are no sessions yet; every question with a log begins one\n");
    return 0;
  }
  io.out.write(table(sessions, all));
  if (total > sessions.length) io.err.write(`massgen: note: ${total - sessions.length} more; all of them: massgen --list-sessions --all\n`);
  return 0;
}

const rowJson = ({ id, startedAt, endedAt, turns, status, configPath, model, description, folder, logDirectory }: ListedSession) => ({
  session_id: id,
  start_time: startedAt,
  end_time: endedAt,
  turns,
  status,
  config_path: configPath,
  model,
  description,
  folder,
  log_directory: logDirectory,
});

const HEAD = [
  { title: "session" },
  { title: "start" },
  { title: "turns", align: "right" },
  { title: "status" },
  { title: "config" },
  { title: "question" },
] as const;
const DETAILS = [{ title: "folder" }, { title: "logs" }] as const;

const table = (sessions: readonly ListedSession[], details: boolean): string =>
  plainTable(
    details ? [...HEAD, ...DETAILS] : HEAD,
    sessions.map((session) => {
      const { id, startedAt, turns, status, configPath, model, description, folder, logDirectory } = session;
      const start = startedAt.slice(0, 16).replace("T", " ");
      const more = details ? [folder, logDirectory ?? "-"] : [];
      return [id, start, String(turns), status, configPath ?? model ?? "-", description, ...more].map(visibleLine);
    }),
    cells,
  );
