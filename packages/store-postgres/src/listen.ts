import type pg from "pg";

/** Tells who waits for something of a subject that there may be more of it. */
export interface Ears {
  /**
   * Resolves at the next notice of `subject`, or when `signal` aborts; without a notice after `atLatestMs` while nothing can be
   * heard, and after five times that while it can. What happens between calling it and waiting for it is not missed. Begins to
   * listen with the first call.
   */
  next(subject: string, atLatestMs: number, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Between two tries to listen again when the connection is lost. */
const RETRY_MS = 1_000;
/** A connection that listens loses a notice only with itself, and that is noticed as a rule. */
const PATIENCE_WHILE_HEARING = 5;

interface Hearing {
  onNotice(payload: string): void;
  /** From now on notices come. */
  onHearing?(): void;
  /** Until it hears again, no notice comes. */
  onLost?(): void;
}

/** One connection that listens on a channel for all of a process; tried again as long as it is wanted. */
export function openListener(
  newClient: () => pg.Client,
  channel: string,
  { onNotice, onHearing, onLost }: Hearing,
): { /** Begins to, if it does not yet. */ listen(): void; close(): Promise<void> } {
  let client: pg.Client | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  async function listen(): Promise<void> {
    if (client !== null || isClosed) return;
    const own = newClient();
    client = own;
    const lost = (): void => {
      if (client !== own) return;
      client = null;
      onLost?.();
      if (!isClosed) retry = setTimeout(() => void listen(), RETRY_MS).unref();
      void own.end().catch(() => {});
    };
    own.on("error", lost);
    own.on("end", lost);
    own.on("notification", ({ payload = "" }) => onNotice(payload));
    try {
      await own.connect();
      await own.query(`LISTEN ${channel}`);
      onHearing?.();
    } catch {
      lost();
    }
  }

  return {
    listen: () => void listen(),
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}

/** While the connection is lost, who waits does so by the clock. */
export function openEars(newClient: () => pg.Client, channel: string): Ears {
  const waiting = new Map<string, Set<() => void>>();
  let isClosed = false;
  let isHearing = false;
  const listener = openListener(newClient, channel, {
    onNotice: wake,
    onHearing() {
      isHearing = true;
      // What was said before it listened is looked for once.
      wakeAll();
    },
    onLost() {
      isHearing = false;
      // Whoever counts on being told looks for himself from now on.
      wakeAll();
    },
  });

  function wakeAll(): void {
    for (const subject of [...waiting.keys()]) wake(subject);
  }

  function wake(subject: string): void {
    const those = waiting.get(subject);
    waiting.delete(subject);
    for (const one of those ?? []) one();
  }

  return {
    next(subject, atLatestMs, signal) {
      listener.listen();
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", done);
          const those = waiting.get(subject);
          if (those?.delete(done) === true && those.size === 0) waiting.delete(subject);
          resolve();
        };
        const timer = setTimeout(done, isHearing ? atLatestMs * PATIENCE_WHILE_HEARING : atLatestMs);
        waiting.set(subject, (waiting.get(subject) ?? new Set()).add(done));
        if (isClosed || signal?.aborted === true) done();
        else signal?.addEventListener("abort", done, { once: true });
      });
    },
    async close() {
      isClosed = true;
      wakeAll();
      await listener.close();
    },
  };
}
