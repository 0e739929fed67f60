import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import type { JsonValue, ToolHandler } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import { customTool } from "../../custom-tool.js";
import type { ToolDefinition } from "../../define-tool.js";
import { findModule } from "../../modules/find-module.js";
import { importModule } from "../../modules/import-module.js";
import { nameProblem } from "../../tool-names.js";
import { isInside } from "../files/access.js";
import { definitionIn } from "./definition-in.js";
import { pythonTool } from "./python-tools.js";

/** One function of a `custom_tools` entry; an entry with lists is several of these (docs/spec/config.md 7.1). */
export interface CustomToolEntry {
  /** Where it stands in the configuration, for messages: `agents[0].backend.custom_tools[1]`. */
  readonly where: string;
  /** The name shown to the model, before the prefix; that of the function by default. */
  readonly name?: string;
  /** The export of the module, or its tool of that name. */
  readonly function?: string;
  /** A module file (`.ts`, `.mts`, `.js`, `.mjs`) or an installed package. */
  readonly path?: string;
  readonly description?: string;
  readonly presetArgs?: Readonly<Record<string, JsonValue>>;
  /** `builtin` leaves out the prefix `custom_tool__`. */
  readonly category?: string;
}

export interface LoadOptions {
  /** Where relative paths and packages are looked for, in this order: the working directory, then the folder of the configuration. */
  readonly folders: readonly string[];
  /** Folders an agent may write: modules in them are refused, or an agent could run its own code in this process. */
  readonly writableRoots: readonly string[];
  /** Names other tools of the agent have. */
  readonly takenNames?: readonly string[];
}

/** A tool that is not there, or not as written. An `error` is not to be started with; after a `warning` the run goes on. */
export interface CustomToolProblem {
  readonly severity: "error" | "warning" | "info";
  readonly code: "CFG051" | "CFG052" | "CFG053";
  readonly where: string;
  readonly message: string;
}

export interface CustomTools {
  readonly tools: readonly ToolHandler[];
  readonly problems: readonly CustomToolProblem[];
  /** Real paths of the modules whose code was run, for the banner. */
  readonly modules: readonly string[];
}

/** Loads the tools a configuration names. This runs their code, so it happens for a run and never for a check. */
export async function loadCustomTools(entries: readonly CustomToolEntry[], options: LoadOptions): Promise<CustomTools> {
  const tools: ToolHandler[] = [];
  const problems: CustomToolProblem[] = [];
  const modules = new Set<string>();
  const taken = new Set(options.takenNames ?? []);
  for (const entry of entries) {
    const found = await loadOne(entry, options);
    if (found.module !== null) modules.add(found.module);
    problems.push(...found.problems);
    if (found.tool === null) continue;
    const { name } = found.tool.spec;
    if (taken.has(name))
      problems.push(problem(entry, "error", "CFG051", `There are two tools called "${name}". Give one of them another name.`));
    else tools.push(found.tool);
    taken.add(name);
  }
  return { tools, problems, modules: [...modules] };
}

interface Loaded {
  readonly tool: ToolHandler | null;
  readonly module: string | null;
  readonly problems: readonly CustomToolProblem[];
}

async function loadOne(entry: CustomToolEntry, { folders, writableRoots }: LoadOptions): Promise<Loaded> {
  const wanted = entry.function ?? entry.name ?? null;
  // The name first: a tool that agents could take for the vote is refused whether or not its code is there.
  const bad = nameProblem(entry.name ?? wanted ?? "unnamed");
  if (bad !== null) return none(problem(entry, "error", "CFG051", bad));
  if (entry.path === undefined || entry.path.endsWith(".py")) return fromPython(entry, wanted);
  const file = await findModule(entry.path, folders);
  if (file === null) return none(absent(entry, `there is no module ${entry.path} in ${folders.join(" or ")}`));
  const roots = await Promise.all(writableRoots.map((root) => realpath(root).catch(() => root)));
  if (roots.some((root) => isInside(root, file)))
    return none(
      problem(
        entry,
        "error",
        "CFG053",
        `The module ${entry.path} lies in a folder agents may write, so its code is not run. Move it elsewhere.`,
      ),
    );
  try {
    const definition = definitionIn(await importModule(file), wanted);
    if (typeof definition === "string") return { ...none(absent(entry, `${entry.path} ${definition}`)), module: file };
    return { tool: handlerOf(entry, definition), module: file, problems: [] };
  } catch (error) {
    if (MassgenError.is(error)) return { ...none(problem(entry, "error", "CFG051", error.message)), module: file };
    return {
      ...none(absent(entry, `${entry.path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)),
      module: file,
    };
  }
}

function fromPython(entry: CustomToolEntry, wanted: string | null): Loaded {
  const names = [wanted, entry.path === undefined ? null : moduleName(entry.path)].filter((name) => name !== null);
  const known = names.map(pythonTool).find((one) => one !== null) ?? null;
  const what = `The custom tool "${names[0] ?? "without a name"}"`;
  switch (known?.type) {
    case "own":
      return {
        tool: handlerOf(entry, known.definition),
        module: null,
        problems:
          entry.path === undefined ? [] : [problem(entry, "info", "CFG052", `${what} is the one built in; ${entry.path} is not loaded.`)],
      };
    case "built_in":
      return none(problem(entry, "info", "CFG052", `${what} is ${known.tool} here, which agents with files or commands have anyway.`));
    case "absent":
      return none(problem(entry, "warning", "CFG052", `${what} is not available: ${known.why}. The run goes on without it.`));
    default:
      return none(
        problem(
          entry,
          "warning",
          entry.path === undefined ? "CFG053" : "CFG052",
          entry.path === undefined
            ? `${what} has no path and is none that is built in. The run goes on without it.`
            : `${what} is Python (${entry.path}), which cannot be loaded here. The run goes on without it; write it with defineTool of @massgen/tools.`,
        ),
      );
  }
}

function handlerOf(entry: CustomToolEntry, definition: ToolDefinition): ToolHandler {
  const name = entry.name ?? definition.name;
  return customTool(definition, {
    name: entry.category === "builtin" ? name : `custom_tool__${name}`,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    ...(entry.presetArgs === undefined ? {} : { presetArgs: entry.presetArgs }),
  });
}

const problem = (
  { where }: CustomToolEntry,
  severity: CustomToolProblem["severity"],
  code: CustomToolProblem["code"],
  message: string,
): CustomToolProblem => ({ severity, code, where, message });

const absent = (entry: CustomToolEntry, why: string): CustomToolProblem =>
  problem(
    entry,
    "warning",
    "CFG053",
    `The custom tool "${entry.name ?? entry.function ?? entry.path}" is left out: ${why}. The run goes on without it.`,
  );

const none = (one: CustomToolProblem): Loaded => ({ tool: null, module: null, problems: [one] });

/** The name of a module's file without its ending, and without the `_` Python puts before some. */
const moduleName = (path: string): string =>
  basename(path)
    .replace(/\.[a-z]+$/, "")
    .replace(/^_+/, "");
