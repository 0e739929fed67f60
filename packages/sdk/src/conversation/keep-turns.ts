import type { LoadedConfig } from "@massgen/config";
import { systemAmbient } from "@massgen/core";
import {
  createRedactor,
  createSession,
  isoTime,
  type OpenTurn,
  type RunLog,
  type Session,
  type SessionPlaces,
  type SessionTurn,
  secretsInConfig,
  systemZone,
  type TurnEnd,
  type TurnStart,
  turnEndOf,
  turnInMemory,
} from "@massgen/logs";
import { type LogSettings, type LogSubject, openLog } from "../open-log.js";
import type { RunIdentity, RunLeaving } from "../prepare-run.js";

/** Where the turns of a conversation are kept. */
export interface Keeping {
  readonly places: SessionPlaces;
  /** One that is gone on with, opened; `null`: a new one is made with the first question. */
  readonly session: Session | null;
  /** What a new one is called. Default: by its time. */
  readonly id?: string | null;
}

interface KeeperOptions {
  readonly keep: Keeping | null;
  readonly logs: LogSettings | null;
  readonly isOneShot: boolean;
  readonly loaded: LoadedConfig;
}

/** What a conversation remembers: in a session on the disk, and in memory where there is none. */
export interface TurnKeeper {
  sessionId(): string | null;
  turns(): readonly SessionTurn[];
  notes(): readonly string[];
  next(question: string): NextTurn;
  close(): Promise<void>;
}

interface NextTurn extends Required<Pick<RunIdentity, "openLog" | "onEnd">> {
  readonly saved: Promise<void>;
  /** It came to no run. */
  abandon(): Promise<void>;
}

export function keepTurns({ keep, logs, isOneShot, loaded }: KeeperOptions): TurnKeeper {
  let turns: readonly SessionTurn[] = keep?.session?.turns() ?? [];
  /** Numbers that were given in this process. */
  let given = turns.at(-1)?.turn ?? 0;
  let session: Session | null = keep?.session ?? null;
  let opening: Promise<Session | null> | null = null;
  let logRoot: string | null = session?.logRoot ?? null;
  const model = modelsOf(loaded);

  /** A session that cannot be made costs a warning: the conversation goes on in memory. */
  function open(): Promise<Session | null> {
    if (keep === null || session !== null) return Promise.resolve(session);
    opening ??= createSession(keep.places, keep.id ?? null).catch((error: unknown) => {
      keep.places.onWarning(`This conversation is not kept: ${wordsOf(error)}`);
      return null;
    });
    return opening.then((opened) => {
      session = opened;
      return opened;
    });
  }

  function next(question: string): NextTurn {
    const startedAt = systemAmbient().clock.now();
    const saving = deferred();
    let number = given + 1;
    let begun: Promise<OpenTurn | null> = Promise.resolve(null);
    let start: TurnStart | null = null;

    function begin(log: RunLog | null, secrets: readonly string[], reserved?: number): void {
      logRoot = log?.root ?? logRoot;
      start = {
        task: question,
        startedAt,
        logDirectory: log?.base ?? null,
        origin: { configPath: logs?.configPath ?? null, model, logRoot },
      };
      const redactor = createRedactor([...secrets, ...secretsInConfig(loaded.raw)]);
      const from = start;
      // The first request need not wait for it; whoever saves the turn does.
      begun = open().then((opened) => opened?.begin(from, redactor, reserved) ?? null);
      begun.catch(() => {});
    }

    /** A run with its root for itself; whoever goes on with it later puts turns beside it. */
    const isFlat = isOneShot && given === 0 && (session?.logRoot ?? null) === null;

    async function openNumbered(subject: LogSubject): Promise<RunLog | null> {
      const opened = await open();
      const reserved = await opened?.reserve();
      number = reserved ?? number;
      const of = { session_id: opened?.id ?? null, turn: number };
      const turn = { number, root: logRoot };
      const log = logs === null ? null : await openLog({ ...logs, cliArgs: { ...asMap(logs.cliArgs), ...of }, turn }, subject);
      begin(log, subject.secrets, reserved);
      // Whoever lists sessions sees at once that this one goes on; of the first turn of a new one nobody knows yet.
      await begun.catch(() => {});
      return log;
    }

    async function save(end: TurnEnd, { view, delivered, copyWorkspace }: RunLeaving): Promise<SessionTurn> {
      const turn = await begun;
      if (turn === null) throw new NotKept();
      const folders = copyWorkspace === null ? [] : view.state.order;
      return turn.finish(end, {
        workspace: end.status === "complete" ? delivered : null,
        workspaces: new Map(folders.map((agent) => [agent, async (folder: string) => copyWorkspace?.(agent, folder)])),
      });
    }

    return {
      saved: saving.promise,
      async openLog(subject) {
        if (!isFlat) return openNumbered(subject);
        const log = logs === null ? null : await openLog(logs, subject);
        begin(log, subject.secrets);
        return log;
      },
      async onEnd(leaving) {
        const end = turnEndOf(leaving.view);
        given = number;
        try {
          turns = [...turns, await save(end, leaving)];
          saving.resolve();
        } catch (error) {
          const [timestamp, workspace] = [isoTime(startedAt, systemZone), end.status === "complete" ? leaving.delivered : null];
          turns = [
            ...turns,
            turnInMemory(end, { turn: number, task: question, timestamp, workspace, logDirectory: start?.logDirectory ?? null }),
          ];
          if (error instanceof NotKept) saving.resolve();
          else saving.reject(error);
        }
        return session === null ? {} : { sessionId: session.id };
      },
      async abandon() {
        await begun.catch(() => {});
        // A session that was made for it would stand in the list without a question.
        if (keep?.session == null && given === 0) await close();
      },
    };
  }

  async function close(): Promise<void> {
    const opened = session ?? (await opening);
    [session, opening] = [null, null];
    await opened?.close();
  }

  return {
    sessionId: () => session?.id ?? null,
    turns: () => turns,
    notes: () => keep?.session?.notes ?? [],
    next,
    close,
  };
}

/** There is no session for it. */
class NotKept extends Error {}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function deferred(): Deferred {
  let [resolve, reject] = [(): void => {}, (_error: unknown): void => {}];
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Whoever does not ask for it learns of it in the next process.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

const modelsOf = ({ config }: LoadedConfig): string | null => {
  const models = [...new Set((config?.agents ?? []).flatMap(({ backend }) => backend.model ?? []))];
  return models.length === 0 ? null : models.join(", ");
};

const asMap = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
