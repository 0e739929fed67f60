import { type ExplainedValue, explainConfig, type Selection, selectValues, shownConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { resolveTeam } from "@massgen/sdk/team";
import type { RunRequest } from "../args/request.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { explainTable } from "../listings/explain-table.js";
import { visibleJson, visibleText } from "../output/visible-text.js";
import { homeOf, readEnv } from "../read-env.js";
import { demandConfig, issueTexts } from "./config-issues.js";
import { teamOptions, withFlagHint } from "./team-options.js";

interface ExplainRequest {
  readonly path: string | null;
  readonly json: boolean;
  readonly team: RunRequest;
}

/**
 * `massgen config explain [path]`: every value of the config a run would have, and where it comes from. No secret is shown.
 *
 * @throws MassgenError when the config has errors, and for a path that is none
 */
export async function explainValues({ path, json, team }: ExplainRequest, io: Io): Promise<ExitCode> {
  const home = homeOf(io);
  const { env } = await readEnv(io);
  const { loaded } = await resolveTeam(teamOptions(team), { env, cwd: io.cwd, home, examplesDir: examplesDir(env) }).catch(
    withFlagHint(env),
  );
  demandConfig(loaded);
  for (const warning of issueTexts(loaded.issues, "warning")) io.err.write(`massgen: warning: ${warning}\n`);
  const values = explainConfig(loaded, env);
  const selected = path === null ? values : demandValues(selectValues(values, path), path);
  if (json) {
    const config = path === null ? { config: shownConfig(loaded) } : {};
    io.out.write(`${visibleJson({ file: loaded.source?.file ?? null, values: selected, ...config })}\n`);
    return 0;
  }
  const isInProcess = (name: string): boolean => io.env[name] !== undefined && io.env[name] !== "";
  io.out.write(visibleText(explainTable(selected, { isInProcess, hasFile: loaded.source !== null })));
  return 0;
}

function demandValues(selection: Selection, path: string): readonly ExplainedValue[] {
  if (selection.is === "found") return selection.values;
  if (selection.is === "unset") {
    return [{ path: selection.path, value: null, origin: { is: "default" } }];
  }
  const near = selection.near.map((one) => JSON.stringify(one)).join(" or ");
  throw new MassgenError("CONFIG_INVALID", `There is no config key ${JSON.stringify(path)}.`, {
    exitCode: 1,
    hint: near === "" ? "List what there is with: massgen --show-schema" : `Did you mean ${near}?`,
  });
}
