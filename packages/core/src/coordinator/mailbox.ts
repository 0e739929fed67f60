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

export function createMailbox(): Mailbox {
  let letters: Letter[] = [];
  let wake: (() => void) | null = null;
  let closed: { readonly error: unknown } | null = null;

  const dismiss = (letter: Letter, error: unknown): void => (error === null ? letter.judged([]) : letter.failed(error));
  return {
    post(letter) {
      if (closed !== null) return dismiss(letter, closed.error);
      letters.push(letter);
      wake?.();
    },
    take: () => letters.shift(),
    async arrival() {
      if (letters.length === 0) await new Promise<void>((resolve) => (wake = resolve));
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
