/** Where a value stands, by 1-based lines. */
export interface EnvPlace {
  readonly name: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface EnvFile {
  /** Values by name, the last one of a name; empty ones included. */
  readonly values: ReadonlyMap<string, string>;
  /** Every assignment that was read, in the order of the file. */
  readonly places: readonly EnvPlace[];
  /** Lines that were skipped, with their 1-based number. Never holds a value. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/;
/** What cannot be inside a quoted value of several lines: then a quote was forgotten further up. */
const nextAssignment = /^\s*(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/;

/**
 * Reads a `.env` file: `KEY=value`, `export KEY=value`, `'as it is'`, `"with \n escapes"`, comments after white space and `#`.
 * Quoted values may span lines. Nothing is expanded. Never throws.
 */
export function parseEnvFile(text: string): EnvFile {
  const values = new Map<string, string>();
  const places: EnvPlace[] = [];
  const problems: { line: number; message: string }[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (/^\s*(#|$)/.test(line)) continue;
    const match = assignment.exec(line);
    if (match === null) {
      problems.push({ line: at + 1, message: "not of the form KEY=value; skipped" });
      continue;
    }
    const [, name, rest] = match as unknown as [string, string, string];
    const quote = /^[ \t]*(["'])/.exec(rest)?.[1];
    if (quote === undefined) {
      values.set(name, unquoted(rest));
      places.push({ name, firstLine: at + 1, lastLine: at + 1 });
      continue;
    }
    const read = quoted(rest.trimStart().slice(1), quote, lines.slice(at + 1, at + 200));
    if (read.value === null) problems.push({ line: at + 1, message: `${read.problem}; skipped` });
    else {
      values.set(name, read.value);
      places.push({ name, firstLine: at + 1, lastLine: at + 1 + read.extraLines });
    }
    at += read.extraLines;
  }
  return { values, places, problems };
}

/** A comment needs white space before its `#`, so that `abc#def` stays whole. */
const unquoted = (rest: string): string => rest.replace(/\s#.*$/, "").trim();

type Quoted =
  | { readonly value: string; readonly extraLines: number }
  | { readonly value: null; readonly problem: string; readonly extraLines: number };

function quoted(start: string, quote: string, following: readonly string[]): Quoted {
  let body = start;
  for (let extraLines = 0; ; extraLines++) {
    const end = closingQuote(body, quote);
    if (end !== -1) {
      const rest = body.slice(end + 1);
      if (!/^\s*(#.*)?$/.test(rest)) return { value: null, problem: "there is text after the closing quote", extraLines };
      const inner = body.slice(0, end);
      return { value: quote === '"' ? resolveEscapes(inner) : inner, extraLines };
    }
    const next = following[extraLines];
    if (next === undefined || nextAssignment.test(next)) return { value: null, problem: "a quote is not closed", extraLines: 0 };
    body += `\n${next}`;
  }
}

function closingQuote(body: string, quote: string): number {
  for (let at = 0; at < body.length; at++) {
    if (quote === '"' && body[at] === "\\") at++;
    else if (body[at] === quote) return at;
  }
  return -1;
}

const escapes: { readonly [letter: string]: string } = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$" };

const resolveEscapes = (text: string): string => text.replace(/\\(.)/g, (all, letter: string) => escapes[letter] ?? all);
