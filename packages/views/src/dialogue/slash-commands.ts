export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** How its argument is written in the help; `null` when it takes none. */
  readonly argument: string | null;
  readonly help: string;
  /** `known`: of a feature that is not built; typed, it is told and never sent to the agents. */
  readonly status: "built" | "known";
}

const built = (name: string, aliases: readonly string[], argument: string | null, help: string): SlashCommand => ({
  name,
  aliases,
  argument,
  help,
  status: "built",
});
const known = (name: string, aliases: readonly string[], help: string): SlashCommand => ({
  name,
  aliases,
  argument: null,
  help,
  status: "known",
});

/** Every command of interactive mode (docs/spec/cli.md 12.1). Line mode and full screens read this table. */
export const slashCommands: readonly SlashCommand[] = [
  built("help", ["h", "?"], null, "this list"),
  built("status", [], null, "agents, models, session and turn"),
  built("config", [], null, "the config of this conversation; opens it where VISUAL or EDITOR is set"),
  built("clear", ["reset"], null, "forget the conversation, keep the agents"),
  built("quit", ["exit", "q"], null, "leave"),
  built("cancel", [], null, "cancel the running turn; in line mode that is Ctrl+C"),
  built("history", [], null, "what was asked and answered"),
  built("inspect", ["i"], "[N|all|c]", "turn N, a list of all turns, or the last one"),
  built("events", ["o"], "[N]", "the last N events of the last turn (5)"),
  built("timeline", ["t"], null, "the course of the last turn, event by event"),
  built("vote", ["v"], null, "who voted for what in the last turn, and why it was decided so"),
  built("answers", ["b"], "[label]", "the answers of the last turn; with a label such as agent1.1 that one whole"),
  built("output", [], "[agent]", "everything an agent said in the last turn"),
  built("cost", ["c"], null, "tokens and cost of the last turn, and of all turns"),
  built("metrics", ["m"], null, "tools of the last turn: calls, failures, time"),
  built("mcp", ["p"], "[server]", "MCP servers of the team, each started for a look; with a name the tools of that one"),
  built("workspace", ["w"], null, "where the files of the last turn are"),
  built("files", [], null, "the files that came with the last answer"),
  built("save", [], "[path]", "write the last answer to a file (answer.md)"),
  known("context", [], "edit context paths"),
  known("browser", ["u"], "everything in one browser"),
  known("skills", ["k"], "skills on and off"),
  known("inject", [], "text for running agents"),
  known("inject-target", [], "whom injected text is for"),
  known("vim", [], "keys of vim"),
  known("theme", [], "colours"),
];
