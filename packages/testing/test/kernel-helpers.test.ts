import type { CoordinationEvent } from "@massgen/contracts";
import { defaultPolicy, evolve, initialState, type Signal } from "@massgen/kernel";
import { after, checkInvariants, openRun, playSignals, signals, startOf } from "@massgen/testing/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const answer = (agent: string, content: string, round = 0): Signal => ({
  type: "answer_offered",
  agent,
  round,
  content,
  fingerprint: content,
  snapshot: null,
});
const vote = (agent: string, target: string, round = 1): Signal => ({
  type: "vote_offered",
  agent,
  round,
  target,
  reason: "best",
  confidence: null,
});
const wholeRun: readonly Signal[] = [
  startOf(["ada", "bob"]),
  answer("ada", "LRU"),
  answer("bob", "LFU"),
  vote("bob", "agent1"),
  vote("ada", "agent1"),
  { type: "presented", agent: "ada", content: "LRU it is." },
];

describe("openRun and after", () => {
  it("open a run whose agents work on their first answers, and go on from there", () => {
    const { state, facts, decisions } = after(openRun("ada", "bob"), answer("ada", "LRU"), answer("nobody", "x"));
    expect(state.agents["ada"]?.standing).toBe("answered");
    expect(facts.map((fact) => fact.type)).toEqual(["answer_submitted"]);
    expect(decisions.map((decision) => decision.length)).toEqual([1, 0]);
  });

  it("run one agent without votes", () => {
    expect(openRun("ada").mode).toBe("single");
  });
});

describe("checkInvariants", () => {
  const good = playSignals(initialState, wholeRun);

  it("finds nothing in a good run", () => {
    expect(good.state.phase).toBe("finished");
    expect(checkInvariants(good.state, good.facts, defaultPolicy)).toEqual([]);
  });

  it("finds nothing in runs of agents that do anything at any time", () => {
    fc.assert(
      fc.property(signals, (list) => {
        const { state, facts } = playSignals(initialState, list);
        expect(checkInvariants(state, facts, defaultPolicy)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("finds nothing in a resume of several agents, each of whom was told something", () => {
    const { state, facts } = playSignals(initialState, [
      startOf(["ada", "bob", "cyd"]),
      { type: "input_received", id: null, text: "Use LRU.", agents: null },
      { type: "resume", lastSeq: 1 },
    ]);
    expect(facts.filter(({ type }) => type === "input_delivered")).toHaveLength(3);
    expect(checkInvariants(state, facts, defaultPolicy)).toEqual([]);
  });

  const place = (type: CoordinationEvent["type"]): number => good.facts.findIndex((fact) => fact.type === type);
  const change = (type: CoordinationEvent["type"], changes: object): readonly CoordinationEvent[] =>
    good.facts.map((fact, at) => (at === place(type) ? ({ ...fact, ...changes } as CoordinationEvent) : fact));
  const call: CoordinationEvent = {
    type: "llm_call",
    agent: "ada",
    round: 0,
    callId: "c1",
    purpose: "work",
    status: "started",
    ttftMs: null,
    durationMs: null,
    message: null,
  };
  const refusal: CoordinationEvent = {
    type: "vote_rejected",
    agent: "ada",
    round: 0,
    code: "invalid_vote_id",
    message: "vote for ada",
    attempt: 1,
    maxAttempts: 3,
  };
  const inserted = (at: number, ...facts: readonly CoordinationEvent[]): readonly CoordinationEvent[] =>
    good.facts.toSpliced(at, 0, ...facts);

  it.for<[string, readonly CoordinationEvent[], RegExp]>([
    ["a label given twice", change("answer_submitted", { label: "agent1.2" }), /agent1.2 is not the next label of ada/],
    ["a vote for an answer that does not exist", change("vote_cast", { targetLabel: "agent1.7" }), /I3: agent1.7 does not exist/],
    [
      "a vote for an answer its voter was not shown",
      change("round_started", {}).map((fact) => (fact.type === "round_started" ? { ...fact, shown: [] } : fact)),
      /I3: bob was never shown agent1.1/,
    ],
    ["a second vote", inserted(place("vote_cast"), good.facts[place("vote_cast")]!), /bob has a vote in this epoch already/],
    ["a round skipped", change("round_started", { round: 3 }), /I4: ada goes from round -1 to 3/],
    ["a round begun twice", inserted(place("vote_cast"), good.facts[place("round_started")]!), /I4: ada goes from round 1 to 0/],
    [
      "a wrong tally",
      change("winner_selected", { tally: [{ label: "agent1.1", weight: 1 }] }),
      /tally agent1.1=1 is not that of the current votes, agent1.1=2/,
    ],
    ["a winner that is not the author", change("winner_selected", { winner: "bob" }), /agent1.1 is no answer of bob/],
    [
      "an answer beyond the cap",
      inserted(place("vote_cast"), { ...good.facts[place("answer_submitted")]!, label: "agent1.2" } as CoordinationEvent),
      /2 answers, more than 1/,
    ],
    ["a request started twice", inserted(place("vote_cast"), call, call), /I7: request c1 was started twice/],
    ["a request of a round that has not begun", inserted(place("vote_cast"), { ...call, round: 9 }), /I7: ada has no round 9/],
    ["a name in a text for the model", inserted(place("vote_cast"), refusal), /I5: the message names ada/],
    ["a fact after the end", [...good.facts, call], /I6/],
    ["two ends", [...good.facts, good.facts.at(-1)!], /I10: there are 2 run_finished/],
    ["an end without run_finished", good.facts.slice(0, -1), /I10: phase finished with 0 run_finished/],
  ])("finds %s", ([, facts, violation]) => {
    const policy = { ...defaultPolicy, maxAnswersPerAgent: 1 };
    expect(checkInvariants(facts.reduce(evolve, initialState), facts, policy).join("\n")).toMatch(violation);
  });

  it("finds a state that the facts do not fold to", () => {
    expect(checkInvariants({ ...good.state, winner: "bob" } as never, good.facts, defaultPolicy)).toEqual([
      "at the end: I8: the facts do not fold to the state",
    ]);
  });
});
