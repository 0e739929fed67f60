import type { ToolDefinition } from "../../define-tool.js";

/**
 * The tool a module exports: with a name, the export or the tool called so; without, its default or its only one. A text
 * is what is wrong with the module, to be read after its path.
 */
export function definitionIn(loaded: unknown, wanted: string | null): ToolDefinition | string {
  const exported = Object.entries(typeof loaded === "object" && loaded !== null ? loaded : {});
  const tools = exported.filter((one): one is [string, ToolDefinition] => isDefinition(one[1]));
  if (wanted !== null) {
    const found = tools.find(([key]) => key === wanted) ?? tools.find(([, tool]) => tool.name === wanted);
    if (found !== undefined) return found[1];
    const other = exported.find(([key]) => key === wanted);
    if (other !== undefined) return `exports "${wanted}", but that is no tool: ${whatIsMissing(other[1])}`;
    const names = tools.map(([, tool]) => `"${tool.name}"`);
    return `has no tool "${wanted}"${names.length === 0 ? "" : `, but ${names.join(", ")}`}`;
  }
  const only = tools.find(([key]) => key === "default") ?? (new Set(tools.map(([, tool]) => tool)).size === 1 ? tools[0] : undefined);
  if (only !== undefined) return only[1];
  return tools.length === 0 ? "exports no tool; make one with defineTool" : "exports several tools; name the one meant with function";
}

const isDefinition = (value: unknown): boolean => whatIsMissing(value) === null;

/** The first thing that keeps a value from being a tool; `null` when nothing does. */
function whatIsMissing(value: unknown): string | null {
  if (typeof value === "function") return "it is a bare function; wrap it in defineTool({ name, description, input, run })";
  if (typeof value !== "object" || value === null) return "it is no object";
  const { name, description, input, run } = value as Partial<Record<keyof ToolDefinition, unknown>>;
  if (typeof name !== "string") return "it has no name";
  if (typeof description !== "string") return "it has no description";
  if (typeof run !== "function") return "it has no function run";
  if (typeof input !== "object" || input === null || !("_zod" in input)) return "its input is no schema of zod 4";
  return null;
}
