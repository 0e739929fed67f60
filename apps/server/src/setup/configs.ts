import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { CheckedConfig, DraftConfig, TeamSummary } from "@massgen/client";
import {
  describeTeam,
  draftTeam,
  hasErrors,
  issuesAsJson,
  type MassgenConfig,
  onlyAnswers,
  parseConfig,
  resolveApiKey,
  writeTeam,
} from "@massgen/config";
import { findTeams, summaryOf, type FoundTeam as TeamFile, writeWhole } from "@massgen/config/node";
import { ApiError, badRequest } from "../errors.js";
import { pathsHider } from "../hide-paths.js";
import type { ServerOptions } from "../options.js";
import type { FoundTeam } from "../teams.js";
import type { LiveEnv } from "./keys.js";

type Places = Pick<ServerOptions, "cwd" | "home" | "examplesDir"> & { readonly env: LiveEnv };

interface ListedTeam extends TeamSummary {
  /** Absolute; `null` for a team that comes from no file. */
  readonly path: string | null;
}

/** Teams that a run of this server may be started with: those below its folder, the examples, and the default wherever it lies. */
export async function listTeams(byDefault: FoundTeam | null, places: Places): Promise<readonly ListedTeam[]> {
  const found = (await findTeams(places)).flatMap((team) => listed(team, places));
  if (byDefault === null) return found;
  const { path } = byDefault.team;
  if (found.some((one) => one.path === path)) return found.map((one) => (one.path === path ? { ...one, isDefault: true } : one));
  const name = path === null ? "massgen" : pathsHider(places)(path);
  const { config } = byDefault;
  const agents = agentsOf(config, places.env);
  return [{ model: "massgen", name, summary: summaryOf(config), isExample: false, isDefault: true, agents, path }, ...found];
}

function listed({ name, summary, path, config }: TeamFile, { cwd, env }: Places): readonly ListedTeam[] {
  const agents = config === null ? [] : agentsOf(config, env);
  const shown = { summary, isDefault: false, agents, path };
  if (name.startsWith("@examples/")) {
    const short = name.slice("@examples/".length);
    return [{ ...shown, model: `massgen/${short}`, name: short, isExample: true }];
  }
  const near = relative(cwd, path);
  return near === "" || near.startsWith("..") ? [] : [{ ...shown, model: `massgen/path:${near}`, name: near, isExample: false }];
}

/** Which agents could speak now, as far as keys are concerned. */
const agentsOf = ({ agents }: MassgenConfig, env: LiveEnv): TeamSummary["agents"] =>
  agents.map(({ id, backend }) => {
    const { needed, key, variables } = resolveApiKey(backend, env);
    return { id, type: backend.type, model: backend.model, key: needed ? (key ? "set" : "missing") : "none", variables: [...variables] };
  });

/** @throws ApiError 404 for what is not listed */
export async function teamText(model: string, byDefault: FoundTeam | null, places: Places): Promise<string> {
  const team = (await listTeams(byDefault, places)).find((one) => one.model === model);
  if (team === undefined || team.path === null)
    throw new ApiError(404, "There is no such team; GET /api/configs lists them.", { param: "model", code: "not_found" });
  return readFile(team.path, "utf8");
}

/** What a run would say of it, each finding with its place and the way out. */
export function checkText(text: string, env: LiveEnv): CheckedConfig {
  const { config, issues } = parseConfig(text, { file: "team.yaml", env });
  const { errors, warnings } = issuesAsJson(issues);
  const findings = [
    ...errors.map((one) => ({ severity: "error" as const, ...one })),
    ...warnings.map((one) => ({ severity: "warning" as const, ...one })),
  ];
  return {
    isValid: config !== null && !hasErrors(issues),
    findings: findings.map(({ file: _, ...finding }) => finding),
    agents: config?.agents.map(({ id }) => id) ?? [],
  };
}

/** @throws ApiError 400 when no team can be made of it */
export function draftText({ agents, files = "none", webSearch = false }: DraftConfig, env: LiveEnv): string {
  const members = agents.map(({ id, type, model }) => ({ type, model, ...(id === undefined ? {} : { id }) }));
  const team = draftTeam(members, { ...onlyAnswers, files, webSearch });
  const notes = ["Written by the page of massgen --web. Every key: massgen --show-schema. Change it as you like."];
  const text = writeTeam(team, { title: describeTeam(team), schema: null, notes });
  const { findings } = checkText(text, env);
  const fault = findings.find(({ severity }) => severity === "error");
  if (fault !== undefined) throw badRequest(`${fault.location}: ${fault.message}`, "agents", "config_invalid");
  return text;
}

/**
 * Writes `.massgen/<name>.yaml`.
 *
 * @throws ApiError 400 for what is no team, 409 for a file that is there and is to be kept
 */
export async function keepTeam(
  name: string,
  text: string,
  replace: boolean,
  { cwd, env }: Places,
): Promise<{ readonly model: string; readonly path: string }> {
  const { config, issues } = parseConfig(text, { file: `${name}.yaml`, env });
  if (config === null || hasErrors(issues)) {
    const first = issues.find(({ severity }) => severity === "error");
    throw badRequest(`It is no team yet: ${first?.message ?? "it cannot be read"}. Nothing was written.`, "text", "config_invalid");
  }
  const file = join(cwd, ".massgen", `${name}.yaml`);
  const isWritten = await writeWhole(file, text, { existing: replace ? "backup" : "keep" });
  if (!isWritten) throw new ApiError(409, `There is a team of the name ${name} already.`, { param: "name", code: "exists" });
  const path = join(".massgen", basename(file));
  return { model: name === "config" ? "massgen" : `massgen/path:${path}`, path };
}
