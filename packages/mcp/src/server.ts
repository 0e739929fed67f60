import type { ToolOutput } from "@massgen/contracts";
import type { TokenStore } from "./auth/token-store.js";

/** How a server is reached. */
export type McpTransport =
  | {
      readonly kind: "stdio";
      /** The program and its arguments; no shell reads them. */
      readonly argv: readonly string[];
      /** Absolute. */
      readonly cwd: string;
      /** Added to the few variables every server gets. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Until the head of a response. */
      readonly readTimeoutMs: number;
      /** Addresses besides public ones that may be connected to. */
      readonly networks: readonly ("loopback" | "private")[];
      /** Hosts whose addresses are not looked at. */
      readonly trustedHosts: readonly string[];
    };

/** One server of one agent, as the user set it up. */
export interface McpServer {
  /** `A–Z a–z 0–9 _ -`, without `__`: part of the names of its tools. */
  readonly name: string;
  readonly transport: McpTransport;
  /** From the start of the process, or the first request, to the list of tools. */
  readonly connectTimeoutMs: number;
  /** Of one call; progress starts it anew, up to ten times as long in all. */
  readonly callTimeoutMs: number;
  /** Attempts after the first, of calls that may be repeated. */
  readonly maxRetries: number;
  /** Calls under way at once; further ones wait. */
  readonly concurrency: number;
  /** Names or globs, bare or as the model sees them; `null` for all. */
  readonly allowedTools: readonly string[] | null;
  readonly excludedTools: readonly string[];
  /** Names and globs that should mean a tool of this server's: it is told when one does not. */
  readonly expectedTools: readonly string[];
  /** `low`: what the server says of its own harmlessness counts for nothing. */
  readonly trust: "low" | "normal";
  /** `false`: the run does not start without it. */
  readonly isOptional: boolean;
  /** A tool whose definition changes is not called any more. */
  readonly isPinned: boolean;
  /** Names or globs of tools that only read, and of those that destroy, by the word of the user. */
  readonly readOnlyTools: readonly string[];
  readonly destructiveTools: readonly string[];
  /** Adds two tools with which the model lists and reads its resources. */
  readonly exposesResources: boolean;
}

/** What became of a server, for screens and status files. */
export interface ServerReport {
  readonly name: string;
  readonly state: "starting" | "ready" | "failed" | "closed";
  /** Tools that are offered. */
  readonly tools: number;
  /** The cause in one line; `null` while there is none. */
  readonly error: string | null;
}

export type McpLogLevel = "debug" | "info" | "warning" | "error";

/** A question of a server's to the person. */
export interface Elicitation {
  readonly server: string;
  readonly message: string;
  /** `form`: fields by name, a JSON Schema each. `url`: an address to be opened by the person. */
  readonly asks:
    | { readonly kind: "form"; readonly fields: Readonly<Record<string, unknown>>; readonly required: readonly string[] }
    | { readonly kind: "url"; readonly url: string };
}

export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> }
  | { readonly action: "decline" | "cancel" };

/** What servers get from whoever runs them. */
export interface McpHost {
  /** Version of the program, told to servers. */
  readonly version: string;
  /** Variables of the host: a few harmless ones are handed to servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  /** Absolute folders agents may write to: no program in them is started. */
  readonly writableRoots?: readonly string[];
  /** A line about a server, or of its own; standard error included. Never shown on a screen. */
  log(server: string, level: McpLogLevel, line: string): void;
  /** Asks the person, who alone answers. Absent: nobody is there, and every question is declined. */
  elicit?(question: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Tokens of servers that want a login. Absent: none. */
  readonly auth?: TokenStore;
  /** Keeps what does not fit into a result in a file of the agent's; gives its path as the agent knows it, or `null`. */
  save?(name: string, bytes: Uint8Array): Promise<string | null>;
  /** Puts a result that is too long into a file of the agent's and gives what stands for it. Absent: it stays as it is. */
  fit?(tool: string, output: ToolOutput): Promise<ToolOutput>;
  /** What the model can take in, besides text. Default: nothing. */
  readonly input?: readonly string[];
}
