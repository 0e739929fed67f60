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
