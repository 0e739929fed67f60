/** What an agent is told of the files it can reach. Paths are absolute. */
export interface AgentFiles {
  /** Its own folder, writable. */
  readonly workspace: string;
  /** Where it can read the files of others' answers, below `agent1/`, `agent2/`, …; `null` when there are no others. */
  readonly peers: string | null;
  /** The user's files and folders. `write`: to be changed by whoever presents the result. */
  readonly contexts: readonly { readonly path: string; readonly access: "read" | "write" }[];
  /** It may write them at once, because it has no competitors. */
  readonly writesAtOnce?: boolean;
  /** The workspace has `scratch/` for drafts and `deliverable/` for what counts. */
  readonly hasTiers?: boolean;
  /** Files of earlier turns of the conversation, readable. `last`: the turn a copy of whose files its workspace starts with. */
  readonly earlierTurns?: {
    readonly readable: readonly { readonly turn: number; readonly path: string }[];
    readonly last: number | null;
  };
}

/** Where its files are and what it may do with them; `null` for an agent without any (docs/spec/coordination.md 3.1). */
export function files(view: AgentFiles | undefined): string | null {
  if (view === undefined) return null;
  const { workspace, peers, contexts, writesAtOnce = false, hasTiers = false, earlierTurns } = view;
  const lines = [
    `Your workspace is ${workspace}. Relative paths start there, and what you make there is part of your answer; in the answer name files by their path and do not repeat their contents.`,
  ];
  if (hasTiers)
    lines.push(
      "It has two folders: scratch/ for drafts and experiments, deliverable/ for what counts. Put everything that belongs to your answer into deliverable/. Judge the answers of others by their deliverable/.",
    );
  if (peers !== null)
    lines.push(
      `The files behind the answers you are shown stand below ${peers}, in a folder for each agent (agent1, agent2, …). You can read them and copy from them; you cannot change them.`,
    );
  if (earlierTurns !== undefined) {
    const all = earlierTurns.readable.map(({ turn, path }) => `turn ${turn}: ${path}`).join(", ");
    const copied =
      earlierTurns.last === null ? "" : ` A copy of those of turn ${earlierTurns.last} was put into your workspace at the start.`;
    lines.push(`The files that came of earlier turns of this conversation, for you to read, not to change: ${all}.${copied}`);
  }
  const read = contexts.filter(({ access }) => access === "read").map(({ path }) => path);
  const write = contexts.filter(({ access }) => access === "write").map(({ path }) => path);
  if (read.length > 0) lines.push(`The user lets you read: ${read.join(", ")}.`);
  if (write.length > 0)
    lines.push(
      writesAtOnce
        ? `The user lets you read and change: ${write.join(", ")}. The result belongs there.`
        : `The user wants the result in: ${write.join(", ")}. For now you can only read it: work on copies in your workspace. Whoever presents the final answer will be able to write there.`,
    );
  return `<files>\n${lines.join("\n")}\n</files>`;
}
