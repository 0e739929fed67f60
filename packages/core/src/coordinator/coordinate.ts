import type { AgentCard, Ambient, Recorded, RunEvent, RunId } from "@massgen/contracts";
import { anonIdAt, defaultPolicy, type Policy, type RunState, type Signal } from "@massgen/kernel";
import { systemAmbient, systemSeed } from "../ambient/system-ambient.js";
import { localExecutor } from "../executor/local-executor.js";
import { openTeamFiles } from "../files/team-files.js";
import { defaultPrompts } from "../prompts/prompts.js";
import { keepConversations } from "../round/kept-conversations.js";
import type { RunContext } from "../round/run-context.js";
import { memoryStore } from "../store/memory-store.js";
import { fingerprintOf } from "../text/fingerprint.js";
import { createConsent } from "../tools/consent.js";
import { checkOptions } from "./check-options.js";
import type { CoordinateOptions, PolicyOptions } from "./options.js";
import type { Outcome } from "./outcome.js";
import { startRun } from "./run-loop.js";

const DEFAULT_STALL_MS = 300_000;
const DEFAULT_RESULT_CAP_CHARS = 30_000;

type Start = Extract<Signal, { type: "start" }>;

/** A run in progress, or over. */
export interface Coordination extends AsyncIterable<RunEvent> {
  readonly runId: RunId;
  readonly outcome: Promise<Outcome>;
  state(): RunState;
  /** Puts a signal from a person or a program: `cancel_requested`, `answer_now_requested`, `input_received`. Resolves with the facts it led to, once they are durable. */
  send(signal: Signal): Promise<readonly Recorded[]>;
}

/**
 * Starts one question at once and runs it to its end, watched or not.
 *
 * Every iteration is a watcher of its own: it gets all facts from the first one on, each after it is durable, and the
 * deltas that pass while it watches. Watching never slows the run; leaving the loop stops watching, not the run.
 *
 * `outcome` rejects only when the run cannot go on at all, and every iteration then throws the same error:
 * `STORE_CONFLICT` (another process owns the run), `STORE_FAILED`, `RUN_STUCK` (a bug: nothing runs and nothing is called
 * for), `CONFIG_INVALID` (a known run was resumed with other agents). Failures of agents and backends are facts.
 *
 * Backends are not disposed of: who made them does that.
 *
 * @throws MassgenError `CONFIG_INVALID` at once for an empty question, no agents, ids or tool names that collide.
 *
 * @example
 * const run = coordinate({ question: "Which cache policy fits?", agents: [{ id: "ada", backend }, { id: "bob", backend }] });
 * for await (const event of run) if (event.type === "vote_cast") console.log(event.agent, event.targetLabel, event.reason);
 * console.log((await run.outcome).finalAnswer);
 */
export function coordinate(options: CoordinateOptions): Coordination {
  checkOptions(options);
  const seed = options.seed ?? seedFrom(options.ambient);
  const ambient: Ambient = { ...systemAmbient({ seed }), ...options.ambient };
  const policy = policyOf(options.policy);
  const runId = options.runId ?? ambient.ids.next("run");
  const cards = cardsOf(options);
  const run = startRun({
    runId,
    store: options.store ?? memoryStore(),
    ambient,
    policy,
    start: startOf(options, cards, seed),
    cancel: options.signal,
    order: options.order,
    executor: (records) => options.executor ?? localExecutor(contextOf(options, { ambient, policy, records })),
  });
  return { runId, outcome: run.outcome, state: run.state, send: run.send, [Symbol.asyncIterator]: run.watch };
}

function startOf(
  { question, agents, mode = agents.length === 1 ? "single" : "voting" }: CoordinateOptions,
  cards: readonly AgentCard[],
  seed: number,
): Start {
  const start: Start = { type: "start", question, agents: cards, seed, mode };
  const given = agents.flatMap(({ id, subtask = "" }) => (subtask.trim() === "" ? [] : [[id, subtask] as const]));
  return mode === "decomposition" ? { ...start, subtasks: Object.fromEntries(given) } : start;
}

/** A test that injects chance gets its seed from there too, so that two of its runs are the same. */
function seedFrom(ambient: Partial<Ambient> | undefined): number {
  return ambient?.random === undefined ? systemSeed() : Math.floor(ambient.random() * 0x1_0000_0000);
}

const policyOf = (options: PolicyOptions = {}): Policy => ({
  ...defaultPolicy,
  ...options,
  limits: { ...defaultPolicy.limits, ...options.limits },
});

const cardsOf = ({ agents }: CoordinateOptions): readonly AgentCard[] =>
  agents.map(({ id, backend }, index) => ({ id, anon: anonIdAt(index), backend: backend.id, model: backend.model }));

function contextOf(
  options: CoordinateOptions,
  { ambient, policy, records }: { readonly ambient: Ambient; readonly policy: Policy; readonly records: readonly Recorded[] },
): RunContext {
  const workspacePaths = options.agents.flatMap((agent) => agent.workspacePaths ?? []);
  return {
    agents: new Map(options.agents.map((agent) => [agent.id, agent])),
    ambient,
    policy,
    prompts: { ...defaultPrompts, ...options.prompts },
    history: options.history ?? [],
    votingSensitivity: options.votingSensitivity ?? "lenient",
    answerOrder: options.answerOrder ?? "auto",
    toolOffering: options.toolOffering ?? "constant",
    scrubIdentities: options.scrubIdentities ?? false,
    kept: keepConversations(),
    files: openTeamFiles(options),
    permissions: options.permissions ?? null,
    clientTools: options.clientTools ?? [],
    clientToolChoice: options.clientToolChoice ?? "auto",
    hooks: options.hooks ?? [],
    consent: createConsent(options.human ?? null, ambient),
    verify: options.verify ?? null,
    redact: options.redact ?? ((text) => text),
    onServed: options.onServedCall ?? (() => {}),
    recall: options.recallCall ?? null,
    stallMs: options.stallMs ?? DEFAULT_STALL_MS,
    resultCapChars: options.resultCapChars ?? DEFAULT_RESULT_CAP_CHARS,
    planningInstruction: options.planningInstruction ?? null,
    divisionGuidelines: options.divisionGuidelines ?? null,
    timeZone: options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    // Of the run, not of this process: a resumed run repeats the bytes of its prompts.
    startedAt: () => records[0]?.at ?? ambient.clock.now(),
    fingerprint: (text) => fingerprintOf(text, workspacePaths),
    onTranscript: options.onTranscript ?? (() => {}),
  };
}
