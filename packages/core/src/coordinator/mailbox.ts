import type { Recorded } from "@massgen/contracts";
import type { Signal } from "@massgen/kernel";

/** A signal on its way to the kernel, and who wants to know what came of it. */
export interface Letter {
  readonly signal: Signal;
  /** Aborted by the time it is read: the claim comes from work that nobody called for any more, and is dropped. */
  readonly from: AbortSignal | null;
  judged(facts: readonly Recorded[]): void;
  /** The run could not go on. */
  failed(error: unknown): void;
}

/** Signals in order of arrival: the order of arrival is the rule of the game. */
export interface Mailbox {
  /** After `close`, letters are answered at once. */
  post(letter: Letter): void;
  take(): Letter | undefined;
  /** Resolves when there is something to take. */
  arrival(): Promise<void>;
  /** Answers everything that waits or is still to come; with `error` as failed. */
  close(error: unknown): void;
}

/**
 * Decides which of the waiting signals is judged next, in place of their order of arrival: for running a recorded run
 * again. `next` gives its place, or `null` to wait for another one; it is asked anew with each that arrives.
 */
export interface ArrivalOrder {
  next(waiting: readonly Signal[]): number | null;
}

export function createMailbox(order?: ArrivalOrder): Mailbox {
  let letters: Letter[] = [];
  let wake: (() => void) | null = null;
  let isWaiting = false;
  let closed: { readonly error: unknown } | null = null;

  const dismiss = (letter: Letter, error: unknown): void => (error === null ? letter.judged([]) : letter.failed(error));
  return {
    post(letter) {
      if (closed !== null) return dismiss(letter, closed.error);
      letters.push(letter);
      wake?.();
    },
    take() {
      if (order !== undefined) {
        // Claims of work that nobody called for any more are no part of any order.
        for (const letter of letters) if (letter.from?.aborted === true) letter.judged([]);
        letters = letters.filter((letter) => letter.from?.aborted !== true);
      }
      const place = order === undefined || letters.length === 0 ? 0 : order.next(letters.map(({ signal }) => signal));
      isWaiting = place === null;
      return place === null ? undefined : letters.splice(place, 1)[0];
    },
    async arrival() {
      if (letters.length === 0 || isWaiting) await new Promise<void>((resolve) => (wake = resolve));
      wake = null;
    },
    close(error) {
      closed = { error };
      const rest = letters;
      letters = [];
      for (const letter of rest) dismiss(letter, error);
    },
  };
}
