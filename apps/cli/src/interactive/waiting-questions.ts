/** Texts that were typed while a turn ran, for when it is over; the next one first. */
export interface WaitingQuestions {
  readonly all: () => readonly string[];
  /** In the place of the one at `at`; at the end where there is none. */
  readonly put: (text: string, at: number | null) => void;
  readonly drop: (at: number) => void;
  /** The next one, which waits no longer; `null` when none does. */
  readonly take: () => string | null;
}

export function createWaitingQuestions(): WaitingQuestions {
  let texts: readonly string[] = [];
  return {
    all: () => texts,
    put: (text, at) => {
      texts = at !== null && at < texts.length ? texts.with(at, text) : [...texts, text];
    },
    drop: (at) => {
      texts = texts.filter((_, index) => index !== at);
    },
    take: () => {
      const next = texts[0] ?? null;
      texts = texts.slice(1);
      return next;
    },
  };
}
