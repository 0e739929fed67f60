import type { AgentId } from "@massgen/contracts";
import { forecastRun, forecastSubject, nodeFetch, type SeenPrompt, type StandInTeam, standInTeam } from "@massgen/sdk";
import { createStandIns, type Pace, type Respond, redirectToSimulator, type Simulator, startSimulator } from "@massgen/simulator";
import type { DryRunRequest, RunRequest } from "../args/request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { type DryRunReport, dryRunJson, forecastLines, forecastPairs } from "../output/forecast.js";
import type { Session } from "../session.js";
import { findQuestion } from "./find-question.js";
import { loadTeam } from "./load-team.js";
import { readReferences } from "./read-references.js";
import { argumentsOf, outputOf } from "./run.js";
import { startRun } from "./start-run.js";

/** Asked when a dry run is not told its question: what it takes hardly depends on it. */
const DRY_RUN_QUESTION = "What does this team do, and what will it cost?";

/** How fast models write that nobody has measured; all of it is shortened so that nobody waits. */
const VENDOR_PACE: Pace = { firstTokenMs: 900, tokensPerSecond: 70, tokensPerPacket: 8 };
const TIME_SCALE = 0.05;

/**
 * `massgen --dry-run`: the run of a config with a stand-in for each of its models. All else is real: adapters, requests, tools,
 * files, logs. Ends with a forecast of what real models will take. `timeScale`: factor of how long models write.
 */
export async function runDry(request: DryRunRequest, io: Io, session: Session, timeScale: number = TIME_SCALE): Promise<ExitCode> {
  const { json } = request;
  const run = await readReferences(request.run, io);
  const team = await loadTeam(run, io);
  const question = await questionOf(run, team.config.prompt ?? null, io);
  const standIns = standInTeam(team.loaded, io.env);
  const { seen, watch } = watchPrompts();
  const simulator = await startSimulator({
    respond: watch(createStandIns(team.config.agents.map(({ id, backend }) => standInOf(id, backend.model ?? backend.type)))),
    timeScale,
    lenient: true,
  });
  const output = outputOf(run.output, team.config.ui);
  session.automation = output.mode === "automation" || output.mode === "events";
  try {
    const plan = {
      ...team.plan,
      question,
      loaded: standIns.loaded,
      rateLimits: { ...team.plan.rateLimits!, stateFile: null },
      fetch: redirect(simulator, standIns),
    };
    const origin = team.config.ui.loggingEnabled ? { configPath: team.path, cliArgs: { ...argumentsOf(run), dryRun: true } } : null;
    const warnings = [...team.warnings, ...standIns.notes];
    const told: string[] = [];
    const onWarning = (message: string): void => void told.push(session.redact(message));
    const shown = json ? { ...io, out: { ...io.out, write: () => {} } } : io;
    const code = await startRun({ plan, output, origin, simulated: true, warnings, onWarning }, shown, session);
    const refused = violations(simulator);
    for (const line of refused) io.err.write(`${session.automation ? "WARNING" : "massgen: warning"}: ${line}\n`);
    if (code !== 0) return code;
    const forecast = forecastRun(forecastSubject({ config: team.config, seen, prices: team.plan.prices ?? null }));
    tell({
      forecast,
      calls: simulator.requests.length,
      missingKeys: standIns.missingKeys,
      warnings: [...told, ...refused],
      config: team.path,
      logDirectory: session.logDirectory,
    });
    return code;
  } finally {
    await simulator.close();
  }

  function tell(report: DryRunReport): void {
    if (json) io.out.write(`${JSON.stringify(dryRunJson(report), null, 2)}\n`);
    else if (output.mode === "events") io.err.write(forecastPairs(report));
    else io.out.write(output.mode === "automation" ? forecastPairs(report) : forecastLines(report, io.out.columns()));
  }
}

const questionOf = async ({ question }: RunRequest, prompt: string | null, io: Io): Promise<string> => {
  if (question === null && prompt === null && io.stdinIsTerminal) return DRY_RUN_QUESTION;
  return findQuestion(question, prompt ?? DRY_RUN_QUESTION, io);
};

const standInOf = (agent: AgentId, model: string): { readonly agent: string; readonly model: string; readonly pace: Pace } => ({
  agent: encodeURIComponent(agent),
  model,
  pace: VENDOR_PACE,
});

/** Through no proxy: it goes to this machine. */
const redirect = (simulator: Simulator, { agentOfKey }: StandInTeam): typeof globalThis.fetch =>
  redirectToSimulator(simulator, { carry: nodeFetch({}), agentOf: agentOfKey });

/** Keeps what each agent's first request with tools holds; without any, its first. */
function watchPrompts(): { readonly seen: Map<AgentId, SeenPrompt>; readonly watch: (respond: Respond) => Respond } {
  const seen = new Map<AgentId, SeenPrompt>();
  const watch =
    (respond: Respond): Respond =>
    (request) => {
      const agent = decodeURIComponent(request.agent);
      const known = seen.get(agent);
      if (known === undefined || (known.tools.length === 0 && request.tools.length > 0))
        seen.set(agent, { tokens: request.inputTokens, tools: request.tools });
      return respond(request);
    };
  return { seen, watch };
}

/** What vendors would have refused. */
const violations = ({ requests }: Simulator): readonly string[] => [
  ...new Set(
    requests.flatMap(({ agent, violations: found }) =>
      found.map(({ rule, where }) => `simulated: the vendor of ${decodeURIComponent(agent)} would refuse a request: ${rule} (${where})`),
    ),
  ),
];
