import { type ConfigOverrides, type LoadedConfig, validateConfig } from "@massgen/config";
import { createSimulatedTeam, DEMO_QUESTION, demoTeam, type Respond, startSimulator } from "@massgen/simulator";
import type { OutputRequest } from "../args/request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import { startRun } from "./start-run.js";

/** `massgen demo [question]`: a team on simulated models. Everything but the models is the real path, log folder included. */
export async function runDemo(
  { question, record, output }: { readonly question: string | null; readonly record: true | null; readonly output: OutputRequest },
  io: Io,
  session: Session,
): Promise<ExitCode> {
  const { loaded, close } = await openDemo(record === true);
  try {
    const asked = question ?? DEMO_QUESTION;
    const plan = { question: asked, loaded, env: logPlace(io.env) };
    const origin = { configPath: null, cliArgs: { command: "demo" } };
    return await startRun({ plan, output, origin, simulated: true, warnings: [] }, io, session);
  } finally {
    await close();
  }
}

export interface DemoTeam {
  readonly loaded: LoadedConfig;
  /** The same team with flags that change it. */
  readonly load: (overrides: ConfigOverrides) => LoadedConfig;
  readonly close: () => Promise<void>;
}

/** The simulated team, answering on loopback until it is closed. `respond`: what its models say; default: as decent ones would. */
export async function openDemo(record = false, respond?: Respond): Promise<DemoTeam> {
  const team = demoTeam();
  const simulator = await startSimulator({ respond: respond ?? createSimulatedTeam({ models: team.map(({ model }) => model) }) });
  const agents = team.map(({ id, model, api }) => ({
    id,
    backend: { type: TYPE_OF[api], model, base_url: simulator.baseUrl(api), api_key: NO_SECRET },
  }));
  const load = (overrides: ConfigOverrides): LoadedConfig => validateConfig({ agents, orchestrator: { record } }, { overrides });
  return { loaded: load({}), load, close: () => simulator.close() };
}

/** The backend type that speaks each API: the demo goes through the adapters of different vendors. */
const TYPE_OF = { chat_completions: "chatcompletion", responses: "openai", messages: "claude", generate_content: "gemini" } as const;

/** What the adapters send as a key; the stand-in takes anything. */
const NO_SECRET = "key-of-the-stand-in";

/** No key of the user is wanted here, only where logs go. */
export const logPlace = ({ MASSGEN_LOG_BASE_DIR }: Io["env"]): Io["env"] => ({ MASSGEN_LOG_BASE_DIR });
