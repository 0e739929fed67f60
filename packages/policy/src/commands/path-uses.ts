import type { PathOp } from "@massgen/contracts";
import type { FileUse, Script } from "./read-script.js";
import type { Started } from "./unwrap.js";
import type { WordValue } from "./words.js";

/** A path that a command would touch, as far as its arguments tell. */
export interface PathUse {
  readonly op: PathOp;
  readonly path: string;
  /** Folders a relative path may start from, absolute. */
  readonly folders: readonly string[];
}

const SHELL_FILES = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/;
const READS = words(
  "cat tac nl head tail less more wc sort uniq cut paste od xxd hexdump strings file stat cksum md5sum sha1sum sha256sum sha512sum b2sum diff cmp comm join column fold fmt rev ls dir tree du df readlink realpath zcat bzcat xzcat base64 source . bat eza test [",
);
const WRITES = words("touch tee truncate chmod chown chgrp split setfacl");
const DELETES = words("rm unlink rmdir shred");
const NO_PATHS = words(
  "echo printf tr seq expr true false : export unset readonly declare local read sleep date basename dirname kill type which hash set shift exit return trap eval let wait jobs alias umask ulimit",
);
const PATTERN_FIRST = words("grep egrep fgrep rg ag ack sed awk gawk mawk jq yq perl ruby");
const CODE = /^(?:python[\d.]*|pypy\d*|node|deno|bun|perl|ruby|php|lua|tclsh|osascript)$/;
const CHANGES = /write|unlink|remove|rmtree|rmdir|rename|replace|copy|move|mkdir|truncate|chmod|append|symlink|["'][rwab]*[wa+][b+]*["']|>/;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** What the programs and the shell would open. Unknown programs count with what looks like a path, as reading. */
export function pathUses(scripts: readonly Script[], started: readonly Started[]): readonly PathUse[] {
  const byShell = scripts.flatMap((script) => script.redirections.flatMap(useOfShell));
  return [...byShell, ...started.flatMap((command) => command.names.flatMap((name) => usesOf(name, command)))];
}

const useOfShell = ({ target, op, folders }: FileUse): readonly PathUse[] =>
  target.values.filter((path) => !SHELL_FILES.test(path)).map((path) => ({ op, path: beforeGlob(path, target.glob), folders }));

function usesOf(name: string, command: Started): readonly PathUse[] {
  const args = command.words.slice(1);
  const use = (op: PathOp, from: readonly WordValue[]): readonly PathUse[] => from.flatMap((word) => useOf(op, word, command.folders));
  const operands = plainWords(args);
  const program = command.words[0]!.values.filter(
    (value) => value.includes("/") && !/^\/(?:usr\/|opt\/|nix\/|home\/linuxbrew\/)?(?:local\/)?s?bin\//.test(value),
  );
  const itself = program.map((path): PathUse => ({ op: "read", path, folders: command.folders }));
  return [...itself, ...optionUses(name, args, command), ...argumentUses()];

  function argumentUses(): readonly PathUse[] {
    if (NO_PATHS.has(name) || command.wrapper) return [];
    if (name === "cd" || name === "pushd") return use("exec_cwd", operands.length === 0 ? [] : operands);
    if (READS.has(name)) return use("read", operands);
    if (DELETES.has(name))
      return use(name === "rm" && args.some((arg) => /^-\w*[rR]|^--recursive$/.test(arg.text)) ? "delete_tree" : "delete", operands);
    if (name === "mkdir") return use("mkdir", operands);
    if (WRITES.has(name)) return use("write", /^ch/.test(name) ? operands.slice(1) : operands);
    if (/^(?:mv|cp|install|rsync|ln|scp)$/.test(name)) return transfers(name, args, operands, use);
    if (PATTERN_FIRST.has(name)) return use(editsInPlace(name, args) ? "write" : "read", operands.slice(hasPattern(args) ? 0 : 1));
    if (name === "find") return finds(args, use);
    if (name === "dd") return args.flatMap((arg) => useAfter("of=", "write", arg).concat(useAfter("if=", "read", arg)));
    const code = CODE.test(name) ? args.filter((_, index) => /^(?:-c|-e|-p|-r|--eval|--print)$/.test(args[index - 1]?.text ?? "")) : [];
    return [
      ...code.flatMap((word) => pathsInCode(word, command.folders)),
      ...use(
        "read",
        operands.filter((word) => !code.includes(word) && looksLikePath(word)),
      ),
    ];
  }

  function useAfter(prefix: string, op: PathOp, word: WordValue): PathUse[] {
    return word.values
      .filter((value) => value.startsWith(prefix))
      .map((value) => ({ op, path: value.slice(prefix.length), folders: command.folders }))
      .filter(({ path }) => !SHELL_FILES.test(path));
  }
}

function useOf(op: PathOp, word: WordValue, folders: readonly string[]): readonly PathUse[] {
  return word.values
    .filter((value) => value !== "" && value !== "-" && !SHELL_FILES.test(value) && !/^[a-z][a-z0-9+.-]+:\/\/(?!\/)/i.test(value))
    .map((value) => ({ op, path: beforeGlob(value, word.glob), folders }));
}

/** Of a name with a pattern in it, the folder before the pattern. */
const beforeGlob = (path: string, glob: boolean): string =>
  glob ? path.slice(0, path.search(/[*?[]|[?*+@!]\(/)).replace(/[^/]*$/, "") || "." : path;

/** Everything but options; after `--` everything. */
function plainWords(args: readonly WordValue[]): readonly WordValue[] {
  const end = args.findIndex((arg) => arg.text === "--");
  return args.filter((arg, index) => index !== end && ((end !== -1 && index > end) || !/^-./.test(arg.values[0] ?? arg.text)));
}

/** `--out=/x`, `-I/x`, `-C /x`: paths that hang on an option. */
function optionUses(name: string, args: readonly WordValue[], { folders }: Started): readonly PathUse[] {
  if (NO_PATHS.has(name)) return [];
  return args.flatMap((arg, index) => {
    const before = args[index - 1]?.text ?? "";
    const separate =
      /^(?:-C|--directory|--git-dir|--work-tree|--prefix|--cwd|-o|-O|--output|--outfile|--outdir|-t|--target-directory|-d)$/.test(before);
    if (separate && !arg.text.startsWith("-") && leadsAway(arg)) return useOf(writesTo(before) ? "write" : "read", arg, folders);
    const found = /^(--?[A-Za-z][\w-]*=|-[A-Za-z](?=[~/.]))(.+)$/s.exec(arg.values[0] ?? arg.text);
    if (found === null) return [];
    const value = { ...arg, values: [found[2]!] };
    return leadsAway(value) ? useOf(writesTo(found[1]!) ? "write" : "read", value, folders) : [];
  });
}
const writesTo = (option: string): boolean => /^-o$|^-O$|^--out|^--target|^--dest|^-t$|^-d$/.test(option.replace(/=$/, ""));

const leadsAway = (word: WordValue): boolean =>
  word.values.some((value) => /^(?:\/.|~)|(?:^|\/)\.\.(?:\/|$)/.test(value) && !value.startsWith("//"));
const looksLikePath = (word: WordValue): boolean => word.values.some((value) => /^(?:\/|~|\.)|\//.test(value) && !/\s/.test(value));

type Use = (op: PathOp, from: readonly WordValue[]) => readonly PathUse[];

function transfers(name: string, args: readonly WordValue[], operands: readonly WordValue[], use: Use): readonly PathUse[] {
  const into = args.find((_, index) => /^(?:-t|--target-directory)$/.test(args[index - 1]?.text ?? ""));
  const sources = into === undefined ? operands.slice(0, -1) : operands.filter((word) => word !== into);
  const target = into ?? operands.at(-1);
  return [...use(name === "mv" ? "move_from" : "copy_from", sources), ...(target === undefined ? [] : use("copy_to", [target]))];
}

function finds(args: readonly WordValue[], use: Use): readonly PathUse[] {
  const end = args.findIndex((arg) => /^[-(!]/.test(arg.text));
  const deletes = args.some((arg) => /^-(?:delete|fprint0?|fprintf|fls)$/.test(arg.text));
  const newer = args.filter((_, index) => /^-(?:newer\w*|samefile)$/.test(args[index - 1]?.text ?? ""));
  return [...use(deletes ? "write" : "list", end === -1 ? args : args.slice(0, end)), ...use("read", newer)];
}

const editsInPlace = (name: string, args: readonly WordValue[]): boolean =>
  /^(?:sed|perl|ruby|yq|gawk)$/.test(name) && args.some((arg) => /^-\w*i|^--in-place/.test(arg.text));
const hasPattern = (args: readonly WordValue[]): boolean =>
  args.some((arg) => /^(?:-\w*[ef]|--regexp.*|--file.*|--expression.*|--files)$/.test(arg.text));

const STRING = /(["'`])((?:\\.|(?!\1).)*)\1/gs;

/** Quoted strings that look like paths in the code of another language; changing if the code has words of changing. */
function pathsInCode(word: WordValue, folders: readonly string[]): readonly PathUse[] {
  return (word.values.length === 0 ? [word.text] : word.values).flatMap((code) => {
    const strings = [...code.matchAll(STRING)].map((match) => match[2]!);
    const op = CHANGES.test(code.replace(STRING, (string) => (string.length > 5 ? "" : string))) ? "write" : "read";
    return strings
      .filter((text) => /^(?:\/|~\/|\.)/.test(text) && !/\s/.test(text) && /[\w]/.test(text))
      .map((path): PathUse => ({ op, path, folders }));
  });
}
