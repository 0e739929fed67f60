import type { McpServerDraft } from "@massgen/config";
import type { Prompts } from "./prompts.js";

/** One MCP server: what starts it, or where it is. */
export async function askMcpServer(prompts: Prompts): Promise<McpServerDraft> {
  const place = await prompts.text("Command or address of the server?", {
    placeholder: "npx -y @modelcontextprotocol/server-everything, or https://…",
    refuse: (input) => (input.trim() === "" ? "Type a command or an address." : undefined),
  });
  const name = await prompts.text("Name for it?", {
    initial: nameFor(place),
    refuse: (input) => (/^[A-Za-z][\w-]{0,31}$/.test(input.trim()) ? undefined : "Letters, digits, - and _; a letter first."),
  });
  return readServer(name.trim(), place);
}

/** `npx -y "a server"` as a shell would split it, without a shell. */
export function readServer(name: string, place: string): McpServerDraft {
  const text = place.trim();
  if (/^https?:\/\//.test(text)) return { name, url: text };
  const [command = "", ...args] = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
  return { name, command, args };
}

/** A word of it that says what it is: `server-everything` → `everything`. */
function nameFor(place: string): string {
  const word = /([A-Za-z][\w-]*)\W*$/.exec(place.trim())?.[1] ?? "server";
  return word.replace(/^(?:mcp-)?(?:server-)?|-mcp$|-server$/g, "").slice(0, 32) || "server";
}
