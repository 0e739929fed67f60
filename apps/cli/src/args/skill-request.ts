import { MassgenError } from "@massgen/contracts";
import type { Given } from "./program.js";

/** Programs that read skills, and where: below the home, and below a project. */
export type SkillAgent = "claude" | "codex" | "cursor" | "gemini" | "copilot";
interface SkillPlace {
  readonly home: string;
  readonly project: string;
  /** A folder that says that the program is there. */
  readonly sign: string;
}
export const skillPlaces: Readonly<Record<SkillAgent, SkillPlace>> = {
  claude: { home: ".claude/skills", project: ".claude/skills", sign: ".claude" },
  codex: { home: ".agents/skills", project: ".agents/skills", sign: ".codex" },
  cursor: { home: ".cursor/skills", project: ".cursor/skills", sign: ".cursor" },
  gemini: { home: ".gemini/skills", project: ".gemini/skills", sign: ".gemini" },
  copilot: { home: ".copilot/skills", project: ".github/skills", sign: ".copilot" },
};

export interface SkillRequest {
  readonly kind: "skill";
  readonly verb: "install" | "show";
  /** Empty: those that are on this machine. */
  readonly agents: readonly SkillAgent[];
  readonly project: boolean;
  readonly force: boolean;
}

const agents = Object.keys(skillPlaces) as SkillAgent[];

/** @throws MassgenError `USAGE` */
export function skillRequest(given: Given, [verb, more]: readonly string[]): SkillRequest {
  if ((verb !== "install" && verb !== "show") || more !== undefined)
    throw new MassgenError(
      "USAGE",
      `skill takes a verb: install or show${verb === undefined ? "" : `, not ${JSON.stringify(more ?? verb)}`}`,
      {
        exitCode: 2,
        hint: "usage: massgen skill install [--agent <name>] [--project] [--force]",
      },
    );
  return {
    kind: "skill",
    verb,
    agents: agents.filter((name) => given.get("--agent")?.includes(name)),
    project: given.has("--project"),
    force: given.has("--force"),
  };
}
