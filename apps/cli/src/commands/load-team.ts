import { dirname } from "node:path";
import { type ConfigOverrides, type LoadedConfig, type MassgenConfig, strictly } from "@massgen/config";
import type { RunPlan } from "@massgen/sdk";
import { resolveTeam } from "@massgen/sdk/team";
import type { RunRequest } from "../args/request.js";
import { examplesDir } from "../examples-dir.js";
import type { Io } from "../io.js";
import { homeOf, readEnv } from "../read-env.js";
import { demandConfig, issueTexts } from "./config-issues.js";
import { teamOptions, withFlagHint } from "./team-options.js";

/** The config writes a model's name in another way than its vendor. */
const MODEL_MENDED = "CFG066";

export interface Team {
  readonly config: MassgenConfig;
  readonly loaded: LoadedConfig;
  /** Absolute path of its file; `null` without one. */
  readonly path: string | null;
  /** What a run of it needs besides its question. */
  readonly plan: Pick<RunPlan, "cwd" | "loaded" | "env" | "modulesFrom" | "rateLimits" | "prices">;
  /** Said before the run, on stderr. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The team a command line names, with the keys of the environment. `alone` keeps that one agent.
 *
 * @throws MassgenError for a config that is not found or not good; the engine is not loaded then
 */
export async function loadTeam(request: RunRequest, io: Io, alone: ConfigOverrides["singleAgent"] | null = null): Promise<Team> {
  const home = homeOf(io);
  const { env, warnings } = await readEnv(io);
  // One agent has nobody to share the work with, whatever its team does.
  const options = { ...teamOptions(request), ...(alone === null ? {} : { singleAgent: alone, coordinationMode: "parallel" as const }) };
  const team = await resolveTeam(options, { env, cwd: io.cwd, home, examplesDir: examplesDir(env) }).catch(withFlagHint(env));
  const loaded = request.validation === "strict" ? strictly(team.loaded) : team.loaded;
  const config = demandConfig(loaded);
  const modulesFrom = [...(team.path === null ? [] : [dirname(team.path)]), io.cwd];
  const mended = loaded.issues.filter(({ code }) => code === MODEL_MENDED);
  return {
    config,
    loaded,
    path: team.path,
    plan: { loaded, env, modulesFrom, rateLimits: team.rateLimits, prices: team.prices, cwd: io.cwd },
    warnings: [
      ...warnings.map(({ file, line, message }) => `${file}${line === null ? "" : `:${line}`}: ${message}`),
      ...(request.validation === "skip" ? [] : issueTexts(loaded.issues, "warning")),
    ],
    notes: issueTexts(mended, "note"),
  };
}
