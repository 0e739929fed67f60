import { describe, expect, it } from "vitest";
import { contentEvents, countContentTokens, planPackets } from "../src/sending/plan-packets.js";
import { chatCompletions } from "../src/wire/chat-completions.js";

const events = (tokens: number, tokensPerEvent: number | null = 1) =>
  contentEvents({ text: Array.from({ length: tokens }, () => "a").join(" ") }, { tokensPerEvent, stamp: null });

describe("the pace of a reply", () => {
  it("is due with its last token, counted from one start", () => {
    const packets = planPackets(events(1001), { firstTokenMs: 800, tokensPerSecond: 100 });
    expect(packets).toHaveLength(1001);
    expect(packets.map((packet) => packet.dueMs).slice(0, 3)).toEqual([800, 810, 820]);
    expect(packets.at(-1)!.dueMs).toBe(10_800);
  });

  it("shares packets among tokens, and the last packet may be smaller", () => {
    const packets = planPackets(events(25), { firstTokenMs: 0, tokensPerSecond: 1000, tokensPerPacket: 10 });
    expect(packets.map((packet) => [packet.dueMs, packet.tokens])).toEqual([
      [9, 10],
      [19, 10],
      [24, 5],
    ]);
  });

  it("is one packet without a rate, and for content without tokens", () => {
    expect(planPackets(events(25), { firstTokenMs: 5, tokensPerSecond: 0 }).map((packet) => [packet.dueMs, packet.tokens])).toEqual([
      [5, 25],
    ]);
    expect(planPackets([], { firstTokenMs: 5, tokensPerSecond: 10 })).toEqual([{ dueMs: 5, tokens: 0, events: [] }]);
  });
});

describe("the events of a reply", () => {
  const content = {
    reasoning: "Let me think.",
    text: "Here it is:",
    toolCalls: [{ name: "new_answer", input: { content: 'Use "one" table.' } }],
  };

  it.each([1, 3, null])("add up to the tokens that are counted, with %j tokens an event", (tokensPerEvent) => {
    const sum = contentEvents(content, { tokensPerEvent, stamp: null }).reduce((tokens, event) => tokens + event.tokens, 0);
    expect(sum).toBe(countContentTokens(content));
  });

  it("come as reasoning, text, calls", () => {
    const writer = chatCompletions.stream({ id: "1", model: "m", createdAtSeconds: 0, includeUsage: false });
    const written = contentEvents(content, { tokensPerEvent: null, stamp: null }).map((event) => event.write(writer));
    expect(written.map((text) => /"delta":\{"(\w+)"/.exec(text)![1])).toEqual(["reasoning_content", "content", "tool_calls", "tool_calls"]);
  });
});
