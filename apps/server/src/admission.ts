import { ApiError } from "./errors.js";

/** Seats for runs: who finds none is told when to come back. */
export interface Admission {
  /** Takes a seat; the result gives it back, once. @throws ApiError 429 when all are taken, 503 when the server is stopping */
  enter(): () => void;
  readonly active: () => number;
  /** No more seats; resolves when the last one is given back. */
  close(): Promise<void>;
}

/** Seconds after which asking again makes sense. */
const RETRY_AFTER_SECONDS = 10;

export function openAdmission(seats: number): Admission {
  let taken = 0;
  let isClosed = false;
  let onEmpty: (() => void) | null = null;
  return {
    enter() {
      if (isClosed) throw new ApiError(503, "The server is stopping.", { code: "stopping", headers: { "retry-after": "10" } });
      if (taken >= seats)
        throw new ApiError(429, `${taken} runs are active, as many as this server takes at a time.`, {
          code: "too_many_runs",
          headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
        });
      taken += 1;
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        taken -= 1;
        if (taken === 0) onEmpty?.();
      };
    },
    active: () => taken,
    close() {
      isClosed = true;
      return taken === 0 ? Promise.resolve() : new Promise((resolve) => (onEmpty = resolve));
    },
  };
}
