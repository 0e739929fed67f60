import type { Flag } from "./flag.js";
import { textOf } from "./given-values.js";
import type { Given } from "./program.js";
import type { Read } from "./record-request.js";

/** What `massgen mcp` is asked for. `server`: `null` for all of the config. */
export type McpRequest = { readonly kind: "mcp"; readonly config: string | null; readonly json: boolean } & (
  | { readonly verb: "list" | "tools" | "doctor"; readonly server: string | null }
  | { readonly verb: "call"; readonly tool: string; readonly input: { readonly [name: string]: unknown } }
  | { readonly verb: "login" | "logout"; readonly server: string }
);

const ONLY_SERVE: readonly Flag["name"][] = [
  "--http",
  "--host",
  "--port",
  "--default-model",
  "--api-key",
  "--keys-file",
  "--insecure",
  "--max-concurrent",
  "--requests-per-minute",
];
const VERBS = ["list", "tools", "call", "doctor", "login", "logout"] as const;

export function mcpRequest(given: Given, operands: readonly string[]): Read<McpRequest> {
  const [word = "list", first, second, spare] = operands;
  const verb = VERBS.find((name) => name === word);
  if (verb === undefined) return { fault: `mcp has no ${JSON.stringify(word)}; it has ${VERBS.join(", ")}, serve` };
  const misplaced = ONLY_SERVE.find((name) => given.has(name));
  if (misplaced !== undefined) return { fault: `${misplaced} does not go with mcp ${verb}; it goes with mcp serve` };
  const excess = verb === "call" ? spare : second;
  if (excess !== undefined) return { fault: `unexpected argument ${JSON.stringify(excess)}` };
  const common = { kind: "mcp", config: textOf(given, "--config"), json: given.has("--json") } as const;
  switch (verb) {
    case "list":
    case "tools":
    case "doctor":
      return { ...common, verb, server: first ?? null };
    case "login":
    case "logout":
      return first === undefined ? { fault: `mcp ${verb} needs the name of a server` } : { ...common, verb, server: first };
    case "call": {
      if (first === undefined) return { fault: "mcp call needs the name of a tool, and its arguments as a JSON object" };
      const input = readInput(second ?? "{}");
      return input === null
        ? { fault: `the arguments of ${first} must be a JSON object, as '{"q": "lamp"}'` }
        : { ...common, verb, tool: first, input };
    }
  }
}

function readInput(text: string): { readonly [name: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as { readonly [name: string]: unknown }) : null;
  } catch {
    return null;
  }
}
