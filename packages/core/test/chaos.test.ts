import { type EventStore, MassgenError, type TurnRequest } from "@massgen/contracts";
import {
  brokenCall,
  cut,
  fail,
  lengthLimit,
  newAnswer,
  type Piece,
  reasoning,
  refusal,
  retried,
  stall,
  type Turn,
  testAmbient,
  text,
  toolCall,
  vote,
  wait,
} from "@massgen/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../src/index.js";
import { factsOf, isSendable, runTeam, type Script, type TeamRun } from "./support/run-team.js";
import { after, tool } from "./support/tool.js";

const anyTarget = fc.constantFrom("agent1", "agent2", "Agent 3", "agent9", "ada", "");
const submit = toolCall("submit", { confirmed: true });
const sendBack = toolCall("restart_orchestration", { reason: "thin", instructions: "more" });
const ANALYSES = ['{"irreversible": true, "blocked_tools": ["boom"]}', '{"irreversible": false, "blocked_tools": []}'];
const anyPiece: fc.Arbitrary<Piece | readonly Piece[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("one", "two", "three", "four", "five", " ").map(newAnswer) },
  { weight: 8, arbitrary: anyTarget.map((target) => vote(target, "because")) },
  { weight: 3, arbitrary: fc.constantFrom("thinking aloud", "", " ").map(text) },
  { weight: 2, arbitrary: fc.nat(5_000).map(wait) },
  { weight: 3, arbitrary: fc.constantFrom(submit, sendBack, sendBack) },
  { weight: 1, arbitrary: fc.constantFrom(...ANALYSES).map(text) },
  { weight: 2, arbitrary: fc.nat(60_000).map((ms) => toolCall("look", { ms })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      toolCall("boom"),
      toolCall("nope"),
      toolCall("new_answer"),
      brokenCall("vote", "{"),
      brokenCall("look", "["),
      reasoning("hm"),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(retried(1_000), lengthLimit("a call was cut"), stall(), cut()) },
  { weight: 1, arbitrary: fc.constantFrom(fail("backend_transient"), fail("backend_fatal"), fail("internal"), fail("context_overflow")) },
  { weight: 1, arbitrary: fc.constant(refusal("no") as readonly Piece[]) },
);
const anyTurn = fc.array(anyPiece, { minLength: 1, maxLength: 3 }).map((pieces): Turn => pieces.flat());
/** The turns of one agent, over and over. */
const anyScript = fc.array(anyTurn, { minLength: 1, maxLength: 5 }).map(
  (turns): Script =>
    (_request, index) =>
      turns[index % turns.length]!,
);
const anyTeam = fc
  .array(anyScript, { minLength: 1, maxLength: 4 })
  .map((scripts) => Object.fromEntries(scripts.map((script, index) => [`a${index}`, script])));
const anyPolicy = fc.record({
  maxAnswersPerAgent: fc.option(fc.integer({ min: 1, max: 3 })),
  maxAnswersGlobal: fc.option(fc.integer({ min: 1, max: 4 })),
  fairnessLeadCap: fc.option(fc.nat(2)),
  maxInjectionsPerRound: fc.option(fc.nat(2)),
  peerUpdates: fc.constantFrom("midstream" as const, "next_round" as const),
  deferVotingUntilAllAnswered: fc.option(fc.boolean()),
  stragglerPatience: fc.constantFrom(0, 2, null),
  maxRestarts: fc.constantFrom(0, 0, 1, 2),
  planningMode: fc.constantFrom(false, false, true),
  novelty: fc.constantFrom("lenient" as const, "balanced" as const, "strict" as const),
  maxRounds: fc.option(fc.integer({ min: 1, max: 3 })),
  convergenceThreshold: fc.constantFrom(null, null, 0.6, 1),
  votingMethod: fc.constantFrom("plurality" as const, "weighted_by_confidence" as const),
  selfVoteWeight: fc.constantFrom(0, 0.5, 1),
  enableRestarts: fc.boolean(),
  restartAfterStagnation: fc.constantFrom(null, 1, 2),
  limits: fc.record({
    orchestratorMs: fc.constantFrom(60_000, 1_800_000),
    initialRoundMs: fc.constantFrom(null, 5_000),
    subsequentRoundMs: fc.constantFrom(null, 3_000),
    roundGraceMs: fc.constant(10_000),
    presentationMs: fc.constant(20_000),
  }),
});

const tools = [
  tool("look", (input, context) => after(Number(input["ms"]) || 0, "looked", context), { timeoutMs: 30_000 }),
  tool("boom", () => Promise.reject(new Error("boom")), { risk: "write" }),
];
const equipped = { agents: { a0: { tools }, a1: { tools } }, stallMs: 20_000 } as const;

/** Judging the result and asking what cannot be undone are conversations of their own. */
const roundsAndPresentation = (requests: readonly TurnRequest[]): readonly TurnRequest[] =>
  requests.filter(({ tools: [first] }) => first !== undefined && first.name !== "submit");

function checkRun({ facts, outcome, backends, ambient }: TeamRun): void {
  expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, index) => index + 1));
  expect(factsOf(facts, "run_finished")).toHaveLength(1);
  expect(facts.at(-1)?.type).toBe("run_finished");
  expect(outcome.status).toBe(factsOf(facts, "run_finished")[0]?.status);
  expect(ambient.clock.sleepers()).toEqual([]);
  for (const backend of Object.values(backends)) {
    for (const call of backend.calls) expect(call.ended).not.toBeNull();
    for (const { messages } of backend.requests) expect(isSendable(messages), JSON.stringify(messages)).toBe(true);
    expect(new Set(roundsAndPresentation(backend.requests).map((request) => JSON.stringify(request.tools))).size).toBeLessThanOrEqual(1);
  }
}

describe("whatever models do", { timeout: 120_000 }, () => {
  it("a run ends in order, with every history fit to be sent and nothing left running", async () => {
    await fc.assert(
      fc.asyncProperty(anyTeam, anyPolicy, async (team, policy) => {
        checkRun(await runTeam(team, { ...equipped, policy }));
      }),
      { numRuns: 60 },
    );
  });

  it("it can be cancelled at any moment", async () => {
    await fc.assert(
      fc.asyncProperty(anyTeam, anyPolicy, fc.nat(20_000), async (team, policy, atMs) => {
        const controller = new AbortController();
        const ended = await runTeam(team, {
          ...equipped,
          policy,
          signal: controller.signal,
          meddle: (run, { clock }) => {
            const over = new AbortController();
            void run.outcome.finally(() => over.abort());
            clock.sleepUntil(atMs, over.signal).then(
              () => controller.abort(),
              () => {},
            );
          },
        });
        checkRun(ended);
      }),
      { numRuns: 30 },
    );
  });

  it("the power may fail at any append, as often as it likes: the run goes on and ends, and answers are never lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTeam,
        anyPolicy,
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }),
        async (team, policy, cuts) => {
          const inner = memoryStore();
          const ambient = testAmbient();
          let known: readonly string[] = [];
          for (const cut of cuts) {
            let left = cut;
            const store: EventStore = {
              read: inner.read,
              append: (...args) => (left-- > 0 ? inner.append(...args) : Promise.reject(new Error("power cut"))),
            };
            await runTeam(team, { ...equipped, policy, store, ambient, runId: "r" }).catch((error: unknown) =>
              expect(MassgenError.is(error, "STORE_FAILED")).toBe(true),
            );
          }
          const ended = await runTeam(team, { ...equipped, policy, store: inner, ambient, runId: "r" });
          let attempt = 1;
          known = factsOf(ended.facts, "answer_submitted", "attempt_restarted").flatMap((fact) => {
            if (fact.type === "answer_submitted") return [`${attempt}:${fact.label}`];
            attempt = fact.attempt;
            return [];
          });
          expect(new Set(known).size).toBe(known.length);
          expect(ended.facts.at(-1)?.type).toBe("run_finished");
          expect(ambient.clock.sleepers()).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("the same script gives the same record", async () => {
    await fc.assert(
      fc.asyncProperty(anyTeam, anyPolicy, async (team, policy) => {
        const [one, two] = [await runTeam(team, { ...equipped, policy }), await runTeam(team, { ...equipped, policy })];
        expect(two.facts).toEqual(one.facts);
      }),
      { numRuns: 30 },
    );
  });
});
