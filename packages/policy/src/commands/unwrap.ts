import { basename } from "node:path";
import { isExactly, readScript, type Script, type SimpleCommand } from "./read-script.js";
import type { WordValue } from "./words.js";

/** A command after everything that only starts another one has been taken off. */
export interface Started extends SimpleCommand {
  /** Plain name of the program, one for each value of the word; empty when it is not known. */
  readonly names: readonly string[];
  /** Set when what it runs cannot be told: the name comes out of the run, or its text is read from somewhere. */
  readonly dynamic: string | null;
  /** True for what is there only to start another command, which is listed too. */
  readonly wrapper: boolean;
}

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "rbash"]);
/** Options of a wrapper that take a word of their own. */
const WRAPPERS: Readonly<Record<string, RegExp>> = {
  env: /^-(?:u|C|S)$|^--(?:unset|chdir)$/,
  nohup: /^$/,
  setsid: /^$/,
  time: /^-[fo]$/,
  timeout: /^-[ks]$|^--(?:kill-after|signal)$/,
  nice: /^-n$|^--adjustment$/,
  ionice: /^-[cnp]$/,
  stdbuf: /^-[ioe]$/,
  command: /^$/,
  builtin: /^$/,
  exec: /^-a$/,
  xargs: /^-[IEdLnPsa]$|^--(?:replace|delimiter|max-args|max-procs|arg-file)$/,
  parallel: /^-[jNI]$/,
  watch: /^-[n]$/,
  flock: /^-[wE]$/,
  busybox: /^$/,
  sudo: /^-[ugCpRDhrtT]$/,
  doas: /^-[uC]$/,
  chroot: /^$/,
  unshare: /^$/,
  strace: /^-[eopPsu]$/,
};
/** Wrappers whose first plain word is theirs: a duration, a lock file, a folder. */
const OWN_OPERAND: ReadonlySet<string> = new Set(["timeout", "flock", "chroot"]);
const MAX_DEPTH = 5;

export const isShell = (name: string): boolean => SHELLS.has(name);

/** All commands that a script starts, wrappers and what they wrap. */
export function startedBy(
  script: Script,
  depth = 0,
): { readonly started: readonly Started[]; readonly scripts: readonly Script[]; readonly fault: string | null } {
  const started: Started[] = [];
  const scripts: Script[] = [script];
  let fault: string | null = null;

  function add(command: SimpleCommand, level: number): void {
    const first = command.words[0];
    if (first === undefined) {
      started.push({ ...command, names: [], dynamic: null, wrapper: false });
      return;
    }
    const names = first.complete && !first.glob ? first.values.map((value) => basename(value)) : [];
    const inner = names.flatMap((name) => wrapped(name, command));
    const own =
      names.length === 0
        ? "its name is only known when it runs"
        : names.map((name) => readsCode(name, command)).find((one) => one !== null);
    started.push({ ...command, names, dynamic: own ?? null, wrapper: inner.length > 0 && names.every((name) => name in WRAPPERS) });
    if (level > MAX_DEPTH) {
      fault = "it starts shells in shells in shells";
      return;
    }
    const sets = [...command.sets, ...(names.includes("env") ? envNames(command.words) : [])];
    for (const words of inner) if (words.length > 0) add({ ...command, words, sets }, level + 1);
    for (const text of names.flatMap((name) => scriptTexts(name, command))) {
      for (const value of text.values) {
        const read = readScript(value, command.folders);
        if (!read.ok) fault ??= read.fault;
        else {
          const below = startedBy(read, level + 1);
          started.push(...below.started);
          scripts.push(...below.scripts);
          fault ??= below.fault;
        }
      }
    }
  }
  for (const command of script.commands) add(command, depth);
  return { started, scripts, fault };
}

/** The commands that a wrapper or `find -exec` starts. */
function wrapped(name: string, { words }: SimpleCommand): readonly (readonly WordValue[])[] {
  if (name === "find" || name === "fd") return executed(words);
  const takesWord = WRAPPERS[name];
  if (takesWord === undefined || !Object.hasOwn(WRAPPERS, name)) return [];
  let at = 1;
  while (at < words.length && (words[at]!.text.startsWith("-") || (name === "env" && isAssignment(words[at]!)))) {
    at += takesWord.test(words[at]!.text) ? 2 : 1;
  }
  if (OWN_OPERAND.has(name)) at++;
  return [words.slice(at)];
}

const isAssignment = (word: WordValue): boolean => /^[A-Za-z_]\w*=/.test(word.values[0] ?? word.text);
const envNames = (words: readonly WordValue[]): readonly string[] => words.filter(isAssignment).map((word) => word.text.split("=")[0]!);

function executed(words: readonly WordValue[]): readonly (readonly WordValue[])[] {
  return words.flatMap((word, index) => {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word.text)) return [];
    const rest = words.slice(index + 1);
    const end = rest.findIndex((one) => isExactly(one, ";", "+"));
    return [rest.slice(0, end === -1 ? undefined : end)];
  });
}

/** Texts that are scripts themselves: of `sh -c`, `eval`, `trap`, `env -S`, and what a shell is given as `<<`. */
function scriptTexts(name: string, command: SimpleCommand): readonly WordValue[] {
  const { words, input } = command;
  if (SHELLS.has(name) || name === "su" || name === "script") {
    const flag = words.findIndex((word, index) => index > 0 && /^-\w*c$/.test(word.text));
    const given = flag === -1 ? undefined : words.slice(flag + 1).find((word) => !word.text.startsWith("-") && !word.text.startsWith("+"));
    return given === undefined ? input.filter((one) => one.complete) : [given];
  }
  if (name === "eval") return [joined(words.slice(1))];
  if (name === "env") return words.flatMap((word, index) => (words[index - 1]?.text === "-S" ? [word] : gluedScript(word)));
  return name === "trap" && words.length > 2 ? [words[1]!] : [];
}

/** `-S'text'` and `--split-string=text`. */
function gluedScript(word: WordValue): readonly WordValue[] {
  const values = word.values.flatMap((value) => /^(?:-\w*S|--split-string=)(.+)$/s.exec(value)?.[1] ?? []);
  return values.length === 0 ? [] : [{ ...word, values }];
}

function joined(words: readonly WordValue[]): WordValue {
  const text = words.map((word) => word.values[0] ?? word.text).join(" ");
  return { text, values: [text], complete: words.every((word) => word.complete && word.values.length === 1), glob: false, splits: false };
}

/** Why the code that a command runs is not all in the script; `null` when it is, or is a file. */
function readsCode(name: string, command: SimpleCommand): string | null {
  const texts = scriptTexts(name, command);
  if (texts.some((text) => !text.complete || text.glob)) return "the commands it runs are only known when it runs";
  if (name === "xargs" && command.words.slice(1).some((word) => isShell(basename(word.text)))) return "it runs commands from its input";
  if (!SHELLS.has(name) || texts.length > 0) return null;
  const file = command.words.slice(1).some((word) => !word.text.startsWith("-"));
  const asks = command.words.slice(1).some((word) => /^--(?:version|help)$/.test(word.text));
  return file || asks ? null : "it runs commands from its input";
}
