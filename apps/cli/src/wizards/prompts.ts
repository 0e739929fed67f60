import { CANCELLED } from "../exit.js";
import type { Io } from "../io.js";
import { visibleLine, visibleText } from "../output/visible-text.js";
import { type Choice, fittingIn } from "./fitting.js";

/** Why an input is not taken, or nothing. */
type Refuse = (input: string) => string | undefined;

/**
 * Questions on a terminal, with arrow keys. Every one of them throws `CANCELLED` on Esc, Ctrl-C, or when the program is
 * told to stop, after saying what was written until then. Text from elsewhere (names of models) is made harmless here.
 */
export interface Prompts {
  readonly open: (title: string) => void;
  readonly close: (text: string) => void;
  readonly say: (kind: "info" | "done" | "warning", text: string) => void;
  readonly show: (title: string, text: string) => void;
  readonly select: <T extends string>(message: string, choices: readonly Choice<T>[], initial?: T) => Promise<T>;
  /** Like `select`, narrowed down by typing. */
  readonly find: (message: string, choices: readonly Choice[], placeholder?: string) => Promise<string>;
  readonly text: (
    message: string,
    options?: { readonly placeholder?: string; readonly initial?: string; readonly refuse?: Refuse },
  ) => Promise<string>;
  /** The input is never shown. */
  readonly secret: (message: string, refuse: Refuse) => Promise<string>;
  /** Remembers a file for the message of a later cancel. */
  readonly wrote: (file: string) => void;
}

/** The library is loaded here, when the first question is asked. */
export async function openPrompts({ interrupt }: Pick<Io, "interrupt">): Promise<Prompts> {
  const clack = await import("@clack/prompts");
  const written: string[] = [];
  const shared = { signal: interrupt };
  const answered = async (answer: Promise<string | symbol>): Promise<string> => {
    const given = await answer;
    if (typeof given === "string") return given;
    if (given === undefined) return "";
    clack.cancel(written.length === 0 ? "Cancelled. Nothing was written." : `Cancelled. Already written: ${written.join(", ")}`);
    throw CANCELLED;
  };
  const plain = (choices: readonly Choice[]): { value: string; label: string; hint?: string }[] =>
    choices.map(({ value, label, hint }) => ({
      value,
      label: visibleLine(label),
      ...(hint === undefined ? {} : { hint: visibleLine(hint) }),
    }));
  const refusing = (refuse: Refuse | undefined): { validate?: (input: string | undefined) => string | undefined } =>
    refuse === undefined ? {} : { validate: (input) => refuse(input ?? "") };
  return {
    open: (title) => clack.intro(visibleLine(title)),
    close: (text) => clack.outro(visibleText(text)),
    say: (kind, text) => ({ info: clack.log.info, done: clack.log.success, warning: clack.log.warn })[kind](visibleText(text)),
    show: (title, text) => clack.note(visibleText(text), visibleLine(title)),
    select: async <T extends string>(message: string, choices: readonly Choice<T>[], initial?: T) =>
      (await answered(
        clack.select<string>({ ...shared, message, options: plain(choices), ...(initial === undefined ? {} : { initialValue: initial }) }),
      )) as T, // one of the values it was given
    find: (message, choices, placeholder = "type to narrow down") =>
      answered(
        clack.autocomplete<string>({ ...shared, message, options: plain(choices), placeholder, maxItems: 8, filter: fittingIn(choices) }),
      ),
    text: async (message, { placeholder, initial, refuse } = {}) => {
      const wish = { ...(placeholder === undefined ? {} : { placeholder }), ...(initial === undefined ? {} : { initialValue: initial }) };
      return (await answered(clack.text({ ...shared, message, ...wish, ...refusing(refuse) }))) ?? "";
    },
    secret: (message, refuse) => answered(clack.password({ ...shared, message, ...refusing(refuse) })),
    wrote: (file) => void written.push(visibleLine(file)),
  };
}
