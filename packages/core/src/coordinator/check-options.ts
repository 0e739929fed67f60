import { MassgenError } from "@massgen/contracts";
import { WORKFLOW_TOOL_NAMES } from "../tools/workflow-tools.js";
import type { Agent, CoordinateOptions } from "./options.js";

/** What is wrong with what the caller asks for, before anything is started. @throws MassgenError `CONFIG_INVALID`, exit code 1 */
export function checkOptions(options: CoordinateOptions): void {
  const { question, agents, stallMs = 1, resultCapChars = 1 } = options;
  if (question.trim() === "") throw invalid("The question is empty.", "Say what the agents are to work on.");
  if (agents.length === 0) throw invalid("There are no agents.", "Give at least one agent with a backend.");
  if (!(stallMs > 0)) throw invalid(`stallMs is ${stallMs}.`, "Give a number of milliseconds above 0.");
  if (!(resultCapChars > 0)) throw invalid(`resultCapChars is ${resultCapChars}.`, "Give a number of characters above 0.");
  const seen = new Set<string>();
  for (const agent of agents) {
    if (agent.id === "") throw invalid("An agent has an empty id.", "Give every agent an id of its own.");
    if (seen.has(agent.id)) throw invalid(`Two agents have the id ${JSON.stringify(agent.id)}.`, "Give every agent an id of its own.");
    seen.add(agent.id);
    checkTools(agent);
    checkClientTools(agent, options);
    if (agent.backend.capabilities.loop !== "host") throw ownLoop(agent);
  }
  checkMode(options);
}

function checkMode({ mode, agents, policy }: CoordinateOptions): void {
  if ((mode === "single" || mode === "refine") && agents.length > 1)
    throw invalid(`The mode ${mode} is for one agent, and there are ${agents.length}.`, "Leave the mode out, or keep one agent.");
  const presenter = policy?.presenterAgent ?? null;
  if (presenter !== null && !agents.some(({ id }) => id === presenter))
    throw invalid(`The presenter ${JSON.stringify(presenter)} is none of the agents.`, "Name the id of an agent.");
}

function checkTools({ id, tools = [] }: Agent): void {
  const names = new Set<string>();
  for (const { spec } of tools) {
    if (WORKFLOW_TOOL_NAMES.includes(spec.name))
      throw invalid(
        `Agent ${JSON.stringify(id)} has a tool called ${JSON.stringify(spec.name)}, a name reserved for the coordination.`,
        "Rename the tool.",
      );
    if (names.has(spec.name))
      throw invalid(`Agent ${JSON.stringify(id)} has two tools called ${JSON.stringify(spec.name)}.`, "Rename one of them.");
    names.add(spec.name);
  }
}

function checkClientTools({ id, tools = [] }: Agent, { clientTools = [] }: CoordinateOptions): void {
  const taken = new Set([...WORKFLOW_TOOL_NAMES, ...tools.map(({ spec }) => spec.name)]);
  for (const { name } of clientTools) {
    if (taken.has(name))
      throw invalid(
        `The caller's tool ${JSON.stringify(name)} has the name of a tool of the coordination, of agent ${JSON.stringify(id)}, or of another of the caller's.`,
        "Rename the tool.",
      );
    taken.add(name);
  }
}

const invalid = (message: string, hint: string): MassgenError => new MassgenError("CONFIG_INVALID", message, { hint, exitCode: 1 });

const ownLoop = ({ id, backend }: Agent): MassgenError =>
  new MassgenError(
    "NOT_SUPPORTED",
    `Agent ${JSON.stringify(id)} uses ${backend.id}, a runtime that owns its tool loop; this is known but not supported yet.`,
    {
      exitCode: 1,
      hint: "Use a backend that speaks a model API.",
    },
  );
