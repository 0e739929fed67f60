import { legalToolName, type ToolNames } from "@massgen/backend-kit";

/** Names as Gemini takes them: like the kit's, and the first character is a letter or `_`. */
function geminiToolName(tool: string): string {
  const name = legalToolName(tool);
  // The "!" is legal nowhere, so a hash follows, and "9lives" and "_9lives" stay two tools.
  return /^[A-Za-z_]/.test(name) ? name : legalToolName(`_${tool}!`);
}

export function geminiToolNames(tools: readonly string[]): ToolNames {
  const originals = new Map(tools.map((tool) => [geminiToolName(tool), tool]));
  return { toWire: geminiToolName, fromWire: (name) => originals.get(name) ?? name };
}
