import type { CommandEntry } from "./command-entry.js";

/** Commands that look at what runs have left (docs/spec/cli.md 18 to 20). */
export const recordCommands: readonly CommandEntry[] = [
  {
    name: "logs",
    usage: "logs [verb] [options]",
    status: "built",
    help: "look at what runs have left: list, summary, tools, open, grep, import, analyze",
    about: {
      intro:
        "Looks at logs. summary (default): question, winner, time, tokens and cost of a run; list: the runs of this folder; tools: what was called; open: the folder; grep: a text in questions, answers, votes and tool calls; import: a log of MassGen in Python, as one of ours; analyze: a prompt for a coding agent.",
      usage: "[summary|list|tools|open|grep <text>|import <folder>|analyze] [options]",
      operand: ["[words...]", "what to do; for grep also the text to look for, for import the folder"],
      examples: [
        "massgen logs",
        "massgen logs list --limit 20",
        'massgen logs grep "write-through"',
        "massgen logs tools --sort calls --log-dir latest",
      ],
    },
  },
  {
    name: "export",
    usage: "export [options] [log]",
    status: "built",
    help: "a run as one page, folder or zip that a colleague can open, or as a secret gist",
    about: {
      intro:
        "Writes a run as one HTML page that needs nothing else (question, answers, votes, decision, timeline, cost), or with its files as a folder or a zip. Keys are taken out once more. Nothing is uploaded without --gist.",
      usage: "[options] [log]",
      operand: ["[log]", "the folder of a log, its name, or: latest (default)"],
      examples: ["massgen export", "massgen export --output record.zip", "massgen export --dry-run --verbose", "massgen export --gist"],
    },
  },
  {
    name: "shares",
    usage: "shares list|delete <id>",
    status: "built",
    help: "secret gists made by massgen export --gist",
    about: {
      intro: "Lists the gists that massgen export has made, or deletes one of them. Others are never touched. Needs gh.",
      usage: "list|delete <id> [options]",
      operand: ["[words...]", "list, or delete and an id"],
      examples: ["massgen shares list", "massgen shares delete 0123456789abcdef"],
    },
  },
  {
    name: "viewer",
    usage: "viewer [options] [log]",
    status: "built",
    help: "a run as it went, at any speed, while it runs or long after",
    about: {
      intro:
        "Shows a run as it went, on the screen of runs. Without --replay-speed as it happened with long waits cut short; into a pipe at once. A run that is under way is followed. Only reads. With --web as a page in the browser, with all runs of this folder, until Ctrl+C.",
      usage: "[options] [log]",
      operand: ["[log]", "the folder of a log, its name, latest (default), or - for lines on standard input"],
      examples: [
        "massgen viewer",
        "massgen viewer --replay-speed 20 latest",
        "massgen viewer --web",
        "ssh host cat log/events.jsonl | massgen viewer -",
      ],
    },
  },
  {
    name: "clean",
    usage: "clean [options]",
    status: "built",
    help: "remove old logs and conversations; never what is in use",
    about: {
      intro:
        "Removes logs of this folder, with the conversations they are the record of, that were not used for 30 days (or --older-than), or the oldest until the rest fits into --max-size. Shows them and asks. Never what is in use or was changed in the last ten minutes.",
      usage: "[options]",
      operand: null,
      examples: ["massgen clean --dry-run", "massgen clean --older-than 8w", "massgen clean --max-size 2GB --yes"],
    },
  },
];
