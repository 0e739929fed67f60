/** The time that calls of one server have. It stands still while the server waits for a person. */
export interface Deadlines {
  /** `onLate` is called once, unless what it gives back was ended before. */
  start(timeoutMs: number, onLate: () => void): Deadline;
  /** A person is asked; call what it gives back when they have answered. */
  pause(): () => void;
}

interface Deadline {
  /** The server is at work: the time begins anew, up to ten times as long in all. */
  progressed(): void;
  end(): void;
}

const MOST_TIMES = 10;

export function createDeadlines(): Deadlines {
  const running = new Set<{ readonly halt: () => void; readonly go: () => void }>();
  let pauses = 0;

  return {
    start(timeoutMs, onLate) {
      let leftMs = timeoutMs * MOST_TIMES;
      let startedAt = 0;
      let timer: ReturnType<typeof setTimeout> | null = null;
      const halt = (): void => {
        if (timer === null) return;
        clearTimeout(timer);
        timer = null;
        leftMs -= performance.now() - startedAt;
      };
      const go = (): void => {
        startedAt = performance.now();
        timer = setTimeout(onLate, Math.max(0, Math.min(timeoutMs, leftMs)));
      };
      const one = { halt, go };
      running.add(one);
      if (pauses === 0) go();
      return {
        progressed() {
          if (timer === null) return;
          halt();
          go();
        },
        end() {
          halt();
          running.delete(one);
        },
      };
    },
    pause() {
      pauses += 1;
      for (const { halt } of running) halt();
      return () => {
        pauses -= 1;
        if (pauses === 0) for (const { go } of running) go();
      };
    },
  };
}
