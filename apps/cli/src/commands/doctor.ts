import { resolve } from "node:path";
import { findContainerTool, findSandbox } from "@massgen/exec";
import { resolveTeam, whyUnsupported } from "@massgen/sdk/team";
import { note } from "../doctor/check.js";
import { checkConfig } from "../doctor/check-config.js";
import { checkLines } from "../doctor/check-lines.js";
import { checkCommands, checkFolders, checkNode, checkTerminal } from "../doctor/check-machine.js";
import { checkMcp } from "../doctor/check-mcp.js";
import { checkModels } from "../doctor/check-models.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { askModels } from "../listings/ask-models.js";
import { createPaint, wantsColour } from "../output/paint.js";
import { visibleJson } from "../output/visible-text.js";
import { homeOf, readEnv } from "../read-env.js";

export interface Examination {
  readonly config: string | null;
  readonly online: boolean;
  readonly json: boolean;
}

/** `massgen doctor`: what a run needs of this machine, and what to do about what is missing. Writes no file, shows no key. */
export async function examine({ config, online, json }: Examination, io: Io): Promise<ExitCode> {
  const home = homeOf(io);
  const { env, warnings } = await readEnv(io);
  const findTeam = (): ReturnType<typeof resolveTeam> =>
    resolveTeam(config === null ? {} : { config }, { env, cwd: io.cwd, home, examplesDir: examplesDir(env) });
  const [models, team, servers, sandbox, container] = await Promise.all([
    checkModels({
      env,
      isSupported: (type) => whyUnsupported(type) === null,
      online,
      ask: (request, limitMs) => askModels(request, { signal: io.interrupt, limitMs }),
    }),
    checkConfig(findTeam, env, config !== null),
    checkMcp(findTeam, { env, cwd: io.cwd, home, signal: io.interrupt, starts: online || config !== null }),
    findSandbox({ platform: process.platform, path: io.env["PATH"] ?? "", hostHome: home }),
    findContainerTool({ host: io.env }),
  ]);
  io.interrupt.throwIfAborted();
  const checks = [
    checkNode(process.versions.node),
    ...warnings.map(({ file, line, message }) =>
      note("Key file", `${file}${line === null ? "" : `:${line}`}: ${message}`, "Write it as NAME=value."),
    ),
    ...models,
    ...team,
    ...servers,
    ...checkFolders(resolve(io.cwd, env["MASSGEN_LOG_BASE_DIR"] || ".massgen"), home),
    ...checkCommands(sandbox, container),
    checkTerminal(io),
  ];
  const isWell = checks.every(({ state }) => state !== "problem");
  const paint = createPaint(wantsColour(io.env, io.out.isTerminal));
  io.out.write(json ? `${visibleJson({ ok: isWell, checks })}\n` : checkLines(checks, { paint, columns: io.out.columns() }));
  return isWell ? 0 : 1;
}
