import type { PathOp, ToolContext, ToolEffect, ToolHandler, ToolOutput } from "@massgen/contracts";
import type { FileKnowledge } from "@massgen/policy";
import type { z } from "zod";
import { renameArguments } from "../aliases.js";
import { checkInput, inputSchema, pollutingKey } from "../input-schema.js";
import { errorOutput, textOutput } from "../tool-output.js";
import type { Access } from "./files/access.js";
import { Refusal, refusalText, systemCode } from "./files/refusal.js";
import type { FileToolLimits } from "./limits.js";

/** What a file tool works with during one call. */
export interface FileJob {
  readonly access: Access;
  readonly knowledge: FileKnowledge;
  readonly limits: FileToolLimits;
  readonly rules: FileToolRules;
  /** What the agent was given. */
  roots(): Promise<readonly GrantedRoot[]>;
  /** The ripgrep program; `null` when there is none. */
  ripgrep(): Promise<string | null>;
  readonly signal: AbortSignal;
}

/** A folder or file an agent was given, as it is shown to it. `later`: writable for the final presenter. */
export interface GrantedRoot {
  readonly kind: string;
  readonly path: string;
  readonly write: "yes" | "later" | "no";
}

export interface FileToolRules {
  /** `false` lets an agent delete files it has not read. Default true. */
  readonly readBeforeDelete: boolean;
  /** `false` lets an agent overwrite and edit files it has not read. Default true. */
  readonly readBeforeOverwrite: boolean;
  /** The tool that reads pictures, sound and documents, named where a text tool refuses one; `null` when there is none. */
  readonly mediaTool: string | null;
}

/** One tool: its arguments, what it would touch, what it does. `run` gives the text for the model or throws a refusal. */
export interface FileTool<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly risk: ToolHandler["risk"];
  effects(input: Input): readonly ToolEffect[];
  run(input: Input, job: FileJob): Promise<string>;
}

/** A tool whose schema has made sure of its arguments. */
export type AnyFileTool = FileTool<unknown>;

export const pathEffect = (op: PathOp, path: string): ToolEffect => ({ kind: "path", op, path });

/** Ties the arguments of `effects` and `run` to the schema. */
export const fileTool = <Input>(tool: FileTool<Input>): AnyFileTool => tool;

const TIMEOUT_MS = 60_000;

export interface FileToolSetting {
  startJob(context: ToolContext): Promise<FileJob>;
  /** Makes a result fit that is too long. */
  finish(output: ToolOutput): Promise<ToolOutput>;
}

/** Makes a handler of a file tool. Arguments under the names they had in other tools are taken under their present ones. */
export function fileHandler(tool: AnyFileTool, { startJob, finish }: FileToolSetting): ToolHandler {
  const schema = inputSchema(tool.input);
  const known = new Set(Object.keys((schema["properties"] ?? {}) as object));
  return {
    spec: { name: tool.name, description: tool.description, input: schema },
    risk: tool.risk,
    timeoutMs: TIMEOUT_MS,
    effects: (input) => {
      const given = renameArguments(input, known);
      const parsed = pollutingKey(given, "") === null ? tool.input.safeParse(given) : null;
      // Arguments that do not fit never reach a file: `run` refuses them and says why.
      return parsed?.success === true ? tool.effects(parsed.data) : [];
    },
    run: async (input, context) => {
      const checked = await checkInput(tool.input, renameArguments(input, known));
      if (!checked.ok)
        return errorOutput(`Error [INVALID_ARGS]: The arguments of ${tool.name} do not fit and nothing was done.\n${checked.problems}`);
      try {
        return await finish(textOutput(await tool.run(checked.value, await startJob(context))));
      } catch (error) {
        const text = context.signal.aborted ? null : errorText(tool.name, error);
        if (text === null) throw error;
        return errorOutput(text);
      }
    },
  };
}

/** System calls fail with real paths in their messages, which an agent is not shown. `null` for a fault of our own. */
function errorText(tool: string, error: unknown): string | null {
  if (error instanceof Refusal) return refusalText(error);
  const code = systemCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") return "Error [IO_FAILED]: The disk is full. Nothing was changed.";
  if (code === "EACCES" || code === "EPERM")
    return "Error [IO_FAILED]: The system does not permit it (the mode of the file or its directory).";
  if (code === "ENAMETOOLONG") return "Error [INVALID_PATH]: The path or a name in it is too long for this file system.";
  return code === "" ? null : `Error [IO_FAILED]: ${tool} failed with ${code}. Nothing more was done.`;
}
