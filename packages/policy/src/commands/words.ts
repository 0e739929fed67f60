import { type ArrayValue, forEachChild, type SyntaxNode, type Word, type WordPart } from "unbash";

/** What a word of a script can turn into, as far as that can be told without running it. */
export interface WordValue {
  readonly text: string;
  /** Everything it is known to become; several where a variable has several values. `~` stands for the home. */
  readonly values: readonly string[];
  /** False when it may become something else too. */
  readonly complete: boolean;
  /** True when the shell replaces it by the names of files. */
  readonly glob: boolean;
  /** True when spaces in a value make several words of it. */
  readonly splits: boolean;
}
export type Variables = ReadonlyMap<string, Pick<WordValue, "values" | "complete">>;

type Known = Pick<WordValue, "values" | "complete" | "glob">;
const MAX_VALUES = 32;
const exactly = (...values: readonly string[]): Known => ({ values, complete: true, glob: false });
const unknown: Known = { values: [], complete: false, glob: false };

export function readWord(word: Word, variables: Variables): WordValue {
  const splits = word.parts?.some((part) => part.type === "SimpleExpansion" || part.type === "ParameterExpansion") === true;
  const known = word.parts === undefined ? exactly(word.value) : joinParts(word.parts, variables);
  // With separators of its own a script can make words that are not seen here.
  return { text: word.text, ...known, splits, complete: known.complete && !(splits && variables.has("IFS")) };
}

/** The words that a word without quotes becomes: `x="rm -rf /"; $x` is three. Of several values, the words of all. */
export function splitWord(word: WordValue): readonly WordValue[] {
  if (!word.splits || !word.values.some((value) => /\s/.test(value))) return [word];
  const pieces = word.values.flatMap((value) => value.split(/\s+/).filter((piece) => piece !== ""));
  return pieces.map((piece) => ({ ...word, text: piece, values: [piece], splits: false }));
}

/** The values of one part after another, put together in every combination, up to a limit. */
function joinParts(parts: readonly WordPart[], variables: Variables): Known {
  let joined: Known = exactly("");
  for (const part of parts) {
    const next = readPart(part, variables);
    // An unknown middle still has a known start: `/etc/$X` is judged as `/etc/`.
    const values = joined.values.flatMap((start) => (next.values.length === 0 ? [start] : next.values.map((end) => start + end)));
    const fits = values.length <= MAX_VALUES;
    joined = {
      values: values.slice(0, MAX_VALUES),
      complete: joined.complete && next.complete && fits,
      glob: joined.glob || next.glob,
    };
  }
  return joined;
}

function readPart(part: WordPart, variables: Variables): Known {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return exactly(part.value);
    case "DoubleQuoted":
    case "LocaleString":
      return { ...joinParts(part.parts, variables), glob: false };
    case "SimpleExpansion":
      return variable(part.text.slice(1), variables);
    case "ParameterExpansion":
      return part.operation === undefined && part.prefix === undefined && part.index === undefined
        ? variable(part.parameter, variables)
        : withOperand(part.parameter, part.operation, variables);
    case "BraceExpansion":
      return expandBraces(part.text);
    case "Glob":
    case "ExtendedGlob":
      return { ...exactly(part.text), glob: true };
    case "ProcessSubstitution":
      return exactly("/dev/fd/63");
    default:
      return unknown;
  }
}

function variable(name: string, variables: Variables): Known {
  const known = variables.get(name);
  if (known !== undefined) return { ...known, glob: false };
  return name === "HOME" ? exactly("~") : name === "PWD" ? exactly(".") : unknown;
}

/** `${X:-/etc}` may be either; what other operators make of a value is not worked out. */
function withOperand(name: string, operation: SyntaxNode | undefined, variables: Variables): Known {
  const operands = operation?.type === "Default" ? readWord(operation.operand, variables).values : [];
  return { values: [...variable(name, variables).values, ...operands], complete: false, glob: false };
}

/** `{a,b{c,d}}` of plain text. Ranges, and lists with quotes or variables in them, stay unknown after their start. */
function expandBraces(text: string): Known {
  if (/["'$`\\]/.test(text) || !text.includes(",")) return { ...exactly(text), complete: false };
  const values = alternatives(text);
  return values.length > MAX_VALUES ? { ...exactly(...values.slice(0, MAX_VALUES)), complete: false } : exactly(...values);
}

function alternatives(text: string): readonly string[] {
  const open = text.indexOf("{");
  if (open === -1) return [text];
  const items: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}") depth--;
    if ((text[at] === "," && depth === 1) || depth === 0) {
      items.push(text.slice(start, at));
      start = at + 1;
    }
    if (depth > 0) continue;
    const tails = alternatives(text.slice(at + 1));
    return items
      .flatMap((item) => alternatives(item))
      .flatMap((item) => tails.map((tail) => text.slice(0, open) + item + tail))
      .slice(0, 4 * MAX_VALUES);
  }
  return [text];
}

/** What the variables of a script can hold: the sum of all that is assigned to them anywhere in it. */
export function readVariables(script: SyntaxNode): Variables {
  const found = new Map<string, Pick<WordValue, "values" | "complete">>();
  const add = (name: string, value: Pick<WordValue, "values" | "complete">): void => {
    const before = found.get(name) ?? { values: [], complete: true };
    const values = [...new Set([...before.values, ...value.values])];
    found.set(name, { values: values.slice(0, MAX_VALUES), complete: before.complete && value.complete && values.length <= MAX_VALUES });
  };
  const readAll = (words: readonly Word[]): Pick<WordValue, "values" | "complete"> => {
    const read = words.map((word) => readWord(word, found));
    return { values: read.flatMap((one) => one.values), complete: read.every((one) => one.complete && !one.glob) };
  };
  const isArray = (value: Word | ArrayValue): value is ArrayValue => value.type === "ArrayValue";
  function visit(node: SyntaxNode): void {
    if (node.type === "Assignment") {
      const value = readAll(isArray(node.value) ? node.value.elements : [node.value]);
      add(node.name, node.append === true || node.index !== undefined ? { ...value, complete: false } : value);
    }
    if (node.type === "For" || node.type === "Select") add(node.name.value, node.wordlist === undefined ? unknown : readAll(node.wordlist));
    if (node.type === "Command" && /^(?:read|mapfile|readarray|printf|getopts|let|declare|local|typeset)$/.test(node.name?.value ?? "")) {
      for (const word of node.args) if (word.type === "Word") add(word.value, unknown);
    }
    forEachChild(node, visit);
  }
  // Twice, so that a value made of a later variable is known too.
  visit(script);
  visit(script);
  return found;
}
