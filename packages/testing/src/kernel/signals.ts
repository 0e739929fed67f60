import type { AgentId } from "@massgen/contracts";
import type { AnswerClaim, Signal, VoteClaim } from "@massgen/kernel";
import fc from "fast-check";
import { startOf } from "./play.js";

const TEAM: readonly AgentId[] = ["ada", "bob", "cyd"];

const somebody = fc.constantFrom(...TEAM, ...TEAM, ...TEAM, "mallory");
const text = fc.constantFrom("Use LRU.", "Use LFU.", "Use ARC.", "Use CLOCK.", " ");
const ofRound = fc.record({ agent: somebody, round: fc.constantFrom(0, 0, 1, 1, 2, 3) });
const answer: fc.Arbitrary<AnswerClaim> = text.map((content) => ({ content, fingerprint: content.toLowerCase(), snapshot: null }));
const vote: fc.Arbitrary<VoteClaim> = fc.record({
  target: fc.constantFrom("agent1", "agent2", "Agent 3", "<agent2.1>", "agent9", "ada", ""),
  reason: text,
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});
const nothing = fc.record({
  code: fc.constantFrom("no_tool_calls" as const, "unknown_tool" as const, "invalid_arguments" as const, "empty_answer" as const),
  tool: fc.constantFrom("new_answer" as const, "vote" as const, null),
});
const failure = fc.constantFrom(
  "backend_transient" as const,
  "backend_fatal" as const,
  "stall" as const,
  "context_overflow" as const,
  "protocol" as const,
);
const labels = fc.subarray(["agent1.1", "agent2.1", "agent3.1", "agent1.2"]);
const timer = fc.constantFrom(
  "timer:orchestrator:orchestrator",
  "timer:presentation:presentation",
  "timer:evaluation:ada",
  "timer:soft:0:ada",
);

/** How often each claim is made, and how it is drawn. */
const CLAIMS: readonly (readonly [weight: number, claim: fc.Arbitrary<Signal>])[] = [
  [8, fc.tuple(ofRound, answer).map(([at, claim]): Signal => ({ type: "answer_offered", ...at, ...claim }))],
  [8, fc.tuple(ofRound, vote).map(([at, claim]): Signal => ({ type: "vote_offered", ...at, ...claim }))],
  [
    2,
    fc
      .tuple(ofRound, fc.option(answer), fc.array(vote, { maxLength: 3 }))
      .map(([at, claim, votes]): Signal => ({ type: "several_offered", ...at, answer: claim, votes, text: "" })),
  ],
  [
    2,
    fc
      .tuple(ofRound, nothing, text)
      .map(([at, what, said]): Signal => ({ type: "nothing_offered", ...at, ...what, detail: "nothing to judge", text: said })),
  ],
  [3, fc.tuple(ofRound, labels).map(([at, shown]): Signal => ({ type: "update_delivered", ...at, labels: shown }))],
  [
    2,
    fc
      .tuple(ofRound, failure, text)
      .map(([at, kind, said]): Signal => ({ type: "round_failed", ...at, kind, message: "it broke", text: said })),
  ],
  [
    1,
    fc
      .tuple(ofRound, fc.option(answer), text)
      .map(([at, claim, said]): Signal => ({ type: "round_timed_out", ...at, answer: claim, text: said })),
  ],
  [1, ofRound.map((at): Signal => ({ type: "wrap_up_delivered", ...at }))],
  [1, fc.tuple(somebody, text).map(([agent, content]): Signal => ({ type: "presented", agent, content, snapshot: null }))],
  [1, somebody.map((agent): Signal => ({ type: "presentation_failed", agent, why: "error", partial: "" }))],
  [
    3,
    fc
      .tuple(ofRound, fc.constantFrom("submit" as const, "restart" as const, "restart" as const), text)
      .map(([at, verdict, said]): Signal => ({ type: "evaluated", ...at, verdict, reason: said, instructions: "" })),
  ],
  [1, ofRound.map((at): Signal => ({ type: "evaluation_missed", ...at, code: "no_tool_calls", detail: "it called no tool" }))],
  [1, ofRound.map((at): Signal => ({ type: "irreversible_tool_called", ...at, callId: "c1", name: "send" }))],
  [1, timer.map((name): Signal => ({ type: "timer_fired", timer: name, texts: { ada: "half an answer" } }))],
  [1, fc.constantFrom<Signal>({ type: "resume", lastSeq: 1 }, { type: "cancel_requested", reason: "enough", texts: {} })],
  [1, fc.constant<Signal>({ type: "answer_now_requested", reason: "in a hurry" })],
  [
    1,
    fc
      .tuple(text, fc.option(fc.constantFrom("first", "second")), fc.option(fc.subarray([...TEAM, "mallory"])))
      .map(([said, id, agents]): Signal => ({ type: "input_received", id, text: said, agents })),
  ],
  [1, fc.tuple(ofRound, fc.subarray([1, 2, 3, 99])).map(([at, numbers]): Signal => ({ type: "input_delivered", ...at, numbers }))],
];

/** The signal that starts a run of ada, bob and cyd, and then whatever anybody might claim, in any order: much of it late or wrong. */
export const signals: fc.Arbitrary<readonly Signal[]> = fc
  .array(fc.oneof(...CLAIMS.map(([weight, arbitrary]) => ({ weight, arbitrary }))), { maxLength: 60 })
  .map((list) => [startOf(TEAM), ...list]);
