import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { messageOf, oneLine } from "../one-line.js";

/** Why there is no connection to a server, in words for people. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/**
 * What came of a request: `answered` with an error, by the server; `unsent`: it provably never left; `late`: nobody knows
 * what came of it; `broken`: likewise, and the connection is over; `refused`: by a status that another attempt will not change.
 */
export type Failure = "answered" | "unsent" | "late" | "broken" | "refused";

export function classifyFailure(error: unknown): Failure {
  if (error instanceof McpError) {
    if (error.code === ErrorCode.RequestTimeout) return "late";
    return error.code === ErrorCode.ConnectionClosed ? "broken" : "answered";
  }
  if (error instanceof ServerFault || (error instanceof Error && error.message === "Not connected")) return "unsent";
  // A result that is none.
  if (error instanceof Error && "issues" in error) return "answered";
  if (UNREACHED.includes(codeIn(error) ?? "")) return "unsent";
  const status = statusOf(error);
  // The server has forgotten the session and did nothing.
  if (status === 404) return "unsent";
  return status !== null && status >= 400 && status < 500 ? "refused" : "broken";
}

const UNREACHED: readonly string[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];

/** What an HTTP server answered with; `null` for anything else. */
const statusOf = (error: unknown): number | null =>
  error instanceof Error && "code" in error && typeof error.code === "number" && error.code >= 100 && error.code < 600 ? error.code : null;

function codeIn(error: unknown): string | null {
  let at = error;
  while (at instanceof Error) {
    if ("code" in at && typeof at.code === "string") return at.code;
    at = at.cause;
  }
  return null;
}

/** In words for people, without what libraries put in front. */
export function wordsOf(error: unknown): string {
  const status = statusOf(error);
  if (status === 401 || (error instanceof Error && error.name === "UnauthorizedError"))
    return "it wants a login (HTTP 401): 'massgen mcp login' makes one, or set a header";
  const code = codeIn(error);
  if (code !== null && UNREACHED.includes(code)) return `it cannot be reached (${code})`;
  if (error instanceof Error && "issues" in error) return "its answer is none of the protocol";
  // The network's own words are behind those of the client.
  if (error instanceof TypeError && error.cause instanceof Error) return wordsOf(error.cause);
  const text = messageOf(error)
    .replace(/^MCP error -?\d+: /, "")
    .replace(/^Streamable HTTP error: /, "");
  if (status !== null) return `it answered with HTTP ${status}: ${oneLine(text.replace(/^Error POSTing to endpoint: /, ""), 200)}`;
  return text === "" ? "it failed without saying why" : text;
}
