import { describe, expect, it } from "vitest";
import { contextJson } from "../src/artefacts/context-json.js";
import { executionTrace } from "../src/artefacts/execution-trace.js";
import { call, result, text, transcript } from "./transcripts.js";

describe("a round that goes on in its conversation", () => {
  const before = [call("c0", "new_answer", { content: "LRU" }), result("c0", "The round is over."), text("user", "A new round begins.")];
  const first = transcript("ada", 1, ["agent1.1", "agent2.1"], [...before, call("c1", "vote", { agent_id: "agent2" })]);
  const continued = { ...first, openingMessages: first.openingMessages + before.length };

  it("is told what it began with: the whole conversation, and last what is new", () => {
    expect(contextJson(continued, 2)).toMatchObject({ user_message: "A new round begins.", messages: { length: 5 }, round: 1 });
  });

  it("traces only what happened in it", () => {
    const head = { anon: "agent1", model: "m", startedAt: 0, simulated: false, action: "voted" };
    const trace = executionTrace(continued, head, () => 0);
    expect(trace).toContain("## Request 1\n\n### Call of vote");
    expect(trace).not.toContain("Call of new_answer");
  });
});
