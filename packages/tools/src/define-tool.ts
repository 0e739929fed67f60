import type { JsonValue, ToolContext, ToolEffect, ToolHandler, ToolOutput } from "@massgen/contracts";
import type { z } from "zod";

/**
 * What a tool gives back: text, a whole result with pictures, or a value that the model sees as JSON. An async generator
 * yields notes for people, which the model never sees, and returns the result.
 */
export type ToolAnswer = string | ToolOutput | JsonValue | undefined;

export interface ToolDefinition<Schema extends z.ZodType = z.ZodType> {
  /** Letters, digits, `_` and `-`, at most 64; not the name of a workflow tool such as `vote`. */
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** `read` runs beside other reading tools. Default `external`: it may do something outside. */
  readonly risk?: ToolHandler["risk"];
  /** Milliseconds, default 300 000. */
  readonly timeoutMs?: number;
  /**
   * What a call would touch; judged before it runs. When left out, arguments that are named like paths (`path`,
   * `output_file`, `src`) are taken for paths that are read, or written unless `risk` is `read`.
   */
  effects?(input: z.output<Schema>): readonly ToolEffect[];
  /** Gets checked arguments. What it throws becomes an error result with its message, without its stack. */
  run(input: z.output<Schema>, context: ToolContext): ToolAnswer | Promise<ToolAnswer> | AsyncGenerator<string, ToolAnswer>;
}

/** A tool of your own. Gives the definition back, with the arguments of `run` typed by the schema. */
export const defineTool = <Schema extends z.ZodType>(definition: ToolDefinition<Schema>): ToolDefinition<Schema> => definition;
