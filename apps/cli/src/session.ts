import type { Io, Sink } from "./io.js";

/** What whoever writes to a stream needs to know of the run; filled in as it goes on. */
export interface Session {
  logDirectory: string | null;
  /** Errors are `ERROR:` lines for scripts. */
  automation: boolean;
  debug: boolean;
  /** What the person said to commands without a sandbox; asked once in a process. `null`: not asked yet. */
  allowsUnconfined: boolean | null;
  /** Gives the terminal back before anything is said. */
  close: () => void;
  /** Takes the secrets of the run out of everything that is written, once they are known. */
  redact: (text: string) => string;
}

export const createSession = (): Session => ({
  logDirectory: null,
  automation: false,
  debug: false,
  allowsUnconfined: null,
  close: () => {},
  redact: (text) => text,
});

/** The same streams, but what a model, a vendor or a stack says passes the session's redaction on its way out. */
export function guardIo(io: Io, session: Session): Io {
  const guarded = (sink: Sink): Sink => ({ ...sink, write: (text) => sink.write(session.redact(text)) });
  return { ...io, out: guarded(io.out), err: guarded(io.err) };
}
