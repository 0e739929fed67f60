import type { ToolChoice, ToolSpec } from "@massgen/contracts";
import { ApiError, badRequest } from "../errors.js";
import type { ChatRequest } from "./chat-request.js";

/** Names that mean something in the coordination, whether or not a run uses them (docs/spec/cli.md 17.7). */
const RESERVED = new Set([
  "new_answer",
  "vote",
  "stop",
  "submit",
  "restart_orchestration",
  "ask_others",
  "respond_to_broadcast",
  "check_broadcast_status",
  "get_broadcast_responses",
  "checkpoint",
]);
const RESERVED_PREFIXES = ["mcp__", "custom_tool__"];

/** Tools of the client, for the presenter. */
export interface ClientTools {
  readonly tools: readonly ToolSpec[];
  readonly choice: ToolChoice;
}

/** @throws ApiError 400 for a name that is taken or given twice, and for a choice among tools that are not there */
export function readClientTools({ tools, tool_choice: choice }: Pick<ChatRequest, "tools" | "tool_choice">): ClientTools {
  const specs = (tools ?? []).map(
    ({ function: { name, description, parameters } }): ToolSpec => ({
      name,
      description: description ?? "",
      input: parameters ?? { type: "object", properties: {} },
    }),
  );
  checkNames(specs.map(({ name }) => name));
  if (typeof choice === "object" && choice !== null) {
    const { name } = choice.function;
    if (!specs.some((spec) => spec.name === name))
      throw badRequest(`\`tool_choice\` names ${JSON.stringify(name)}, which is not in \`tools\`.`, "tool_choice", "unknown_tool");
    return { tools: specs, choice: { tool: name } };
  }
  if (choice === "required" && specs.length === 0)
    throw badRequest("`tool_choice` is required, and there are no `tools`.", "tool_choice", "no_tools");
  if (choice === "none") return { tools: [], choice: "auto" };
  const [only] = specs;
  // "Required" would also allow a tool of the coordination; one tool can be named.
  return {
    tools: specs,
    choice: choice !== "required" ? "auto" : specs.length === 1 && only !== undefined ? { tool: only.name } : "required",
  };
}

function checkNames(names: readonly string[]): void {
  const collisions = names.filter((name) => RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix)));
  if (collisions.length > 0) {
    const message = "Client tool names collide with reserved MassGen workflow tools";
    const error = { message, type: "invalid_request_error", code: "tool_name_conflict" };
    // Older clients read the report below `detail`.
    throw new ApiError(400, message, {
      param: "tools",
      code: error.code,
      extra: { collisions, detail: { error, collisions } },
    });
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw badRequest(`Two tools are called ${JSON.stringify(twice)}.`, "tools", "duplicate_tool");
}
