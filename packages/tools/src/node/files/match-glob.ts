import { refuse } from "./refusal.js";

const PATTERN_CHARS = 500;
const MAX_ALTERNATIVES = 1_000;

/**
 * A test for relative paths with `/`: `*` and `?` stay inside a name, `**` goes over any number of folders, `[a-z]` and
 * `[!a]` are one character, `{a,b}` are alternatives. A name beginning with a dot is a name like any other. With
 * `anyDepth` a pattern without `/` is tested on the last name alone.
 *
 * Takes time in proportion to pattern times path, whatever the pattern: patterns come from models, and a regular
 * expression made of them can be made to run for hours.
 */
export function matchGlob(pattern: string, { anyDepth = false }: { readonly anyDepth?: boolean } = {}): (path: string) => boolean {
  checkPattern(pattern);
  const alternatives = expandBraces(pattern).map((one) => one.split("/").filter((segment) => segment !== "."));
  return (path) => {
    const names = path.split("/");
    return alternatives.some((segments) =>
      anyDepth && segments.length === 1 ? matchName(segments[0]!, names.at(-1)!) : matchPath(segments, names),
    );
  };
}

/** A path passes when some of `include` and none of `exclude` match. */
export function matchGlobs(include: readonly string[], exclude: readonly string[]): (path: string) => boolean {
  const wanted = include.map((pattern) => matchGlob(pattern));
  const unwanted = exclude.map((pattern) => matchGlob(pattern));
  return (path) => wanted.some((matches) => matches(path)) && !unwanted.some((matches) => matches(path));
}

function checkPattern(pattern: string): void {
  const shown = JSON.stringify(pattern.slice(0, 100));
  if (pattern === "" || pattern.length > PATTERN_CHARS)
    refuse("INVALID_ARGS", `The pattern ${shown} must have 1 to ${PATTERN_CHARS} characters.`);
  if (pattern.startsWith("/") || /^[A-Za-z]:[\\/]/.test(pattern))
    refuse("INVALID_ARGS", `The pattern ${shown} is absolute. Give the directory in the path argument.`);
  if (pattern.split(/[/{},]/).includes(".."))
    refuse("INVALID_ARGS", `The pattern ${shown} contains "..". Give the directory in the path argument.`);
}

function matchPath(segments: readonly string[], names: readonly string[]): boolean {
  // reachable[n]: the segments so far can match exactly the first n names.
  let reachable = names.map(() => false);
  reachable = [true, ...reachable];
  for (const segment of segments) {
    if (segment === "**") {
      const first = reachable.indexOf(true);
      reachable = reachable.map((_, index) => first !== -1 && index >= first);
    } else reachable = reachable.map((_, index) => index > 0 && reachable[index - 1]! && matchName(segment, names[index - 1]!));
  }
  return reachable[names.length]!;
}

/** Greedy with one way back: a later `*` never needs an earlier one to be tried again. */
function matchName(pattern: string, name: string): boolean {
  let [at, position, star, resume] = [0, 0, -1, 0];
  while (position < name.length) {
    const token = at < pattern.length && pattern[at] !== "*" ? oneCharacter(pattern, at, name, position) : null;
    if (token?.matches === true) {
      at += token.length;
      position += token.width;
    } else if (pattern[at] === "*") {
      star = at++;
      resume = position;
    } else if (star !== -1) {
      at = star + 1;
      position = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

interface Token {
  readonly matches: boolean;
  /** Characters of the pattern. */
  readonly length: number;
  /** Characters of the name. */
  readonly width: number;
}

function oneCharacter(pattern: string, at: number, name: string, position: number): Token {
  const char = String.fromCodePoint(name.codePointAt(position)!);
  if (pattern[at] === "?") return { matches: true, length: 1, width: char.length };
  const end = pattern[at] === "[" ? pattern.indexOf("]", at + 2) : -1;
  if (end !== -1) return { matches: inClass(pattern.slice(at + 1, end), char), length: end + 1 - at, width: char.length };
  const literal = pattern[at] === "\\" && at + 1 < pattern.length ? at + 1 : at;
  return { matches: pattern[literal] === name[position], length: literal + 1 - at, width: 1 };
}

function inClass(list: string, char: string): boolean {
  const isNegated = list.startsWith("!") || list.startsWith("^");
  const chars = [...(isNegated ? list.slice(1) : list)];
  let isIn = false;
  for (let index = 0; index < chars.length; index++) {
    const to = chars[index + 1] === "-" ? chars[index + 2] : undefined;
    if (to === undefined) isIn ||= chars[index] === char;
    else {
      isIn ||= chars[index]! <= char && char <= to;
      index += 2;
    }
  }
  return isIn !== isNegated;
}

/** `a{b,c}d` as `abd`, `acd`. Braces that do not close, or hold no comma, are letters. */
function expandBraces(pattern: string): readonly string[] {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    if (open.length + done.length > MAX_ALTERNATIVES) refuse("INVALID_ARGS", `The pattern has more than ${MAX_ALTERNATIVES} alternatives.`);
    const next: string[] = [];
    for (const one of open) {
      const parts = innermostBraces(one);
      if (parts === null) done.push(one);
      else next.push(...parts);
    }
    open = next;
  }
  return done;
}

function innermostBraces(pattern: string): readonly string[] | null {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (found === null) return null;
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + found[0].length)];
  return found[1]!.split(",").map((choice) => `${before}${choice}${after}`);
}
