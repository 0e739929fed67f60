import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { helpTopics } from "../help/topics.js";
import { type CommandEntry, commands, findCommand } from "./commands.js";
import { commandFlags, type Flag, flags, type ValueKind } from "./flags.js";

/** What the user gave: flag name → its values in order; a switch has the one value `true`. */
export type Given = ReadonlyMap<Flag["name"], readonly (string | number | true)[]>;
export interface ParsedArguments {
  readonly given: Given;
  readonly operand: string | null;
  /** All of them; more than one only for commands that take more. */
  readonly operands: readonly string[];
}
/** What is wrong, in the words of the parser. */
export interface ArgumentFault {
  readonly fault: string;
}

/** Words a command takes besides its flags, where it is not one. */
const OPERANDS: Readonly<Record<string, number>> = { config: 2, logs: 3, mcp: 4, shares: 3 };

/** The parser of the bare question (`null`) or of one command word. */
function createProgram(command: string | null): Command {
  const program = new Command(command === null ? "massgen" : `massgen ${command}`)
    .usage(usageOf(command))
    .helpOption(false)
    .helpCommand(false)
    .allowExcessArguments(true)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .configureHelp({ helpWidth: 100, sortOptions: false });
  const { operand } = aboutOf(command);
  if (operand !== null) program.argument(...operand);
  for (const flag of flagsOf(command)) program.addOption(optionOf(flag));
  return program;
}

/** The flags of the bare question (`null`) or of one command, known ones included. */
export const flagsOf = (command: string | null): readonly Flag[] =>
  command === null ? flags : [...commandFlags, ...flags].filter((flag) => flag.commands?.includes(command));

/** What follows the name of the program, or of the command, on the line of usage. */
export const usageOf = (command: string | null): string =>
  aboutOf(command).usage ?? findCommand(command ?? undefined)?.usage.replace(/^\S+ /, "") ?? "[options] [question]";

type About = NonNullable<CommandEntry["about"]>;

const aboutOf = (command: string | null): About => findCommand(command ?? undefined)?.about ?? aboutAsking;

const aboutAsking: About = {
  intro: "Ask a team of models one question: they answer, read each other, vote, and the winner presents.",
  operand: ["[question]", "the task; without it, what is piped in, else you are asked"],
  examples: [
    "massgen                                     the first time: a team from your keys and local servers",
    'massgen "Compare two caching strategies"    ask the team of this folder, or your own',
    "massgen --config team.yaml < question.txt   ask another team; the question may be piped in",
    'massgen --model ollama/qwen3 "Why?"         ask one model',
    'massgen --continue "And for writes?"        go on with the last conversation; without a question, ask on',
    "massgen demo                                watch a simulated team: no key, no network",
  ],
};

/** Parses the arguments after the command word. A word that is no flag of the table is a fault with its nearest neighbour. */
export function parseArguments(command: string | null, args: readonly string[]): ParsedArguments | ArgumentFault {
  const program = createProgram(command);
  const given = new Map<Flag["name"], (string | number | true)[]>();
  for (const flag of flagsOf(command)) {
    program.on(`option:${flag.name.slice(2)}`, (value: string | null | undefined) => {
      const values = given.get(flag.name) ?? [];
      given.set(flag.name, [...values, flag.value === null || value == null ? true : readValue(flag.value.kind, value)]);
    });
  }
  program.action(() => {});
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return { fault: wording(error) };
    throw error;
  }
  const most = OPERANDS[command ?? ""] ?? 1;
  if (program.args.length > most) {
    return { fault: `unexpected argument ${JSON.stringify(program.args[most])}; a question of several words goes in quotes` };
  }
  return { given, operand: program.args[0] ?? null, operands: program.args };
}

/** The help of `massgen` or of one command: every flag that is built, by section. */
export function helpText(command: string | null): string {
  const program = createProgram(command);
  for (const option of program.options)
    option.hideHelp(flagsOf(command).some((flag) => flag.name === option.long && flag.status === "known"));
  const { intro, examples } = aboutOf(command);
  program.description(intro);
  const shown = `Examples:\n${examples.map((line) => `  ${line}\n`).join("")}`;
  const text = program.helpInformation();
  if (command !== null) return `${text}\n${shown}`;
  // The first screen is for somebody who has never used it: what to type, then the commands, then the many flags.
  return text.replace(/^Arguments:$/m, (heading) => `${shown}${commandSection()}\n${heading}`) + exitCodes;
}

/** The help of everything that has one, by command; that of `massgen` itself under `""`, texts on topics under `topic <name>`. */
export function helpTexts(): Readonly<Record<string, string>> {
  const topics = commands.filter((command) => command.about !== undefined).map(({ name }) => name);
  const texts = helpTopics.map(({ name, text }) => [`topic ${name}`, text]);
  return Object.fromEntries([["", helpText(null)], ...topics.map((topic) => [topic, helpText(topic)]), ...texts]);
}

const exitCodes = "\nExit codes: 0 answer, 1 configuration, 2 execution or usage, 3 time limit, 4 interrupted, 5 budget.\n";

function commandSection(): string {
  const rows = commands.filter((command) => command.status === "built");
  const width = Math.max(...rows.map((row) => row.usage.length)) + 2;
  return `\nCommands:\n${rows.map((row) => `  massgen ${row.usage.padEnd(width)}${row.help}\n`).join("")}`;
}

function optionOf(flag: Flag): Option {
  const alias = flag.alias === undefined ? "" : `${flag.alias}, `;
  const value = flag.value === null ? "" : flag.value.optional ? ` [${flag.value.name}]` : ` <${flag.value.name}>`;
  const option = new Option(`${alias}${flag.name}${value}`, flag.help).helpGroup(`${flag.section}:`);
  const kind = flag.value?.kind;
  // The values come through the listeners of parseArguments; here the parser only learns to refuse bad ones.
  if (kind !== undefined) option.argParser((raw: string) => readValue(kind, raw));
  return option;
}

function readValue(kind: ValueKind, raw: string): string | number {
  if (kind === "text") return raw;
  if (typeof kind === "object") {
    if (kind.choices.includes(raw)) return raw;
    throw new InvalidArgumentError(`Allowed choices are ${kind.choices.join(", ")}.`);
  }
  const number = /^\d{1,9}$/.test(raw) ? Number(raw) : Number.NaN;
  if (kind === "port") {
    if (number >= 0 && number <= 65_535) return number;
    throw new InvalidArgumentError("A port is a whole number from 0 to 65535.");
  }
  if (number > 0) return number;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

/** The parser's own sentence on one line, without its "error: ". */
const wording = (error: CommanderError): string =>
  error.message
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
