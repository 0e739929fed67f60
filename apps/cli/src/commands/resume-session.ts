import { findNewestSession, findSession, type Keeping, type Session, sessionPlaces } from "@massgen/sdk";
import type { RunRequest } from "../args/request.js";
import type { Io } from "../io.js";
import { visibleLine } from "../output/visible-text.js";

export interface ResumedSession {
  readonly session: Session | null;
  /** The request, with the team of the session where it names none. */
  readonly request: RunRequest;
}

/** Opens the session a request goes on with and says so; `session` is `null` for a new one. */
export async function resumeSession(request: RunRequest, io: Io): Promise<ResumedSession> {
  const { session: asked } = request;
  if (asked === "new" || asked === "none") return { session: null, request };
  const note = (message: string): void => io.err.write(`massgen: note: ${visibleLine(message)}\n`);
  const where = { cwd: io.cwd, env: io.env, onWarning: (message: string) => io.err.write(`massgen: warning: ${visibleLine(message)}\n`) };
  const session = asked === "newest" ? await findNewestSession(where) : await findSession(asked.id, where);
  if (session === null) {
    note(`new session ${asked === "newest" ? "" : asked.id}`);
    return { session, request };
  }
  const count = session.turns().length;
  note(`going on with session ${session.id}, ${count === 1 ? "1 turn" : `${count} turns`}`);
  for (const lost of session.notes) note(lost);
  return { session, request: withTeamOf(session, request, note) };
}

/** A conversation goes on with its team, unless the command line names another one. */
function withTeamOf(session: Session, request: RunRequest, note: (message: string) => void): RunRequest {
  if (request.config !== null) {
    if (session.configPath !== null && !session.configPath.endsWith(request.config.replace(/^\.\//, "")))
      note(`this session was begun with ${session.configPath}; it goes on with ${request.config}`);
    return request;
  }
  if (request.model !== null || request.backend !== null) return request;
  if (session.configPath !== null) return { ...request, config: session.configPath };
  // A team of one that came from no file is known by its model.
  return session.model === null || session.model.includes(",") ? request : { ...request, model: session.model };
}

/** Where the conversation of a request is kept; `null` for nowhere. */
export function keepingOf(
  { session: asked }: RunRequest,
  session: Session | null,
  keepsLogs: boolean,
  io: Io,
  warn: (message: string) => void,
): Keeping | null {
  const isNamed = asked === "newest" || typeof asked === "object";
  if (asked === "none" || (!isNamed && !keepsLogs)) return null;
  const places = sessionPlaces({ cwd: io.cwd, env: io.env, onWarning: warn });
  return { places, session, id: typeof asked === "object" ? asked.id : null };
}
