import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { systemAmbient } from "@massgen/core";
import { openNewestSession, openSession, type Session, type SessionPlaces } from "@massgen/logs";

export interface SessionWhere {
  /** Absolute: its sessions are in `.massgen/sessions` below it. */
  readonly cwd: string;
  /** The list of all sessions is in `.massgen/sessions.json` below its `HOME`. */
  readonly env: Environment;
  /** Told what could not be read or written; nothing stops for it. Default: nobody is. */
  readonly onWarning?: (message: string) => void;
}

export const sessionPlaces = ({ cwd, env, onWarning = () => {} }: SessionWhere): SessionPlaces => ({
  cwd,
  registryFile: join(env["HOME"] || homedir(), ".massgen", "sessions.json"),
  now: () => systemAmbient().clock.now(),
  onWarning,
});

/**
 * Opens the session of this id; `null` when there is none. Close it, or give it to a conversation.
 *
 * @throws MassgenError `STORE_CONFLICT` when it is in use, `STORE_FAILED` when nothing of it can be read, `USAGE` for what is no id
 */
export async function findSession(id: string, where: SessionWhere): Promise<Session | null> {
  try {
    return await openSession(sessionPlaces(where), id);
  } catch (error) {
    if (MassgenError.is(error, "SESSION_NOT_FOUND")) return null;
    throw error;
  }
}

/** Opens the newest session of the folder that can be gone on with. @throws MassgenError `SESSION_NOT_FOUND` (exit code 1), `STORE_CONFLICT` */
export const findNewestSession = (where: SessionWhere): Promise<Session> => openNewestSession(sessionPlaces(where));
