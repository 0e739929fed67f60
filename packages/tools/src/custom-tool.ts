import type { JsonSchema, JsonValue, ToolContext, ToolEffect, ToolHandler, ToolOutput } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import type { ToolAnswer, ToolDefinition } from "./define-tool.js";
import { checkInput, inputSchema } from "./input-schema.js";
import { pathsIn } from "./paths-in.js";
import { nameProblem } from "./tool-names.js";
import { errorOutput, textOutput } from "./tool-output.js";

export interface CustomToolOptions {
  /** The name the model sees; the definition's own by default. */
  readonly name?: string;
  readonly description?: string;
  /** Arguments the configuration fixes: set over those of the model, and not shown to it. */
  readonly presetArgs?: Readonly<Record<string, JsonValue>>;
}

const TIMEOUT_MS = 300_000;

/**
 * Makes a tool of your own callable by agents. Throws `CONFIG_INVALID` for a name that is reserved or no name, and for a
 * schema that JSON Schema cannot express.
 */
export function customTool(definition: ToolDefinition, options: CustomToolOptions = {}): ToolHandler {
  const { name = definition.name, description = definition.description, presetArgs = {} } = options;
  const problem = nameProblem(definition.name) ?? nameProblem(name);
  if (problem !== null) throw new MassgenError("CONFIG_INVALID", problem, { exitCode: 1 });
  const withPreset = (input: JsonValue): JsonValue => (isObject(input) ? { ...input, ...presetArgs } : input);
  return {
    spec: { name, description, input: without(schemaOf(definition, name), Object.keys(presetArgs)) },
    risk: definition.risk ?? "external",
    timeoutMs: definition.timeoutMs ?? TIMEOUT_MS,
    effects: (input) => {
      const parsed = definition.input.safeParse(withPreset(input));
      // Arguments that do not fit never reach the tool: `run` refuses them and says why.
      return parsed.success ? effectsOf(definition, name, parsed.data) : [];
    },
    run: async (input, context) => {
      const checked = await checkInput(definition.input, withPreset(input));
      if (checked.ok) return outputOf(await answerOf(definition, checked.value, context));
      return errorOutput(`Error [INVALID_ARGS]: The arguments of ${name} do not fit and nothing was done.\n${checked.problems}`);
    },
  };
}

function schemaOf(definition: ToolDefinition, name: string): JsonSchema {
  try {
    return inputSchema(definition.input);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MassgenError("CONFIG_INVALID", `The input of the custom tool "${name}" cannot be told to a model: ${why}`, {
      cause,
      hint: "Use the types JSON has: strings, numbers, booleans, arrays, objects.",
      exitCode: 1,
    });
  }
}

/** A schema without the arguments that are fixed. */
function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties, required } = schema;
  if (names.length === 0 || !isObject(properties ?? null)) return schema;
  const shown = Object.entries(properties as JsonSchema).filter(([key]) => !names.includes(key));
  const needed = Array.isArray(required) ? required.filter((key) => !names.includes(String(key))) : [];
  return { ...schema, properties: Object.fromEntries(shown), required: needed };
}

/** Declared, or read off the arguments; a tool that neither reads nor names paths may still act outside. */
function effectsOf(definition: ToolDefinition, name: string, input: unknown): readonly ToolEffect[] {
  if (definition.effects !== undefined) return definition.effects(input);
  const op = definition.risk === "read" ? "read" : "write";
  const paths = pathsIn(input).map((path): ToolEffect => ({ kind: "path", op, path }));
  if (definition.risk === "read" || paths.length > 0) return paths;
  return [{ kind: "external_write", what: name }];
}

async function answerOf(definition: ToolDefinition, input: unknown, context: ToolContext): Promise<ToolAnswer> {
  const started = definition.run(input, context);
  if (!isGenerator(started)) return started;
  for (;;) {
    const next = await started.next();
    if (next.done === true) return next.value;
    context.progress(next.value);
    if (context.signal.aborted) {
      await started.return(undefined);
      context.signal.throwIfAborted();
    }
  }
}

function outputOf(answer: ToolAnswer): ToolOutput {
  if (typeof answer === "string") return textOutput(answer);
  if (answer === undefined || answer === null) return textOutput("Done.");
  return isOutput(answer) ? answer : textOutput(JSON.stringify(answer, null, 2));
}

const isGenerator = (value: unknown): value is AsyncGenerator<string, ToolAnswer> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

const isOutput = (value: Exclude<ToolAnswer, undefined>): value is ToolOutput =>
  typeof value === "object" && value !== null && "parts" in value && Array.isArray(value.parts) && "isError" in value;

const isObject = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
