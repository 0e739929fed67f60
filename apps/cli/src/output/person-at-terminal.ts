import type { HumanBroker } from "@massgen/contracts";
import type { AllowUnconfined, Elicit } from "@massgen/sdk";
import { canAsk } from "../can-ask.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import type { ScreenName } from "./choose-screen.js";
import { askForm } from "./elicitation/ask-form.js";
import type { Screen } from "./screen.js";
import { terminalBroker } from "./terminal-broker.js";
import { visibleLine } from "./visible-text.js";

/** What a run may ask whoever sits at the terminal; nothing where nobody does. */
export interface Person {
  readonly human?: HumanBroker;
  readonly elicit?: Elicit;
  readonly allowUnconfined?: AllowUnconfined;
}

/** One question at a time, whoever asks: a key that answers one must not answer another. */
export function personAtTerminal(
  name: ScreenName,
  screen: Pick<Screen, "say" | "human" | "pause">,
  io: Io,
  session: Pick<Session, "allowsUnconfined">,
): Person {
  const inTurn = createTurns();
  const broker = terminalBroker(name, screen, io);
  const { pause } = screen;
  const onLines = <T>(act: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      const goOn = pause?.();
      try {
        return await act();
      } finally {
        goOn?.();
      }
    });
  return {
    ...(broker === null ? {} : { human: { ask: (request, signal) => inTurn(() => broker.ask(request, signal)) } }),
    ...(pause === undefined || !canAsk(io)
      ? {}
      : {
          elicit: (question, signal) =>
            onLines(async () => {
              if (signal.aborted) return { action: "cancel" };
              return await askForm(question, {
                say: (text) => io.err.write(`${text}\n`),
                ask: (prompt) => io.ask(prompt, signal),
              });
            }),
          allowUnconfined: (reason) =>
            onLines(async () => {
              if (session.allowsUnconfined === null) {
                io.err.write(`${visibleLine(reason)}\nWithout one an agent can read, change and send whatever you can.\n`);
                session.allowsUnconfined = /^y(?:es)?$/i.test(
                  (await io.ask("Let agents run commands all the same? [y]es, [N]o: "))?.trim() ?? "",
                );
              }
              return session.allowsUnconfined;
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
