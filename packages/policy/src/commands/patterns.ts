import { createContext, Script } from "node:vm";
import type { Started } from "./unwrap.js";

/** The lists of the configuration: regular expressions over the text of one simple command. */
export interface CommandLists {
  /** Every simple command must match one, from its start; `null` allows what is not blocked. */
  readonly allowed: readonly string[] | null;
  /** One match anywhere refuses; wins over `allowed`. */
  readonly blocked: readonly string[];
}

/** By the clock on the wall, so that a busy machine must not look like an endless pattern. */
const LIMIT_MS = 1_000;
const MAX_PATTERN = 500;
/** What makes an allowed name start another program. */
const CHANGES_NAMES =
  /^(?:PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|PROMPT_COMMAND|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|GIT_.*|EDITOR|PAGER)$/;

/** The text a pattern sees: words with quotes and escapes taken off, where they have one value. */
export const plainText = ({ words }: Pick<Started, "words">): string =>
  words.map((word) => (word.complete && word.values.length === 1 ? word.values[0]! : word.text)).join(" ");

/** The pattern or rule that stops the command; `null` when the lists let it pass. Throws when a pattern takes longer than a second. */
export function listedAgainst(command: Started, lists: CommandLists): string | null {
  if (command.words.length === 0)
    return lists.allowed !== null && command.sets.some((name) => CHANGES_NAMES.test(name)) ? "environment" : null;
  const text = plainText(command);
  const texts = [
    text,
    ...command.names.map((name) => [name, ...command.words.slice(1).map((word) => word.values[0] ?? word.text)].join(" ")),
  ];
  const hit = lists.blocked.find((pattern) => texts.some((one) => matches(pattern, one)));
  if (hit !== undefined) return `blocked ${hit}`;
  if (lists.allowed === null || command.wrapper) return null;
  if (command.sets.some((name) => CHANGES_NAMES.test(name))) return "environment";
  return lists.allowed.some((pattern) => matches(`^(?:${pattern.replace(/^\^/, "")})`, text)) ? null : "not allowed";
}

const sandbox = createContext(Object.create(null) as object);
const run = new Script("pattern.test(text)");

/** Patterns come from people, texts from models; together they can take for ever, so they get a limit. */
function matches(pattern: string, text: string): boolean {
  if (pattern.length > MAX_PATTERN) throw new Error(`a command pattern is longer than ${MAX_PATTERN} characters`);
  Object.assign(sandbox, { pattern: new RegExp(pattern), text });
  return run.runInContext(sandbox, { timeout: LIMIT_MS }) === true;
}
