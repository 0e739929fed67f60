import { z } from "zod";
import { defineTool, type ToolDefinition } from "../../define-tool.js";

/** What stands in for a function of the Python MassGen (docs/spec/config.md 7.1). */
export type PythonTool =
  /** A tool agents with that ability have anyway. */
  | { readonly type: "built_in"; readonly tool: string }
  /** Made for this name. */
  | { readonly type: "own"; readonly definition: ToolDefinition }
  /** There is none; `why` is a sentence for the user. */
  | { readonly type: "absent"; readonly why: string };

const twoNumTool = defineTool({
  name: "two_num_tool",
  description: "Add two numbers.",
  input: z.object({ x: z.number().describe("The first number."), y: z.number().describe("The second number.") }),
  risk: "read",
  run: ({ x, y }) => `The sum of ${x} and ${y} is ${x + y}.`,
});

const BUILT_IN: Readonly<Record<string, string>> = {
  read_file_content: "read_file",
  save_file_content: "write_file",
  append_file_content: "edit_file",
  run_python_script: "execute_command",
  run_shell_script: "execute_command",
};

const ABSENT: readonly { readonly names: RegExp; readonly why: string }[] = [
  { names: /^wrong_two_num_tool$/, why: "it is the broken example of the Python version and never loads" },
  { names: /^understand_(?:image|video|audio|file)$/, why: "there is no tool yet that reads pictures, sound or documents" },
  { names: /_generation$/, why: "there is no tool yet that makes pictures, sound, video or documents" },
  { names: /(?:^|_)computer_use$|^browser_automation$/, why: "agents cannot control a computer or a browser yet" },
  { names: /^crawl4ai_/, why: "there is no web crawler; an MCP server can bring one" },
  { names: /_lesson_planner$/, why: "it runs a Python agent framework, which this implementation cannot load" },
  { names: /^fetch_github_issues$/, why: "there is no such tool; GitHub's MCP server can bring it" },
];

/** The stand-in for a Python function by its name; `null` for a name the Python version did not ship. */
export function pythonTool(name: string): PythonTool | null {
  if (name === twoNumTool.name) return { type: "own", definition: twoNumTool };
  const tool = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  if (tool !== undefined) return { type: "built_in", tool };
  const known = ABSENT.find(({ names }) => names.test(name));
  return known === undefined ? null : { type: "absent", why: known.why };
}
