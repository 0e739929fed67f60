import { resolve } from "node:path";
import { type CommitJournal, createCommitJournal, type Piece } from "./commit-journal.js";

/** A log that can be made durable by itself, or together with others. */
export interface Flushable {
  /** Makes everything written so far durable in the file itself. */
  datasync(): Promise<void>;
  /** What was written and is not known to be durable; `null` when it is too much to be kept twice. */
  unflushed(): Piece | null;
  /** Everything up to this byte is durable, here or in the journal. */
  flushedTo(offset: number): void;
}

/** Makes the logs of one folder durable. One at a time is flushed by itself; those that come while it runs share one flush. */
interface GroupCommit {
  flush(log: Flushable): Promise<void>;
  /** The log is durable by itself and will not be written any more. */
  leave(log: Flushable): Promise<void>;
}

/** When nothing was asked for this long, the files catch up with the journal. */
const IDLE_MS = 200;
/** A journal that has grown to this is not waited with any longer. */
const MAX_JOURNAL_BYTES = 8 << 20;

/** Groups of this process, by folder. */
const groups = new Map<string, Membership & { users: number }>();

export interface Membership {
  readonly group: GroupCommit;
  /** The last one to leave takes the journal away. */
  close(): Promise<void>;
}

/** The group of all logs below `base` that this process writes. */
export function joinGroup(base: string): Membership {
  const key = resolve(base);
  const shared = groups.get(key) ?? { ...createGroupCommit(createCommitJournal(key)), users: 0 };
  shared.users += 1;
  groups.set(key, shared);
  return {
    group: shared.group,
    async close() {
      shared.users -= 1;
      if (shared.users > 0) return;
      groups.delete(key);
      await shared.close();
    },
  };
}

export function createGroupCommit(journal: CommitJournal): Membership {
  /** Who waits for the next flush. */
  let waiting = new Map<Flushable, Promise<void>>();
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  /** Durable in the journal only. */
  const behind = new Set<Flushable>();
  let idle: ReturnType<typeof setTimeout> | null = null;
  /** What went wrong for one of those that were flushed together. */
  const failures = new Map<Flushable, unknown>();

  async function flush(log: Flushable): Promise<void> {
    await nextFlushOf(log);
    if (!failures.has(log)) return;
    const failure = failures.get(log);
    failures.delete(log);
    throw failure;
  }

  function nextFlushOf(log: Flushable): Promise<void> {
    const known = waiting.get(log);
    if (known !== undefined) return known;
    if (!isRunning && waiting.size === 0) return run(() => alone(log));
    // Everybody who waits is served by the same flush, after the one that runs.
    const mine = waiting.size === 0 ? running.then(next, next) : [...waiting.values()][0]!;
    waiting.set(log, mine);
    return mine;
  }

  function next(): Promise<void> {
    const logs = [...waiting.keys()];
    waiting = new Map();
    const [first] = logs;
    return run(() => (logs.length === 1 && first !== undefined ? alone(first) : together(logs)));
  }

  function run(work: () => Promise<void>): Promise<void> {
    if (idle !== null) clearTimeout(idle);
    isRunning = true;
    const mine = work().finally(() => {
      if (running !== mine) return;
      isRunning = false;
      if (behind.size > 0) idle = setTimeout(() => void run(() => catchUp(false).catch(() => {})), IDLE_MS).unref();
    });
    running = mine;
    return mine;
  }

  async function alone(log: Flushable): Promise<void> {
    await log.datasync();
    behind.delete(log);
  }

  async function together(logs: readonly Flushable[]): Promise<void> {
    const pieces = logs.flatMap((log) => {
      const piece = log.unflushed();
      return piece === null ? [] : [{ log, piece }];
    });
    const rest = new Set(logs);
    try {
      await journal.commit(pieces.map(({ piece }) => piece));
      for (const { log, piece } of pieces) {
        log.flushedTo(piece.offset + piece.bytes.length);
        behind.add(log);
        rest.delete(log);
      }
    } catch {
      // No journal, no sharing: each is made durable by itself.
    }
    await each(rest);
    if (journal.size() > MAX_JOURNAL_BYTES) await catchUp(true);
  }

  async function each(logs: Iterable<Flushable>): Promise<void> {
    for (const log of logs) await alone(log).catch((error: unknown) => failures.set(log, error));
  }

  /** Gives way to whoever waits for a flush, unless it `mustEnd`. */
  async function catchUp(mustEnd: boolean): Promise<void> {
    for (const log of [...behind]) {
      if (waiting.size > 0 && !mustEnd) return;
      await alone(log).catch(() => {});
    }
    if (behind.size === 0) await journal.reset();
  }

  return {
    group: {
      flush,
      async leave(log) {
        behind.delete(log);
        waiting.delete(log);
        if (behind.size === 0 && !isRunning) await journal.reset().catch(() => {});
      },
    },
    async close() {
      if (idle !== null) clearTimeout(idle);
      await running.catch(() => {});
      await journal.close().catch(() => {});
    },
  };
}
