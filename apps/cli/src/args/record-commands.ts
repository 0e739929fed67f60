import type { CommandEntry } from "./command-entry.js";

/** Commands that look at what runs have left (docs/spec/cli.md 18 to 20). */
export const recordCommands: readonly CommandEntry[] = [
  {
    name: "logs",
    usage: "logs [verb] [options]",
    status: "built",
    help: "look at what runs have left: list, summary, tools, open, grep, analyze",
    about: {
      intro:
        "Looks at logs. summary (default): question, winner, time, tokens and cost of a run; list: the runs of this folder; tools: what was called; open: the folder; grep: a text in questions, answers, votes and tool calls; analyze: a prompt for a coding agent.",
      usage: "[summary|list|tools|open|grep <text>|analyze] [options]",
      operand: ["[words...]", "what to do; for grep also the text to look for"],
      examples: [
        "massgen logs",
        "massgen logs list --limit 20",
        'massgen logs grep "write-through"',
        "massgen logs tools --sort calls --log-dir latest",
      ],
    },
  },
];
