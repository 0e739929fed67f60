/** A file or folder of the person's that agents work on (docs/spec/tools.md 2.2). */
export interface ContextPath {
  /** Absolute. A path that does not exist is taken for a file that may be created. */
  readonly path: string;
  /** `write` counts for the presenter alone, unless the agent has `writesContexts`. */
  readonly permission: "read" | "write";
  /** Readable, never changed: relative to `path` (to the parent of a file) or absolute; a file, a folder with all in it, or a glob. */
  readonly protectedPaths?: readonly string[];
  /** Globs relative to `path` that lift the refusal to read secrets such as `.env`. */
  readonly allowRead?: readonly string[];
  /** Globs relative to `path` that lift the refusal to change names such as `.github/workflows`. */
  readonly allowWrite?: readonly string[];
  /**
   * A copy, absolute, that is used under the name of `path` by whoever may write there: what is done to `path` is done to
   * the copy, and brought back by others. Everybody else has the path itself. Must be there when a presenter first asks.
   */
  readonly standIn?: string;
}

/** What one agent may touch. Paths are absolute. */
export interface AgentGrants {
  /** The agent's own folder, where relative paths start; `null` for an agent without files. */
  readonly workspace: string | null;
  /** Inside the workspace and yet readable only, such as a repository the framework keeps there. */
  readonly workspaceProtected?: readonly string[];
  /** Folders with the copies of peers' files; never writable. */
  readonly views?: readonly string[];
  readonly contexts?: readonly ContextPath[];
  /** Workspaces of earlier turns; never writable. */
  readonly previousTurns?: readonly string[];
  /** Never writable. */
  readonly skills?: readonly string[];
  /** True for an agent without competitors: context paths configured `write` are writable from the start. */
  readonly writesContexts?: boolean;
  /** Absent for an agent that may not run commands. */
  readonly commands?: CommandGrant;
  /** Absent for an agent without network. */
  readonly urls?: UrlRules;
  /** Calls that change something elsewhere, or of which nobody knows what they touch; default `ask`. */
  readonly unconfined?: "allow" | "ask" | "deny";
}

export interface CommandGrant {
  /** Regular expressions; if given, every simple command must match one from its start. */
  readonly allowed?: readonly string[];
  /** Regular expressions; one match anywhere in a simple command refuses, before `allowed` is asked. */
  readonly blocked?: readonly string[];
  /** True when an OS sandbox or a container confines what runs. Without one, commands that are only made up while they run are refused. */
  readonly sandboxed: boolean;
  /** True in a container that was made for `sudo`. */
  readonly allowsSudo?: boolean;
  /** HOME of commands, absolute: theirs to read and write, closed to file tools. */
  readonly home?: string;
}

export interface UrlRules {
  /** `example.org` means that host, `*.example.org` those below it; `null` for every public host. */
  readonly allowedDomains?: readonly string[] | null;
  /** Wins over `allowedDomains`. */
  readonly blockedDomains?: readonly string[];
  /** Addresses that are not public and may be used all the same. Link-local ones, which serve cloud credentials, never may. */
  readonly allowedNetworks?: readonly ("loopback" | "private")[];
}

export type RootKind = "workspace" | "view" | "context" | "context_file" | "previous_turn" | "skills";

/** A grant after one look at the disk; what an agent is shown when it asks where it may work. */
export interface Root {
  readonly kind: RootKind;
  /** As configured. */
  readonly path: string;
  /** With links followed; of a stand-in, where that is. */
  readonly real: string;
  /** Of a stand-in: what it stands for, with links followed. */
  readonly standsFor: string | null;
  /** `later`: writable for the final presenter, which this agent is not now. */
  readonly write: "yes" | "later" | "no";
  readonly protects: readonly Protection[];
  readonly allowsRead: NameTest;
  readonly allowsWrite: NameTest;
  /** True on a volume where `A` and `a` are one file. */
  readonly foldsCase: boolean;
}

/** Tells whether a path relative to its root, with `/` between names, is meant. */
export type NameTest = (relative: string) => boolean;

export interface Protection {
  /** As configured, for messages. */
  readonly written: string;
  /** Names from the root down, when it is also the name of one file or folder. */
  readonly names: readonly string[];
  readonly matches: NameTest;
}
