import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import { type Script, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareRun } from "../src/index.js";
import { type Artefact, artefactsIn, exact, published } from "./check-log.js";
import { playPlan, write } from "./play-plan.js";

interface Played {
  readonly script: Script;
  readonly agents?: number;
  readonly orchestrator?: object;
  readonly seconds?: number;
  /** Cancels the run with the first event of this type. */
  readonly cancelAt?: string;
  readonly isPlain?: true;
  /** The second response of `b-model` waits for this answer. */
  readonly bWaitsFor?: string;
}

const sendBack = step.tool("restart_orchestration", { reason: "Too short.", instructions: "Say more." });
const stop = (status: string): ReturnType<typeof step.tool> => step.tool("stop", { summary: "My part is done.", status });
const answer = step.answer("Use LRU.");
const mine = step.vote("agent1", "Mine.");

/** One run per way in which runs differ in what they write. */
const RUNS: Readonly<Record<string, Played>> = {
  "a vote": { script: { "a-model": [answer, mine], "b-model": [step.answer("Use ARC."), step.vote("agent1", "Clear.")] } },
  "a run that is not simulated": { script: { "a-model": [answer] }, isPlain: true },
  "an update under way": {
    bWaitsFor: "agent1.2",
    script: {
      "a-model": [answer, step.answer("Use LRU, warmed by the last day's keys."), mine],
      "b-model": [step.answer("Use ARC."), step.text("Hm."), step.vote("agent1", "Clear.")],
    },
  },
  "a recorded run": { script: {}, orchestrator: { record: true } },
  "refusals and a failure": {
    agents: 3,
    script: {
      "a-model": [step.text("Hm."), answer, step.vote("agent9", "?"), step.tool("nothing_like_it", { a: 1 }), mine],
      "b-model": [answer, step.answer("Use LRU."), step.vote("agent1", "Clear.")],
      "c-model": [step.fail(401)],
    },
  },
  "no answer at all": { script: { "a-model": [step.fail(401)], "b-model": [step.fail(401)] } },
  "a weighted vote and a debate": {
    agents: 3,
    orchestrator: { weighted_by_confidence: true, convergence_threshold: 0.9, max_rounds: 2 },
    script: { "b-model": [answer, step.vote("agent2", "Mine.")] },
  },
  "a single agent": { agents: 1, script: { "a-model": [answer] } },
  refining: { agents: 1, orchestrator: { max_rounds: 3 }, script: { "a-model": [answer, step.answer("Use LRU with a limit."), mine] } },
  decomposition: {
    orchestrator: { coordination_mode: "decomposition" },
    script: {
      "a-model": [answer, stop("complete"), stop("complete")],
      "b-model": [step.answer("Cost."), stop("blocked"), stop("blocked")],
    },
  },
  "the sequential workflow": { orchestrator: { workflow: "sequential" }, script: {} },
  "two attempts": {
    orchestrator: { coordination: { max_orchestration_restarts: 1 }, record: true },
    script: {
      "a-model": [answer, mine, step.text("One."), sendBack, step.answer("Use LRU and a limit."), mine, step.text("Two.")],
      "b-model": [step.answer("Use LFU."), step.vote("agent1", "Clear."), step.answer("Use ARC."), step.vote("agent1", "Clear.")],
    },
  },
  "planning mode": { orchestrator: { coordination: { enable_planning_mode: true } }, script: {} },
  "a budget that is used up": { orchestrator: { budget: { max_llm_calls: 3 } }, script: {} },
  "a limit of time": { seconds: 1, script: { "b-model": [step.mute()] } },
  "a run that is cancelled": { cancelAt: "answer_submitted", script: { "b-model": [step.mute()] } },
  "a run that is cancelled at once": { cancelAt: "run_started", script: {} },
  "coordination skipped": { orchestrator: { skip_coordination_rounds: true }, script: {} },
};

let folder = "";
const written = new Map<string, Awaited<ReturnType<typeof artefactsIn>>>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-schemas-"));
  written.set("changed files", await artefactsIn(await playDelivery()));
  await Promise.all(Object.entries(RUNS).map(async ([name, played]) => written.set(name, await artefactsIn(await play(played)))));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Of two files that the presenter made a person takes one. */
async function playDelivery(): Promise<string> {
  const home = await mkdtemp(join(folder, "delivery-"));
  const project = (name: string): string => join(home, "project", name);
  await mkdir(project("."));
  const { result } = await playPlan(
    { present: [write(project("a.txt"), "a\n"), write(project("b.txt"), "b\n")] },
    {
      folder: home,
      agents: ["ada", "bob"],
      orchestrator: { context_paths: [{ path: "project", permission: "write" }] },
      reviewChanges: async () => ({ accept: "some", paths: [project("a.txt")] }),
    },
  );
  return result.logDirectory ?? "";
}

async function play({ script, agents = 2, orchestrator = {}, seconds = 60, cancelAt, isPlain, bWaitsFor }: Played): Promise<string> {
  const team = scriptedTeam(script);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const simulator = await startSimulator({
    respond: async (request) => {
      if (bWaitsFor !== undefined && request.agent === "b-model" && request.index === 1) await released;
      return team(request);
    },
  });
  const loaded = validateConfig({
    agents: ["a", "b", "c"].slice(0, agents).map((id) => ({
      id,
      ...("coordination_mode" in orchestrator ? { subtask: `The part of ${id}.` } : {}),
      backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions"), max_retries: 0 },
    })),
    orchestrator,
    timeout_settings: { orchestrator_timeout_seconds: seconds },
  });
  const stopping = new AbortController();
  const prepared = await prepareRun({
    question: "Which cache?",
    loaded,
    env: {},
    logs: { cwd: await mkdtemp(join(folder, "run-")), version: "1" },
    modulesFrom: [folder],
    signal: stopping.signal,
    ...(isPlain ? {} : { simulated: true }),
    onEvent: (event) => {
      if (event.type === cancelAt) stopping.abort();
      if (event.type === "answer_submitted" && event.label === bWaitsFor) release();
    },
  });
  await prepared.start().finished;
  await simulator.close();
  return prepared.logDirectory ?? "";
}

const all = (): readonly Artefact[] => [...written.values()].flatMap(({ artefacts }) => artefacts);

describe("the schemas of the files of a run", () => {
  it.each([...Object.keys(RUNS), "changed files"])("hold for everything that %s writes, to the last key", (name) => {
    const { artefacts = [], unknown } = written.get(name) ?? {};
    expect(unknown).toEqual([]);
    expect(artefacts.length).toBeGreaterThan(5);
    for (const { path, schema, document } of artefacts) {
      const [open, closed] = [published.get(schema), exact.get(schema)];
      expect([path, open?.(document), open?.errors ?? []]).toEqual([path, true, []]);
      expect([path, closed?.(document), closed?.errors ?? []]).toEqual([path, true, []]);
    }
  });

  it("hold for the examples of the specification", async () => {
    const text = await readFile(new URL("../../../docs/spec/logs.md", import.meta.url), "utf8");
    const examples = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => JSON.parse(json));
    const schemas = ["vote-step.schema.json", "event.schema.json", "vote.schema.json"];
    expect(examples).toHaveLength(schemas.length);
    for (const [place, schema] of schemas.entries()) {
      const validate = exact.get(schema);
      expect([schema, validate?.(examples[place]), validate?.errors ?? []]).toEqual([schema, true, []]);
    }
  });

  it("have all been met", () => {
    const met = new Set(all().map(({ schema }) => schema));
    // That of a later turn is met where conversations are.
    expect([...published.keys()].filter((schema) => !met.has(schema))).toEqual(["conversation.schema.json"]);
  });

  it("pass over keys that are not known, and events of newer versions", () => {
    for (const { schema, document } of all()) {
      if (schema === "snapshot-mappings.schema.json") continue; // its keys are labels
      expect([schema, published.get(schema)?.({ ...(document as object), later: 1 })]).toEqual([schema, true]);
    }
    const [line] = all().filter(({ schema }) => schema === "event.schema.json");
    expect(published.get("event.schema.json")?.({ ...(line?.document as object), event_type: "later" })).toBe(true);
  });

  it("refuse a document without any of its keys, or with a number nobody writes in the place of any of them", () => {
    for (const schema of new Set(all().map((artefact) => artefact.schema))) {
      const documents = all().filter((artefact) => artefact.schema === schema && Object.keys(artefact.document as object).length > 0);
      const document = documents.at(0)?.document as Readonly<Record<string, unknown>>;
      const isValid = (changed: unknown): boolean => published.get(schema)?.(changed) === true;
      for (const key of Object.keys(document)) {
        const { [key]: _gone, ...rest } = document;
        if (!MAY_LACK.has(key) && schema !== "snapshot-mappings.schema.json")
          expect([schema, "without", key, isValid(rest)]).toEqual([schema, "without", key, false]);
        if (!ANYTHING.has(key)) expect([schema, key, isValid({ ...document, [key]: -1.5 })]).toEqual([schema, key, false]);
      }
      for (const wrong of [null, [], "text", 7]) expect([schema, wrong, isValid(wrong)]).toEqual([schema, wrong, false]);
    }
  });

  it("refuse an event whose context lacks a key of its kind", () => {
    for (const { document } of all().filter(({ schema }) => schema === "event.schema.json")) {
      const event = document as { readonly event_type: string; readonly context: Readonly<Record<string, unknown>> };
      for (const key of ["iteration", "round", "epoch", "label", "voted_for", "message", "usage", "tally", "labels"]) {
        if (!(key in event.context)) continue;
        const { [key]: _gone, ...context } = event.context;
        expect([event.event_type, key, published.get("event.schema.json")?.({ ...event, context })]).toEqual([
          event.event_type,
          key,
          false,
        ]);
      }
    }
  });
});

/** Written only where there is something to say, as docs/spec/logs.md has it. */
const MAY_LACK: ReadonlySet<string> = new Set([
  ...["simulated", "legacy_type", "at_ms", "messages", "overrides", "git", "attempt", "max_attempts", "planning_mode"],
  ...["finished_at", "finish_reason", "exit_code", "phases"],
]);
/** Whatever the user wrote. */
const ANYTHING: ReadonlySet<string> = new Set(["config", "cli_args", "overrides", "seed", "at_ms"]);
