import { MassgenError } from "@massgen/contracts";
import type { Given } from "./program.js";
import { type SkillAgent, skillPlaces } from "./skill-places.js";

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
