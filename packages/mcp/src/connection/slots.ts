/** Room for so many calls at once; further ones wait for their turn. */
export interface Slots {
  /** Resolves with what gives the slot back. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const give = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const once = (): (() => void) => {
    let isGiven = false;
    return () => {
      if (!isGiven) give();
      isGiven = true;
    };
  };
  return {
    take(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (free > 0) {
        free -= 1;
        return Promise.resolve(once());
      }
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(signal.reason);
        };
        const go = (): void => {
          signal.removeEventListener("abort", onAbort);
          resolve(once());
        };
        signal.addEventListener("abort", onAbort, { once: true });
        waiting.push(go);
      });
    },
  };
}
