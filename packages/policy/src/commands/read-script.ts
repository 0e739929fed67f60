import { isAbsolute, resolve } from "node:path";
import { type Command, forEachChild, type PipelineNode, parse, type Redirection, type SyntaxNode } from "unbash";
import { readVariables, readWord, splitWord, type Variables, type WordValue } from "./words.js";

/** One program with its arguments, wherever in a script it stands. */
export interface SimpleCommand {
  /** The first is the program; none for a bare assignment. */
  readonly words: readonly WordValue[];
  /** Names of variables set for it, or by it. */
  readonly sets: readonly string[];
  /** Folders in which it may run, absolute. */
  readonly folders: readonly string[];
  /** Text given to it as `<<` or `<<<`, as far as it is known. */
  readonly input: readonly WordValue[];
  /** True when it gets its input from another command. */
  readonly piped: boolean;
}

export interface FileUse {
  readonly target: WordValue;
  readonly op: "read" | "write";
  readonly folders: readonly string[];
}

export interface Script {
  readonly commands: readonly SimpleCommand[];
  /** Files that the shell itself opens. */
  readonly redirections: readonly FileUse[];
  /** Functions that start themselves more than once at a time. */
  readonly bombs: readonly string[];
}
export type ReadScript = ({ readonly ok: true } & Script) | { readonly ok: false; readonly fault: string };

const MAX_LENGTH = 32_000;
const MAX_COMMANDS = 2_000;
const MAX_FOLDERS = 32;

/** Every command in a text for bash: of lists, pipes, groups, functions, conditions and substitutions. Nothing is run. */
export function readScript(source: string, folders: readonly string[], outer: Variables = new Map()): ReadScript {
  if (source.length > MAX_LENGTH) return { ok: false, fault: `it is longer than ${MAX_LENGTH} characters` };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000\u0001-\u0008\u000b-\u001f\u007f]/.test(source)) return { ok: false, fault: "it contains control characters" };
  try {
    const tree = parse(source);
    const reader = new Map([...outer, ...readVariables(tree)]);
    return walk(tree, { folders, variables: reader });
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : "it cannot be parsed" };
  }
}

/** Parts of a script with a current folder of their own. */
const APART: ReadonlySet<string> = new Set(["Subshell", "CommandExpansion", "ProcessSubstitution", "Coproc", "Function"]);

interface Start {
  readonly folders: readonly string[];
  readonly variables: Variables;
}

function walk(tree: SyntaxNode, { folders: start, variables }: Start): ReadScript {
  const commands: SimpleCommand[] = [];
  const redirections: FileUse[] = [];
  const bombs: string[] = [];
  let fault: string | null = null;
  let folders = start;
  let stopsAtErrors = false;

  function visit(node: SyntaxNode, piped = false): void {
    if (node.type === "Script" && (node.errors?.length ?? 0) > 0) fault ??= node.errors![0]!.message;
    // Every `cd x;` doubles the folders that count, so their number is bounded, and reading stops there.
    if (folders.length > MAX_FOLDERS) fault ??= "it changes its folder too often";
    if (fault !== null) return;
    if (commands.length > MAX_COMMANDS) fault ??= `it has more than ${MAX_COMMANDS} commands`;
    if (node.type === "Command") visitCommand(node, piped);
    else if (node.type === "Redirect" || node.type === "HereString" || node.type === "HereDoc") visitRedirection(node);
    else if (node.type === "AndOr") visitAndOr(node.commands, node.operators);
    else if (node.type === "Pipeline") for (const [index, one] of node.commands.entries()) apart(() => visit(one, index > 0));
    else if (APART.has(node.type)) apart(() => forEachChild(node, visitChild));
    else forEachChild(node, visitChild);
    if (node.type === "Function" && startsItselfTwice(node.body, node.name.value)) bombs.push(node.name.value);
  }
  const visitChild = (node: SyntaxNode): void => visit(node);

  /** What happens in there to the current folder stays in there. */
  function apart(inner: () => void): void {
    const before = folders;
    inner();
    folders = before;
  }

  function visitCommand(node: Command, piped: boolean): void {
    const words = wordsOf(node);
    const assigned = [...node.prefix, ...node.args].flatMap((one) => (one.type === "Assignment" ? [one.name] : []));
    const input = node.redirects.flatMap((one) => hereText(one));
    commands.push({ words, sets: assigned, folders, input, piped });
    forEachChild(node, visitChild);
    if (isExactly(words[0], "set") && words.slice(1).some((word) => /^-\w*e/.test(word.text))) stopsAtErrors = true;
    const moved = folderAfter(words, folders);
    if (moved !== null) folders = stopsAtErrors ? moved : [...new Set([...moved, ...folders])];
  }

  /** After `cd x &&` and `cd x || exit` only `x` counts; after `cd x;` it may have failed, so both folders do. */
  function visitAndOr(parts: readonly PipelineNode[], operators: readonly string[]): void {
    const before = folders;
    let stops = stopsAtErrors;
    parts.forEach((part, index) => {
      const here = folders;
      visit(part);
      const moved = part.type === "Command" ? folderAfter(wordsOf(part), here) : null;
      const exits = operators[index] === "||" && leaves(parts[index + 1]);
      if (moved !== null && (operators[index] === "&&" || exits)) folders = moved;
      stops ||= exits;
    });
    if (!stops) folders = [...new Set([...folders, ...before])];
  }

  const wordsOf = (node: Command): readonly WordValue[] => [
    ...(node.name === undefined ? [] : splitWord(readWord(node.name, variables))),
    ...node.args.flatMap((one) => (one.type === "Word" ? splitWord(readWord(one, variables)) : [plainWord(one.text)])),
  ];

  function visitRedirection(node: Redirection): void {
    forEachChild(node, visitChild);
    if (node.type !== "Redirect" || node.target === undefined) return;
    const target = readWord(node.target, variables);
    const duplicates = (node.operator === ">&" || node.operator === "<&") && /^(?:\d+|-|\d+-)$/.test(node.target.text);
    if (!duplicates) redirections.push({ target, op: node.operator === "<" ? "read" : "write", folders });
  }

  function hereText(node: Redirection): readonly WordValue[] {
    if (node.type === "HereString") return node.target === undefined ? [] : [readWord(node.target, variables)];
    return node.type === "HereDoc" ? [{ ...plainWord(node.body.text), complete: node.body.parts === undefined }] : [];
  }

  visit(tree);
  return fault === null ? { ok: true, commands, redirections, bombs } : { ok: false, fault };
}

export const plainWord = (text: string): WordValue => ({ text, values: [text], complete: true, glob: false, splits: false });
export const isExactly = (word: WordValue | undefined, ...names: readonly string[]): boolean =>
  word?.complete === true && word.values.length === 1 && names.includes(word.values[0]!);

/** Where a `cd` leads from each folder; `null` when the command is no `cd`. An unknown target counts as no move. */
function folderAfter(words: readonly WordValue[], folders: readonly string[]): readonly string[] | null {
  const at = isExactly(words[0], "builtin", "command") ? 1 : 0;
  if (!isExactly(words[at], "cd", "pushd", "popd")) return null;
  const target = words.slice(at + 1).find((word) => !/^-[LPe@]+$/.test(word.text) && word.text !== "--");
  if (target === undefined) return ["~"];
  if (!target.complete) return folders;
  return [...new Set(folders.flatMap((folder) => target.values.map((value) => (value === "-" ? folder : folderFrom(folder, value)))))];
}

/** A path from a folder; what begins with `~` stays so, and is not normalised. */
function folderFrom(folder: string, path: string): string {
  if (path.startsWith("~")) return path;
  if (!folder.startsWith("~")) return resolve(folder, path);
  return isAbsolute(path) ? resolve(path) : `${folder}/${path}`;
}

function leaves(node: SyntaxNode | undefined): boolean {
  if (node?.type === "BraceGroup") return leaves(node.body.commands.at(-1)?.command);
  return node?.type === "Command" && /^(?:exit|return|break|continue)$/.test(node.name?.value ?? "");
}

/** `f() { f | f & }`: what a fork bomb looks like under any name. */
function startsItselfTwice(body: SyntaxNode, name: string): boolean {
  let calls = 0;
  let parallel = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command" && node.name?.value === name) calls++;
    if ((node.type === "Statement" && node.background === true) || node.type === "Pipeline") parallel = true;
    forEachChild(node, visit);
  };
  visit(body);
  return calls > 0 && parallel;
}
