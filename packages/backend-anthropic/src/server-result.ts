import type { JsonValue, ToolOutput } from "@massgen/contracts";
import { asJsonObject, isObject, type JsonObject, textOf } from "./json.js";

/** How much of a result nobody has a form for is shown. */
const LONGEST_TEXT = 2000;

/**
 * The result of a call the vendor ran itself, for people: `web_search_tool_result` and its like. `null` for every other
 * block. What the model saw goes back to it in another way, untouched.
 */
export function serverResult(block: JsonObject): { readonly callId: string; readonly output: ToolOutput } | null {
  const callId = textOf(block["tool_use_id"]);
  if (callId === "" || !textOf(block["type"]).endsWith("tool_result")) return null;
  const content = block["content"] ?? null;
  const error = textOf(asJsonObject(content)["error_code"]);
  const text = error === "" ? textOfContent(content) : `Error: ${error}`;
  return {
    callId,
    output: { parts: [{ type: "text", text: text || "(no output)" }], isError: error !== "" || block["is_error"] === true },
  };
}

function textOfContent(content: JsonValue): string {
  if (Array.isArray(content))
    return content
      .map(textOfContent)
      .filter((text) => text !== "")
      .join("\n");
  if (!isObject(content)) return textOf(content);
  const { title, url, text, stdout, stderr } = content;
  if (typeof url === "string") return [title, url].filter((part) => typeof part === "string").join(" — ");
  if (typeof text === "string") return text;
  if (typeof stdout === "string" || typeof stderr === "string")
    return [textOf(stdout), textOf(stderr)].filter((part) => part !== "").join("\n");
  const json = JSON.stringify(content);
  return json.length <= LONGEST_TEXT ? json : `${json.slice(0, LONGEST_TEXT)}…`;
}
