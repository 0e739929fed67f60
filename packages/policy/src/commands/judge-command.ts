import type { PolicyVerdict } from "@massgen/contracts";
import type { CommandGrant, Root } from "../grants.js";
import { quote, refuse } from "../refusal.js";
import { dangerOf, fetchesAndRuns, type Surroundings } from "./danger.js";
import { type PathUse, pathUses } from "./path-uses.js";
import { type CommandLists, listedAgainst, plainText } from "./patterns.js";
import { plainWord, readScript, type Script } from "./read-script.js";
import { isShell, type Started, startedBy } from "./unwrap.js";

export interface CommandRules extends CommandLists {
  /** True when an OS sandbox or container confines what runs; only then may a script decide what to run while it runs. */
  readonly sandboxed: boolean;
  /** True in a container with its own administrator. */
  readonly allowsSudo: boolean;
}

export const rulesOf = (grant: CommandGrant): CommandRules => ({
  allowed: grant.allowed ?? null,
  blocked: grant.blocked ?? [],
  sandboxed: grant.sandboxed,
  allowsSudo: grant.allowsSudo ?? false,
});

export const surroundings = (roots: readonly Root[], home: string | null): Surroundings => ({
  roots: roots.flatMap((root) => [root.path, root.real]),
  contexts: roots.filter((root) => root.kind === "context").flatMap((root) => [root.path, root.real]),
  home,
});

export interface JudgedCommand {
  /** By rules and lists; what the paths say comes on top. */
  readonly verdict: PolicyVerdict;
  readonly uses: readonly PathUse[];
}

/**
 * Judges a command line as far as its text tells: every program in it by danger and by the lists of the configuration, and
 * the paths it names. What a program does once it runs is not seen here; that is for the sandbox (docs/spec/tools.md 4.3).
 * Throws when a pattern of the configuration cannot be used.
 */
export function judgeCommand(argv: readonly string[], folder: string, rules: CommandRules, around: Surroundings): JudgedCommand {
  const read = readArgv(argv, folder);
  if (typeof read === "string")
    return { verdict: blocked("unreadable", argv.at(-1) ?? "", `cannot be read: ${read}. Write it in plain shell`), uses: [] };
  const { started, scripts, fault } = startedBy(read);
  if (fault !== null)
    return { verdict: blocked("unreadable", argv.at(-1) ?? "", `cannot be read: ${fault}. Write it in plain shell`), uses: [] };
  const uses = pathUses(scripts, started);
  const bomb = scripts.flatMap((script) => script.bombs)[0];
  if (bomb !== undefined) return { verdict: blocked("fork-bomb", bomb, "starts itself without end"), uses };
  if (fetchesAndRuns(started)) {
    return {
      verdict: blocked("fetch-and-run", argv.at(-1)!, "runs a program from the network unread. Save it to a file and read it first"),
      uses,
    };
  }
  const verdicts = started.map((command) => judgeStarted(command, rules, around));
  return {
    verdict: verdicts.find((one) => one?.type === "deny") ?? verdicts.find((one) => one !== null) ?? { type: "allow", rule: "command" },
    uses,
  };
}

/** `bash -c text` is the text; anything else is one command whose words are as they are. */
function readArgv(argv: readonly string[], folder: string): Script | string {
  const [program, flag, text] = argv;
  if (program === undefined || program === "") return "it is empty";
  const name = program.split(/[\\/]/).at(-1)!;
  if (isShell(name) && /^-\w*c$/.test(flag ?? "")) {
    if (text === undefined || text.trim() === "") return "it is empty";
    const read = readScript(text, [folder]);
    return read.ok ? read : read.fault;
  }
  const words = argv.map(plainWord);
  return { commands: [{ words, sets: [], folders: [folder], input: [], piped: false }], redirections: [], bombs: [] };
}

function judgeStarted(command: Started, rules: CommandRules, around: Surroundings): PolicyVerdict | null {
  const text = plainText(command);
  const listed = listedAgainst(command, rules);
  if (listed !== null) return blocked(listed, text, `${listedWhy(listed)}. Use another command, or a file tool`);
  const danger = dangerOf(command, around, rules.allowsSudo);
  if (danger?.verdict === "deny") return blocked(danger.id, text, `${danger.why}`);
  if (command.dynamic !== null && (rules.allowed !== null || !rules.sandboxed)) {
    return blocked("dynamic", text, `cannot be judged: ${command.dynamic}. Write the command out`);
  }
  return danger === null ? null : { type: "ask", rule: `command:${danger.id}`, reason: `${quote(text)} ${danger.why}.` };
}

function listedWhy(rule: string): string {
  if (rule === "environment") return "sets a variable that can make an allowed name start another program";
  return rule === "not allowed" ? "is not among the commands the configuration allows" : "is a command the configuration blocks";
}

function blocked(rule: string, text: string, why: string): PolicyVerdict {
  return refuse("COMMAND_BLOCKED", rule, `${quote(text)} ${why}. (rule: ${rule})`);
}
