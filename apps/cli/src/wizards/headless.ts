import { join } from "node:path";
import { draftTeam, type Member, onlyAnswers, resolveApiKey, suggestTeam } from "@massgen/config";
import { writeWhole } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import type { GenerateRequest, QuickstartRequest } from "../args/request.js";
import { runQuestion } from "../commands/run.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { escapedLine } from "../output/visible-text.js";
import type { Session } from "../session.js";
import { membersOf } from "./read-members.js";
import { absolutePath, PROJECT_CONFIG, saveTeam, shownPath, teamText } from "./save-team.js";
import { lookAround } from "./surroundings.js";

const MOST_AGENTS = 3;

/** `massgen --quickstart --headless`: one agent for each provider that is ready, up to three, or those that are named. */
export async function quickstartHeadless({ agents, run }: QuickstartRequest, io: Io, session: Session): Promise<ExitCode> {
  const { env, ready } = await lookAround(io);
  const named = membersOf(agents);
  const members = named.length > 0 ? named : suggestTeam(ready, Math.min(ready.length, MOST_AGENTS));
  const missing = missingKeys(members, env);
  if (members.length === 0 || missing.length > 0) return needsConfig(missing, io);

  const path = absolutePath(run.config ?? PROJECT_CONFIG, io);
  await writeNew(path, teamText(draftTeam(members, onlyAnswers), { path, by: "massgen --quickstart", env }), io);
  const shown = shownPath(path, io.cwd);
  say(io, "CONFIG", path);
  for (const { type, model } of members) say(io, "AGENT", `${type}/${model}`);
  say(io, "RUN", shown === PROJECT_CONFIG ? 'massgen "your question"' : `massgen --config ${shown} "your question"`);
  say(io, "STATUS", "SUCCESS");
  return run.question === null ? 0 : runQuestion({ ...run, config: shown }, io, session);
}

/** `massgen --generate-config PATH`: writes a team without asking anybody, also one whose keys are still to come. */
export async function generateConfig(request: GenerateRequest, io: Io): Promise<ExitCode> {
  const { env, ready } = await lookAround(io);
  const { backend, model, count, agentId, contextPath, docker } = request;
  const named = backend === null && model === null ? [] : membersOf([{ id: agentId, backend, model, reasoningEffort: null }]);
  const chosen =
    named.length === 0 ? suggestTeam(ready, count) : Array.from({ length: count }, () => named[0]).filter((one) => one !== undefined);
  if (chosen.length === 0)
    throw new MassgenError("CONFIG_INVALID", "Nothing says which model takes part: no key is set and no local server runs.", {
      exitCode: 1,
      hint: "Add --config-model <name>, for example --config-model gpt-5-mini.",
    });
  const members = agentId === null ? chosen : chosen.map((member) => ({ ...member, id: agentId }));
  const files = contextPath === null ? (docker ? "own" : "none") : "read";
  const abilities = {
    ...onlyAnswers,
    files,
    ...(contextPath === null ? {} : { folder: contextPath }),
    commands: docker ? "container" : "none",
  } as const;
  const path = absolutePath(request.path, io);
  await writeNew(path, teamText(draftTeam(members, abilities), { path, by: "massgen --generate-config", env }), io);
  for (const name of missingKeys(members, env)) io.err.write(`massgen: note: ${name} is not set yet; a run needs it\n`);
  say(io, "CONFIG", path);
  say(io, "RUN", `massgen --config ${shownPath(path, io.cwd)} "your question"`);
  return 0;
}

/** @throws MassgenError when there is such a file: without anybody to ask, nothing is replaced */
async function writeNew(path: string, text: string, { cwd }: Io): Promise<void> {
  if (await saveTeam(path, text, "keep")) return;
  throw new MassgenError("CONFIG_INVALID", `${shownPath(path, cwd)} is there already, and nothing is replaced without asking.`, {
    exitCode: 1,
    hint: "Move it away, or name another file: massgen --quickstart --headless --config <path>, or --generate-config <path>.",
  });
}

/** The variables that agents need and nobody has set. */
function missingKeys(members: readonly Member[], env: Readonly<Record<string, string>>): readonly string[] {
  const missing = members.flatMap(({ type }) => {
    const { key, needed, variables } = resolveApiKey({ type }, env);
    return needed && !key ? variables.slice(0, 1) : [];
  });
  return [...new Set(missing)];
}

async function needsConfig(missing: readonly string[], io: Io): Promise<ExitCode> {
  const wanted = missing.length === 0 ? ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"] : missing;
  const template = join(io.cwd, ".massgen", "env.template");
  const lines = wanted.map((name) => `${name}=\n`).join("");
  await writeWhole(template, `# Fill in what you have, and name this file .env (here or as ~/.config/massgen/.env).\n${lines}`, {
    existing: "keep",
  });
  say(
    io,
    "STEP",
    `Set ${missing.length === 0 ? "a key" : "the keys"}: ${wanted.map((name) => `export ${name}=…`).join(missing.length === 0 ? " or " : " and ")}`,
  );
  say(io, "STEP", `Or fill in ${shownPath(template, io.cwd)} and name it .env`);
  if (missing.length === 0) say(io, "STEP", "Or start a local server: ollama serve, LM Studio, vLLM, SGLang");
  say(io, "STEP", "Without any of these: massgen demo");
  say(io, "TEMPLATE", template);
  say(io, "STATUS", "NEEDS_CONFIG");
  return 1;
}

const say = ({ out }: Pick<Io, "out">, key: string, value: string): void => out.write(`${key}: ${escapedLine(value)}\n`);
