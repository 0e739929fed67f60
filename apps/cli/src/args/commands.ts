import type { CommandEntry } from "./command-entry.js";
import { recordCommands } from "./record-commands.js";
import { skillCommand } from "./skill-flags.js";

export type { CommandEntry };

const built = (name: string, usage: string, help: string, about?: CommandEntry["about"]): CommandEntry => ({
  name,
  usage,
  status: "built",
  help,
  ...(about === undefined ? {} : { about }),
});

/** Command words (docs/spec/cli.md 2). Only the first argument is looked up here; after `--` it is always a question. */
export const commands: readonly CommandEntry[] = [
  built("demo", "demo [options] [question]", "watch a simulated team: no key, no network", {
    intro: "Runs a question through a simulated team of three: no key, no network. Everything says that it is simulated.",
    operand: ["[question]", "the task; without it, a prepared one"],
    examples: ["massgen demo", 'massgen demo "What should a cache forget first?"'],
  }),
  built("compare", "compare [options] [question]", "one question to the team and to each agent alone: answers, cost, time", {
    intro:
      "Asks the team and then each of its agents alone the same question, and sets answers, cost, tokens, calls and time side by side.",
    operand: ["[question]", "the task; without it, what is piped in"],
    examples: ['massgen compare --config team.yaml "How many primes are below 100?"', "massgen compare --demo"],
  }),
  built("eval", "eval --dataset <path> [options]", "is a team worth it? questions with known answers, with intervals", {
    intro:
      "Asks a team and each of its agents alone the questions of a data set, grades the answers, and tells with 95 % intervals whether the team is better than its best member, and at what price. Cut off, it goes on with --results.",
    operand: null,
    examples: [
      "massgen eval --dataset @examples/arithmetic --config team.yaml --limit 5",
      "massgen eval --dataset tasks.jsonl --config team.yaml --results tasks-results.jsonl --concurrency 4",
      "massgen eval --demo",
    ],
  }),
  built("help", "help [topic]", "help on one command, or on config, tools, modes, exit-codes"),
  built("replay", "replay <log>", "run the engine again from a recorded log, or tell what is in any other", {
    intro:
      "Runs the engine again from a log that was made with --record, without network, and says where it parts from the log. Of any other log it tells what happened and how it was decided.",
    usage: "[options] <log>",
    operand: ["[log]", "the folder of a log, or: latest"],
    examples: ["massgen replay latest", "massgen replay .massgen/massgen_logs/log_20260102_101529_880000"],
  }),
  built("config", "config explain [path]", "every value of a config, and where it comes from", {
    intro:
      "Shows every value of a config and where it comes from: file, line and column, flag, environment or default. Secrets are never shown. Takes the flags of a run, so that what they change is seen.",
    usage: "explain [options] [path]",
    operand: ["[path]", "a dotted path; without it, every value"],
    examples: [
      "massgen config explain",
      "massgen config explain orchestrator --config team.yaml",
      "massgen config explain agents.ada.backend.model --config team.yaml --json",
    ],
  }),
  built("completion", "completion <shell>", "completion for bash, zsh or fish", {
    intro: "Prints a script that makes a shell complete commands, flags, providers, models and example names.",
    usage: "bash|zsh|fish",
    operand: ["[shell]", "bash, zsh or fish"],
    examples: [
      'eval "$(massgen completion bash)"       # for good: this line in ~/.bashrc',
      "source <(massgen completion zsh)        # for good: this line in ~/.zshrc, after compinit",
      "massgen completion fish | source        # for good: > ~/.config/fish/completions/massgen.fish",
    ],
  }),
  built("doctor", "doctor [options]", "check Node, keys, local servers, sandbox, folders and the config", {
    intro:
      "Checks what a run needs on this machine and says what to do about what is missing. Keys are never shown. Asks only servers on this machine, unless --online is given. Exit code 1 when there is a problem.",
    usage: "[options]",
    operand: null,
    examples: ["massgen doctor", "massgen doctor --online", "massgen doctor --config team.yaml --json"],
  }),
  ...recordCommands,
  built("mcp", "mcp list|tools|call|doctor|serve", "the MCP servers of a config; serve: a team as tools of another agent", {
    intro:
      "Starts the MCP servers of a config and ends them again. list (default): the servers; tools [server]: what they offer; call <tool> [json]: one call by hand; doctor [server]: what is wrong, and what to do about it; login <server> and logout <server>: remote servers that want one. serve is the other way round: a team as the tools massgen_run, massgen_status and massgen_read_answer for Claude Code, Codex, Cursor and others.",
    usage: "[list|tools [server]|call <tool> [json]|doctor [server]|login <server>|logout <server>|serve] [options]",
    operand: ["[words...]", "what to do, and with what"],
    examples: [
      "massgen mcp list --config team.yaml",
      "massgen mcp tools files --config team.yaml",
      `massgen mcp call mcp__files__read_file '{"path": "notes.md"}' --config team.yaml`,
      "massgen mcp doctor --config team.yaml --json",
      "claude mcp add massgen -- massgen mcp serve --config team.yaml",
    ],
  }),
  built("serve", "serve [options]", "a team behind an OpenAI-compatible HTTP API", {
    intro:
      "Answers POST /v1/chat/completions and /v1/responses with a team. Listens on this machine only, unless --host says otherwise and there is a key. The model of a request names the team: massgen for the config given here, massgen/<example>, massgen/path:<file>, massgen/model:<name>.",
    usage: "[options]",
    operand: null,
    examples: [
      "massgen serve --config team.yaml",
      "massgen serve --keys-file keys.txt --new-key alice   # prints a key, keeps its hash",
      "massgen serve --host 0.0.0.0 --keys-file keys.txt --requests-per-minute 30",
    ],
  }),
  skillCommand,
  built("worker", "worker --database-url <url> [options]", "play the runs that servers put into a shared queue", {
    intro:
      "Takes runs out of the queue that massgen serve --database-url fills, plays them, and keeps their logs in the same PostgreSQL. Start as many as there is work for, on any machine. Runs of a worker that dies go on with another. A signal lets runs under way end first.",
    usage: "--database-url <url> [options]",
    operand: null,
    examples: [
      "massgen worker --database-url postgres://massgen@db/massgen --config team.yaml",
      "MASSGEN_DATABASE_URL=postgres://… massgen worker --concurrency 8",
    ],
  }),
];

export const findCommand = (word: string | undefined): CommandEntry | undefined => commands.find((command) => command.name === word);
