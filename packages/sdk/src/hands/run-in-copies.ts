import type { JsonValue, ToolContext, ToolHandler, ToolOutput } from "@massgen/contracts";
import { rewritePaths } from "@massgen/workspace";

interface StandIn {
  readonly path: string;
  readonly source: string;
}

/**
 * Runs a command on copies where no sandbox can show them under the names of what they stand for: the names are changed in
 * the command, and back in what it prints.
 */
export async function runInCopies(
  tool: ToolHandler,
  input: JsonValue,
  context: ToolContext,
  standIns: readonly StandIn[],
): Promise<ToolOutput> {
  const there = standIns.map(({ path, source }) => ({ from: path, to: source }));
  const back = standIns.map(({ path, source }) => ({ from: source, to: path }));
  const output = await tool.run(renamed(input, there), context);
  return { ...output, parts: output.parts.map((part) => (part.type === "text" ? { ...part, text: rewritePaths(part.text, back) } : part)) };
}

function renamed(input: JsonValue, rules: Parameters<typeof rewritePaths>[1]): JsonValue {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const names = ["command", "work_dir"];
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      names.includes(key) && typeof value === "string" ? rewritePaths(value, rules) : value,
    ]),
  );
}
