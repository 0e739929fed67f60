import type { McpServer } from "../server.js";
import { meansAny, meansTool } from "./match-name.js";
import { isRecord, type ListedTool, readTool } from "./read-tool.js";

export interface ChosenTools {
  readonly tools: readonly ListedTool[];
  /** What was left out that nobody asked to be, and filters that mean no tool: a sentence each. */
  readonly problems: readonly string[];
}

type Filters = Pick<McpServer, "name" | "allowedTools" | "excludedTools" | "expectedTools">;

/** The tools of a server that are offered: those that are allowed, without those that are excluded, in its order. */
export function chooseTools(entries: readonly unknown[], server: Filters): ChosenTools {
  const problems: string[] = [];
  const all = new Map<string, ListedTool>();
  for (const entry of entries) {
    const tool = readTool(entry);
    if (typeof tool === "string") problems.push(tool);
    else if (all.has(tool.name)) problems.push(`the tool ${JSON.stringify(tool.name)} is listed twice; the first one counts`);
    else all.set(tool.name, tool);
  }
  const { name, allowedTools, excludedTools } = server;
  const tools = [...all.values()].filter(
    (tool) => (allowedTools === null || meansAny(allowedTools, name, tool.name)) && !meansAny(excludedTools, name, tool.name),
  );
  return { tools, problems: [...problems, ...idleFilters([...all.keys()], server)] };
}

/** Expectations that mean none of its tools: typing errors, as a rule. */
function idleFilters(known: readonly string[], { name, expectedTools }: Filters): readonly string[] {
  const idle = expectedTools.filter((pattern) => isOf(name, pattern) && !known.some((tool) => meansTool(pattern, name, tool)));
  return idle.map((pattern) => `no tool of this server is called ${JSON.stringify(pattern)}`);
}

/** Names with the prefix of another server are none of this one's. */
const isOf = (server: string, pattern: string): boolean => !pattern.startsWith("mcp__") || pattern.startsWith(`mcp__${server}__`);

const MOST_PAGES = 64;
const MOST_TOOLS = 1000;

/** All pages of a list, until the server has no more, repeats itself or goes on without end. */
export async function readPages(
  ask: (cursor: string | null) => Promise<unknown>,
  key: "tools" | "resources",
): Promise<{ readonly entries: readonly unknown[]; readonly problem: string | null }> {
  const entries: unknown[] = [];
  const asked = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(cursor);
    const listed = isRecord(answer) ? answer[key] : undefined;
    if (!Array.isArray(listed)) throw new Error(`it answered ${key}/list with something that is no list`);
    entries.push(...listed);
    const next = isRecord(answer) ? answer["nextCursor"] : undefined;
    if (typeof next !== "string" || next === "") return { entries, problem: null };
    if (asked.has(next)) return { entries, problem: "it hands out the same page again and again; the first ones count" };
    if (entries.length >= MOST_TOOLS)
      return { entries: entries.slice(0, MOST_TOOLS), problem: `it lists more than ${MOST_TOOLS} ${key}; the first ones count` };
    asked.add(next);
    cursor = next;
  }
  return { entries, problem: `its list has more than ${MOST_PAGES} pages; the first ones count` };
}
