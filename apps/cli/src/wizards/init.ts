import { join } from "node:path";
import type { TeamDraft } from "@massgen/config";
import { type Abilities, draftTeam, onlyAnswers } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import type { RunRequest } from "../args/request.js";
import { canAsk } from "../can-ask.js";
import { runDemo } from "../commands/demo.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import { askMcpServer } from "./ask-mcp-server.js";
import { askAbilities, askMembers } from "./ask-team.js";
import { findSomebody } from "./find-somebody.js";
import { findWalls, type Walls } from "./find-walls.js";
import { askPath, placeTeam } from "./place-team.js";
import { openPrompts, type Prompts } from "./prompts.js";
import { askAndRun } from "./quickstart.js";
import { PROJECT_CONFIG, teamText } from "./save-team.js";
import type { Surroundings } from "./surroundings.js";

type UseCase = "answers" | "research" | "coding" | "containers" | "data" | "mcp" | "custom";

/** `massgen --init`: what it is for, who takes part, what they may do; then a look at the file, and a place for it. */
export async function buildTeam(run: RunRequest, io: Io, session: Session): Promise<ExitCode> {
  if (!canAsk(io))
    throw new MassgenError("CONFIG_INVALID", "--init asks questions, and there is no terminal to ask on.", {
      exitCode: 1,
      hint: "Without questions: massgen --generate-config team.yaml --config-model gpt-5-mini --config-agents 3",
    });
  const prompts = await openPrompts(io);
  prompts.open("A team of your own");
  const start = await findSomebody(prompts, io);
  if (start === "demo") return runDemo({ question: run.question, record: null, output: run.output }, io, session);
  if (start === "later") return 0;
  const walls = await findWalls(io, start.home);
  for (;;) {
    const team = await askTeam(prompts, start, walls);
    const textFor = (path: string): string => teamText(team, { path, by: "massgen --init", env: start.env });
    const shown = textFor(join(io.cwd, PROJECT_CONFIG)).replace(/^(?:#.*\n)+\n?/, "");
    prompts.show("The team", shown.trimEnd());
    const place = await askPlace(prompts);
    if (place === null) continue;
    return askAndRun(prompts, await placeTeam(prompts, place, textFor, io), run, io, session);
  }
}

async function askTeam(prompts: Prompts, { ready }: Surroundings, walls: Walls): Promise<TeamDraft> {
  const useCase = await askUseCase(prompts, walls);
  const members = await askMembers(prompts, ready);
  const abilities = await abilitiesFor(prompts, useCase, walls);
  const message =
    useCase === "custom" ? (await prompts.text("A system message for all of them?", { placeholder: "Enter for none" })).trim() : "";
  const team = draftTeam(members, abilities);
  tellWhatIsMissing(prompts, abilities, team);
  return message === "" ? team : { ...team, agents: team.agents.map((agent) => ({ ...agent, systemMessage: message })) };
}

const askUseCase = (prompts: Prompts, { sandbox, container }: Walls): Promise<UseCase> =>
  prompts.select<UseCase>("What is it for?", [
    { value: "answers", label: "questions and answers" },
    { value: "research", label: "research", hint: "they search the web, where their provider can" },
    {
      value: "coding",
      label: "coding",
      hint: sandbox ? "they change this folder and run commands in a sandbox" : "they change this folder",
    },
    { value: "data", label: "data analysis", hint: "they read this folder and run code, where their provider can" },
    ...(container
      ? [{ value: "containers" as const, label: "coding in containers", hint: "the same, with commands in Docker or Podman" }]
      : []),
    { value: "mcp", label: "tools of an MCP server", hint: "a command that starts one, or its address" },
    { value: "custom", label: "something else", hint: "choose everything" },
  ]);

async function abilitiesFor(prompts: Prompts, useCase: UseCase, walls: Walls): Promise<Abilities> {
  const commands = walls.sandbox ? "sandbox" : "none";
  switch (useCase) {
    case "answers":
      return onlyAnswers;
    case "research":
      return { ...onlyAnswers, webSearch: true };
    case "coding":
      return { ...onlyAnswers, files: "write", commands };
    case "containers":
      return { ...onlyAnswers, files: "write", commands: "container" };
    case "data":
      return { ...onlyAnswers, files: "read", commands, codeExecution: true };
    case "mcp":
      return { ...onlyAnswers, mcpServers: [await askMcpServer(prompts)] };
    case "custom": {
      const abilities = await askAbilities(prompts, walls);
      const tools = await prompts.select<"none" | "search" | "code" | "both">("Tools that the provider runs?", [
        { value: "none", label: "none" },
        { value: "search", label: "web search" },
        { value: "code", label: "code execution" },
        { value: "both", label: "both" },
      ]);
      return { ...abilities, webSearch: tools === "search" || tools === "both", codeExecution: tools === "code" || tools === "both" };
    }
  }
}

/** Tools that the provider runs are left out for agents whose provider has none. */
function tellWhatIsMissing(prompts: Prompts, { webSearch, codeExecution }: Abilities, { agents }: TeamDraft): void {
  const without = (has: "webSearch" | "codeExecution"): string =>
    [...new Set(agents.filter((agent) => agent[has] === undefined).map(({ type }) => type))].join(", ");
  if (webSearch && without("webSearch") !== "") prompts.say("warning", `No web search for: ${without("webSearch")}.`);
  if (codeExecution && without("codeExecution") !== "")
    prompts.say("warning", `No code execution by the provider for: ${without("codeExecution")}.`);
}

/** `null`: from the beginning. */
async function askPlace(prompts: Prompts): Promise<string | null> {
  const place = await prompts.select<"project" | "home" | "path" | "again">("Where shall it be kept?", [
    { value: "project", label: PROJECT_CONFIG, hint: "massgen finds it in this folder" },
    { value: "home", label: "~/.config/massgen/config.yaml", hint: "massgen finds it where a folder has none" },
    { value: "path", label: "another file" },
    { value: "again", label: "nowhere: ask me again" },
  ]);
  if (place === "again") return null;
  if (place === "path") return askPath(prompts);
  return place === "project" ? PROJECT_CONFIG : "~/.config/massgen/config.yaml";
}
