import type { HumanBroker } from "@massgen/contracts";
import type { Elicit } from "@massgen/sdk";
import { canAsk } from "../can-ask.js";
import type { Io } from "../io.js";
import type { ScreenName } from "./choose-screen.js";
import { askForm } from "./elicitation/ask-form.js";
import type { Screen } from "./screen.js";
import { terminalBroker } from "./terminal-broker.js";

/** What a run may ask whoever sits at the terminal; nothing where nobody does. */
export interface Person {
  readonly human?: HumanBroker;
  readonly elicit?: Elicit;
}

/** One question at a time, whoever asks: a key that answers one must not answer another. */
export function personAtTerminal(name: ScreenName, screen: Pick<Screen, "say" | "human" | "pause">, io: Io): Person {
  const inTurn = createTurns();
  const broker = terminalBroker(name, screen, io);
  const { pause } = screen;
  return {
    ...(broker === null ? {} : { human: { ask: (request, signal) => inTurn(() => broker.ask(request, signal)) } }),
    ...(pause === undefined || !canAsk(io)
      ? {}
      : {
          elicit: (question, signal) =>
            inTurn(async () => {
              if (signal.aborted) return { action: "cancel" };
              const goOn = pause();
              try {
                return await askForm(question, {
                  say: (text) => io.err.write(`${text}\n`),
                  ask: (prompt) => io.ask(prompt, signal),
                });
              } finally {
                goOn();
              }
            }),
        }),
  };
}

function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act, act);
    last = mine.catch(() => {});
    return mine;
  };
}
