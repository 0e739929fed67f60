import type { Dialog, Reply } from "./dialog.js";

/** Puts dialogs on the screen, one after the other, and gives what a person answers. */
export interface Asker {
  /** The reply is of the kind of the dialog. Rejects when `signal` aborts, and when the screen goes away: nobody answered. */
  ask(make: () => Dialog, signal: AbortSignal): Promise<Reply>;
  reply(reply: Reply): void;
  close(): void;
}

export function createAsker(show: (dialog: Dialog | null) => void): Asker {
  let before: Promise<unknown> = Promise.resolve();
  let answered: ((reply: Reply | null) => void) | null = null;
  let isClosed = false;

  async function askOne(make: () => Dialog, signal: AbortSignal): Promise<Reply> {
    if (signal.aborted || isClosed) throw nobody();
    show(make());
    const withdraw = (): void => answered?.(null);
    signal.addEventListener("abort", withdraw, { once: true });
    try {
      const reply = await new Promise<Reply | null>((resolve) => {
        answered = resolve;
      });
      if (reply === null) throw nobody();
      return reply;
    } finally {
      signal.removeEventListener("abort", withdraw);
      answered = null;
      show(null);
    }
  }

  return {
    ask(make, signal) {
      const asked = before.then(() => askOne(make, signal));
      before = asked.catch(() => {});
      return asked;
    },
    reply: (reply) => answered?.(reply),
    close() {
      isClosed = true;
      answered?.(null);
    },
  };
}

const nobody = (): Error => new Error("nobody answers any more");
