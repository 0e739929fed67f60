import type { Flag } from "./flags.js";
import type { Given } from "./program.js";
import type { AgentSpec, CliRequest, RunRequest } from "./request.js";

/** What is wrong with a value, for a usage error. */
export interface SpecFault {
  readonly fault: string;
}

const SPEC_KEYS = ["id", "backend", "type", "model", "reasoning_effort"];
const EFFORTS = ["low", "medium", "high"];

/** `id=ada,backend=openai,model=gpt-5-mini,reasoning_effort=high`, in any order; `type` is `backend`. */
function readAgentSpec(text: string): AgentSpec | SpecFault {
  const found = new Map<string, string>();
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    const [key, value] = [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()];
    if (at < 1 || value === "") return { fault: `--quickstart-agent takes key=value,…, not ${JSON.stringify(part)}` };
    if (!SPEC_KEYS.includes(key))
      return { fault: `--quickstart-agent has no key ${JSON.stringify(key)}; keys are ${SPEC_KEYS.join(", ")}` };
    const name = key === "type" ? "backend" : key;
    if (found.has(name)) return { fault: `--quickstart-agent names ${name} twice` };
    found.set(name, value);
  }
  const effort = found.get("reasoning_effort") ?? null;
  if (effort !== null && !EFFORTS.includes(effort))
    return { fault: `reasoning_effort is one of ${EFFORTS.join(", ")}, not ${JSON.stringify(effort)}` };
  if (!found.has("backend") && !found.has("model")) return { fault: "--quickstart-agent needs backend=… or model=…" };
  return { id: found.get("id") ?? null, backend: found.get("backend") ?? null, model: found.get("model") ?? null, reasoningEffort: effort };
}

/** The request of a wizard, when the flags ask for one. `run`: what to go on with afterwards. */
export function setupRequest(given: Given, run: RunRequest): CliRequest | SpecFault | null {
  const headless = given.has("--headless");
  if (given.has("--setup")) return { kind: "setup", headless };
  if (given.has("--init")) return { kind: "init", run };
  if (given.has("--select")) return { kind: "select", headless, run };
  if (given.has("--quickstart")) {
    if (run.config !== null && !/^[^@].*\.ya?ml$/.test(run.config))
      return { fault: `--quickstart --config names the .yaml file to write, not ${JSON.stringify(run.config)}` };
    const specs = (given.get("--quickstart-agent") ?? []).map((value) => readAgentSpec(String(value)));
    const wrong = specs.find((spec) => "fault" in spec);
    if (wrong !== undefined) return wrong;
    return { kind: "quickstart", headless, agents: specs.filter((spec): spec is AgentSpec => !("fault" in spec)), run };
  }
  const path = lastOf(given, "--generate-config");
  return path === null ? null : generateRequest(given, path);
}

function generateRequest(given: Given, path: string): CliRequest | SpecFault {
  const agentId = lastOf(given, "--config-agent-id");
  const count = Number(lastOf(given, "--config-agents") ?? (agentId === null ? 2 : 1));
  if (agentId !== null && count > 1) return { fault: "--config-agent-id names one agent: it goes with --config-agents 1" };
  if (count > MOST_AGENTS) return { fault: `--config-agents is at most ${MOST_AGENTS}` };
  if (!/\.(?:ya?ml)$/.test(path)) return { fault: `--generate-config writes a .yaml file, not ${JSON.stringify(path)}` };
  return {
    kind: "generate-config",
    path,
    count,
    backend: lastOf(given, "--config-backend"),
    model: lastOf(given, "--config-model"),
    agentId,
    contextPath: lastOf(given, "--config-context-path"),
    docker: given.has("--config-docker"),
  };
}

/** One letter each. */
const MOST_AGENTS = 26;

const lastOf = (given: Given, name: Flag["name"]): string | null => {
  const value = given.get(name)?.at(-1);
  return value === undefined || value === true ? null : String(value);
};
