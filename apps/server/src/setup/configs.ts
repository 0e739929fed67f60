import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { CheckedConfig, DraftConfig, TeamSummary } from "@massgen/client";
import { describeTeam, draftTeam, hasErrors, issuesAsJson, onlyAnswers, parseConfig, writeTeam } from "@massgen/config";
import { findTeams, writeWhole } from "@massgen/config/node";
import { ApiError, badRequest } from "../errors.js";
import type { ServerOptions } from "../options.js";
import type { LiveEnv } from "./keys.js";

type Places = Pick<ServerOptions, "cwd" | "home" | "examplesDir"> & { readonly env: LiveEnv };

interface ListedTeam extends TeamSummary {
  readonly path: string;
}

/** Teams that a run of this server may be started with: those below its folder, and the examples. */
export async function listTeams(places: Places): Promise<readonly ListedTeam[]> {
  const found = await findTeams(places);
  return found.flatMap(({ name, summary, path }): readonly ListedTeam[] => {
    if (name.startsWith("@examples/"))
      return [
        { model: `massgen/${name.slice("@examples/".length)}`, name: name.slice("@examples/".length), summary, isExample: true, path },
      ];
    const near = relative(places.cwd, path);
    if (near === "" || near.startsWith("..")) return [];
    return [{ model: `massgen/path:${near}`, name: near, summary, isExample: false, path }];
  });
}

/** @throws ApiError 404 for what is not listed */
export async function teamText(model: string, places: Places): Promise<string> {
  const team = (await listTeams(places)).find((one) => one.model === model);
  if (team === undefined)
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
