import type { CommandEntry } from "./command-entry.js";
import type { Flag } from "./flag.js";
import { skillPlaces } from "./skill-places.js";

const flag = (name: Flag["name"], value: Flag["value"], help: string, more: Partial<Flag> = {}): Flag => ({
  name,
  value,
  help,
  section: "Skill",
  status: "built",
  commands: ["skill"],
  ...more,
});

export const skillFlags: readonly Flag[] = [
  flag(
    "--agent",
    { name: "name", kind: { choices: Object.keys(skillPlaces) } },
    "install for this program (default: those on this machine)",
    {
      repeatable: true,
    },
  ),
  flag("--project", null, "install into this folder instead of your home"),
  flag("--force", null, "replace a skill of that name that is not ours"),
];

export const skillCommand: CommandEntry = {
  name: "skill",
  usage: "skill install|show",
  status: "built",
  help: "teach coding agents to ask a team: a skill for Claude Code, Codex, Cursor, Gemini CLI, Copilot",
  about: {
    intro: "Installs a skill that tells coding agents when and how to ask a team, or prints it. Run it again after an update of massgen.",
    usage: "install|show [options]",
    operand: ["[verb]", "install or show"],
    examples: ["massgen skill install", "massgen skill install --agent claude --project", "massgen skill show"],
  },
};
