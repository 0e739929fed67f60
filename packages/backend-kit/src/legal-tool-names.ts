/** What OpenAI-style APIs accept; the strictest of all vendors in use. */
const LONGEST_NAME = 64;
const ILLEGAL = /[^A-Za-z0-9_-]/g;

export interface ToolNames {
  /** The name as the vendor gets it. */
  toWire(tool: string): string;
  /** The tool a vendor's name stands for; a name that was never sent comes back as it is. */
  fromWire(name: string): string;
}

/**
 * The name of a tool as every vendor accepts it: at most 64 of `A–Z a–z 0–9 _ -`. A legal name stays; any other is cleaned
 * and gets a hash of the original behind it, so that two names that clean alike or differ only at the end stay apart. Depends on
 * nothing but the name: it is the same in every request and every run.
 *
 * @example legalToolName("mcp__knowledge__files.read") // => "mcp__knowledge__files_read_1i0o8aw03j4g72"
 */
export function legalToolName(tool: string): string {
  const cleaned = tool.replace(ILLEGAL, "_");
  if (cleaned === tool && tool !== "" && tool.length <= LONGEST_NAME) return tool;
  const hash = hashOf(tool);
  return `${cleaned.slice(0, LONGEST_NAME - hash.length - 1) || "tool"}_${hash}`;
}

/** The two directions for the tools of one request. */
export function legalToolNames(tools: readonly string[]): ToolNames {
  const originals = new Map(tools.map((tool) => [legalToolName(tool), tool]));
  return { toWire: legalToolName, fromWire: (name) => originals.get(name) ?? name };
}

/** 64 bits of FNV-1a over the UTF-16 units, as base 36: not secret, only stable and short. */
function hashOf(text: string): string {
  return `${fnv1a(text, 0x811c9dc5).toString(36).padStart(7, "0")}${fnv1a(text, 0x1b873593).toString(36).padStart(7, "0")}`;
}

function fnv1a(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}
