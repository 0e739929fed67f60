import { knownModels, providerNames, providerOf } from "@massgen/config";
import { commands } from "../args/commands.js";
import { commandFlags, type Flag, flags } from "../args/flags.js";
import { logsVerbs } from "../args/record-request.js";
import { shells } from "../args/request.js";
import { helpTopics } from "../help/topics.js";

/** What may follow: words, or a file name. */
interface Candidates {
  readonly words: readonly string[];
  readonly files: boolean;
}

interface FlagWords {
  readonly names: readonly string[];
  readonly help: string;
  /** `null` for a switch. */
  readonly value: Candidates | null;
}

/** All that a shell offers; only what works. */
export interface Vocabulary {
  readonly commands: readonly { readonly name: string; readonly help: string; readonly operands: readonly string[] }[];
  /** Flags of each command; of a bare question under the empty name. */
  readonly flags: ReadonlyMap<string, readonly FlagWords[]>;
}

/** `examples`: paths of the shipped examples, `basic/single/single_groq.yaml`. */
export function completionVocabulary(examples: readonly string[]): Vocabulary {
  const built = commands.filter(({ status }) => status === "built");
  const operands: Readonly<Record<string, readonly string[]>> = {
    help: [...built.map(({ name }) => name), ...helpTopics.map(({ name }) => name)],
    config: ["explain"],
    completion: shells,
    replay: ["latest"],
    logs: logsVerbs,
    export: ["latest"],
    viewer: ["latest", "-"],
    shares: ["list", "delete"],
  };
  const flagsOf = (command: string): readonly FlagWords[] =>
    (command === "" ? flags : [...commandFlags, ...flags])
      .filter((flag) => flag.status === "built" && (command === "" || flag.commands?.includes(command) === true))
      .map((flag) => ({
        names: flag.alias === undefined ? [flag.name] : [flag.name, flag.alias],
        help: flag.help,
        value: flag.value === null ? null : candidatesFor(flag, examples),
      }));
  return {
    commands: built.map(({ name, help }) => ({ name, help, operands: operands[name] ?? [] })),
    flags: new Map(["", ...built.map(({ name }) => name)].map((command) => [command, flagsOf(command)])),
  };
}

function candidatesFor(flag: Flag, examples: readonly string[]): Candidates {
  const kind = flag.value?.kind;
  if (typeof kind === "object") return words(kind.choices);
  // Shells expand what stands in a list of words, so a name that could mean something to one is left out.
  const names = examples.filter((path) => /^[\w./+-]+$/.test(path)).map((path) => path.replace(/\.[^.]+$/, ""));
  switch (flag.name) {
    case "--config":
      return { words: names.map((name) => `@examples/${name}`), files: true };
    case "--example":
      return words(names);
    case "--backend":
    case "--config-backend":
    case "--list-models":
    case "--schema-backend":
      return words([...new Set(providerNames.map((name) => providerOf(name)?.type ?? name))]);
    case "--model":
    case "--config-model":
      return words([...new Set(Object.values(knownModels).flat())]);
    case "--resume":
      return { words: ["latest"], files: true };
    default:
      return { words: [], files: /path|file|folder/.test(flag.value?.name ?? "") };
  }
}

const words = (list: readonly string[]): Candidates => ({ words: list, files: false });
