import { createHash } from "node:crypto";
import type { MassgenConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { type Contender, contendersOf } from "@massgen/evaluation";
import type { RunPlan } from "@massgen/sdk";
import type { Respond } from "@massgen/simulator";
import type { RunTelemetry } from "@massgen/telemetry";
import type { CompareRequest, EvalRequest } from "../../args/request.js";
import type { Io } from "../../io.js";
import { logPlace, openDemo } from "../demo.js";
import { loadTeam } from "../load-team.js";
import { telemetryOf } from "../telemetry.js";
import { leastCalls } from "./least-calls.js";

type Plan = Omit<RunPlan, "question" | "signal" | "logs">;

/** A team and each of its agents alone, ready to be asked. */
export interface Contest {
  readonly contenders: readonly Contender[];
  readonly planOf: (contender: Contender) => Plan;
  /** Requests to models that one question takes at the very least. */
  readonly leastCallsOf: (contender: Contender) => number;
  /** Largest number of requests to models that the budget of a run allows; `null` for no such limit. */
  readonly mostCalls: number | null;
  readonly config: MassgenConfig;
  readonly configPath: string | null;
  /** Tells whether a later contest is the same. Holds no secrets, and none can be found from it. */
  readonly sha256: string;
  readonly simulated: boolean;
  readonly keepsLogs: boolean;
  readonly warnings: readonly string[];
  /** Hears the next run; `null` where nobody measures. */
  readonly measure: () => RunTelemetry | null;
  readonly close: () => Promise<void>;
}

/** `respond`: what the models of the demo say. */
export async function openContest(request: CompareRequest | EvalRequest, io: Io, respond?: Respond): Promise<Contest> {
  const contest = await (request.demo ? openSimulated(io, respond) : openReal(request, io));
  const telemetry = await telemetryOf(io, (message) => io.err.write(`massgen: warning: ${message}\n`));
  return {
    ...contest,
    measure: () => telemetry?.run({ simulated: contest.simulated }) ?? null,
    async close() {
      await telemetry?.close();
      await contest.close();
    },
  };
}

type Unmeasured = Omit<Contest, "measure">;

async function openReal({ run }: CompareRequest | EvalRequest, io: Io): Promise<Unmeasured> {
  const team = await loadTeam(run, io);
  refuseWriting(team.config);
  const ids = team.config.agents.map(({ id }) => id);
  const alone = await Promise.all(ids.map(async (id) => [id, await loadTeam(run, io, id)] as const));
  const teams = new Map(alone);
  const teamOf = ({ agent }: Contender): typeof team => (agent === null ? team : (teams.get(agent) ?? team));
  return {
    contenders: contendersOf(ids),
    planOf: (contender) => teamOf(contender).plan,
    leastCallsOf: (contender) => leastCalls(teamOf(contender).config),
    mostCalls: team.config.orchestrator.budget?.maxLlmCalls ?? null,
    config: team.config,
    configPath: team.path,
    sha256: digest([team.loaded.raw, team.loaded.overrides]),
    simulated: false,
    keepsLogs: team.config.ui.loggingEnabled,
    warnings: [...team.warnings, ...team.notes],
    close: () => Promise.resolve(),
  };
}

async function openSimulated(io: Io, respond?: Respond): Promise<Unmeasured> {
  const demo = await openDemo(false, respond);
  const plan = { loaded: demo.loaded, env: logPlace(io.env) };
  const config = demo.loaded.config as MassgenConfig;
  const planOf = ({ agent }: Contender): Plan => (agent === null ? plan : { ...plan, loaded: demo.load({ singleAgent: agent }) });
  return {
    contenders: contendersOf(config.agents.map(({ id }) => id)),
    planOf,
    leastCallsOf: (contender) => leastCalls(planOf(contender).loaded.config ?? config),
    mostCalls: null,
    config,
    configPath: null,
    // Its addresses are other ones each time.
    sha256: digest(config.agents.map(({ id, backend }) => [id, backend.type, backend.model])),
    simulated: true,
    keepsLogs: true,
    warnings: [],
    close: demo.close,
  };
}

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** Every contender would deliver into the same folder, one over the other, and a contender alone from its first round on. */
function refuseWriting({ orchestrator }: MassgenConfig): void {
  const written = orchestrator.contextPaths.filter(({ permission }) => permission === "write").map(({ path }) => path);
  if (written.length === 0) return;
  throw new MassgenError("USAGE", `Contenders cannot be compared while they write to ${written.join(", ")}.`, {
    exitCode: 1,
    hint: "Give the context path permission: read for the comparison; what contenders make stays in their workspaces.",
  });
}
