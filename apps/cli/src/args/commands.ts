export interface CommandEntry {
  readonly name: string;
  /** How its arguments are written in the help. */
  readonly usage: string;
  readonly status: "built" | "known";
  readonly help: string;
}

const built = (name: string, usage: string, help: string): CommandEntry => ({ name, usage, status: "built", help });
const known = (name: string, help: string): CommandEntry => ({ name, usage: name, status: "known", help });

/** Command words (docs/spec/cli.md 2). Only the first argument is looked up here; after `--` it is always a question. */
export const commands: readonly CommandEntry[] = [
  built("demo", "demo [options] [question]", "watch a simulated team: no key, no network"),
  built("help", "help [topic]", "help on massgen or on one command"),
  built("replay", "replay <log>", "run the engine again from a recorded log, or tell what is in any other"),
  built("config", "config explain [path]", "every value of a config, and where it comes from"),
  known("serve", "OpenAI-compatible HTTP server"),
  known("export", "bundle or share a log"),
  known("shares", "manage shared bundles"),
  known("logs", "inspect logs"),
  known("viewer", "replay a run on screen"),
  known("compare", "compare runs"),
  known("eval", "evaluate a team on a list of questions"),
  known("doctor", "check the installation"),
  known("completion", "shell completion"),
  known("clean", "remove old logs"),
  known("mcp", "MCP client and server"),
  known("skill", "install the skill pack"),
  known("worker", "worker of several machines"),
];

export const findCommand = (word: string | undefined): CommandEntry | undefined => commands.find((command) => command.name === word);
