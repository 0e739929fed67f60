import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MassgenError } from "@massgen/contracts";
import { type SkillAgent, skillPlaces } from "../args/skill-places.js";
import type { SkillRequest } from "../args/skill-request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";

/** What tells a copy of ours, of whichever version, from a skill of the user's that has the same name. */
const OURS = /^ {2}program: massgen$/m;

/** `massgen skill install|show`: the skill that tells coding agents when and how to ask a team. */
export async function skill({ verb, agents, project, force }: SkillRequest, io: Io): Promise<ExitCode> {
  const source = skillDir();
  if (verb === "show") {
    io.out.write(await readFile(join(source, "SKILL.md"), "utf8"));
    return 0;
  }
  const home = io.env["HOME"] || homedir();
  const chosen = agents.length > 0 ? agents : present(home, project ? io.cwd : null);
  if (chosen.length === 0)
    throw new MassgenError("USAGE", "No program that reads skills was found on this machine.", {
      exitCode: 1,
      hint: `Name one: massgen skill install --agent ${Object.keys(skillPlaces).join("|")}`,
    });
  const places = new Map(chosen.map((agent) => [placeOf(agent, project ? io.cwd : home, project), agent]));
  // All are looked at before one is written.
  for (const place of places.keys()) if (!force) await refuseForeign(place);
  for (const [place, agent] of places) {
    await rm(place, { recursive: true, force: true });
    await mkdir(dirname(place), { recursive: true });
    await cp(source, place, { recursive: true });
    io.out.write(`${agent}: ${place}\n`);
  }
  return 0;
}

const placeOf = (agent: SkillAgent, root: string, project: boolean): string =>
  join(root, skillPlaces[agent][project ? "project" : "home"], "massgen");

/** Programs that have a folder of their own here; in a project, those of the project, else those of the machine. */
function present(home: string, project: string | null): readonly SkillAgent[] {
  const all = Object.keys(skillPlaces) as SkillAgent[];
  const below = (root: string): readonly SkillAgent[] => all.filter((agent) => existsSync(join(root, skillPlaces[agent].sign)));
  const ofProject = project === null ? [] : below(project);
  return ofProject.length > 0 ? ofProject : below(home);
}

async function refuseForeign(place: string): Promise<void> {
  if (!existsSync(place)) return;
  const text = await readFile(join(place, "SKILL.md"), "utf8").catch(() => "");
  if (OURS.test(text)) return;
  throw new MassgenError("USAGE", `${place} is there and is not ours.`, { exitCode: 1, hint: "Move it away, or replace it with --force." });
}

/** Beside the bundles; run from source, at the top of the repository. */
function skillDir(): string {
  const places = ["./skills/massgen", "../skills/massgen", "../../../../skills/massgen"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? places[0] ?? "skills/massgen";
}
