import type { Message, Part } from "@massgen/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeHistory, INTERRUPTED_TEXT } from "../src/index.js";

const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const call = (callId: string, input: Part extends infer P ? (P extends { input: infer I } ? I : never) : never = {}): Part => ({
  type: "tool_call",
  callId,
  tool: "lookup",
  input,
});
const asks = (...ids: readonly string[]): Message => ({ role: "assistant", parts: ids.map((id) => call(id)) });
const result = (...ids: readonly string[]): Message => ({
  role: "tool",
  results: ids.map((callId) => ({ callId, output: { parts: [{ type: "text", text: `result of ${callId}` }], isError: false } })),
});

/** The history in short: `a?` a call, `a=…` its result, other roles by name. */
function short(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    if (message.role === "assistant")
      return message.parts.map((part) => (part.type === "tool_call" ? `${part.callId}?` : part.type)).join(" ");
    if (message.role === "tool")
      return message.results
        .map(({ callId, output }) => `${callId}=${output.parts.map((part) => (part.type === "text" ? part.text : "")).join("")}`)
        .join(" ");
    return message.role;
  });
}

describe("completeHistory (AN-04)", () => {
  it("answers a call that was interrupted, directly after it", () => {
    expect(short(completeHistory([user("q"), asks("a", "b"), result("a"), user("go on")]))).toEqual([
      "user",
      "a? b?",
      `a=result of a b=${INTERRUPTED_TEXT}`,
      "user",
    ]);
  });

  it("moves results that stand too late, in the order of the calls", () => {
    expect(short(completeHistory([asks("a", "b"), user("meanwhile"), result("b"), result("a")]))).toEqual([
      "a? b?",
      "a=result of a b=result of b",
      "user",
    ]);
  });

  it("drops results without a call, and the second result of one", () => {
    expect(short(completeHistory([result("ghost"), asks("a"), result("a", "ghost"), result("a")]))).toEqual(["a?", "a=result of a"]);
  });

  it("of two results for one call the first counts", () => {
    const late: Message = {
      role: "tool",
      results: [{ callId: "a", output: { parts: [{ type: "text", text: "another" }], isError: true } }],
    };
    expect(short(completeHistory([asks("a"), result("a"), late]))).toEqual(["a?", "a=result of a"]);
  });

  it("answers a call at the very end", () => {
    expect(short(completeHistory([user("q"), asks("a")]))).toEqual(["user", "a?", `a=${INTERRUPTED_TEXT}`]);
  });

  it("renames an id that occurs twice, together with its result", () => {
    expect(short(completeHistory([asks("a"), result("a"), asks("a"), result("a"), asks("")]))).toEqual([
      "a?",
      "a=result of a",
      "a_2?",
      "a_2=result of a",
      "call_2?",
      `call_2=${INTERRUPTED_TEXT}`,
    ]);
  });

  it("makes arguments that are no object an empty one", () => {
    const history = completeHistory([
      {
        role: "assistant",
        parts: [call("a", "cut" as never), call("b", [1] as never), call("c", null as never), call("d", { q: 1 } as never)],
      },
    ]);
    expect(history[0]).toMatchObject({ parts: [{ input: {} }, { input: {} }, { input: {} }, { input: { q: 1 } }] });
  });

  it("drops assistant messages that say nothing, and keeps those that only think", () => {
    const empty: Message = { role: "assistant", parts: [{ type: "text", text: "" }] };
    const thinks: Message = { role: "assistant", parts: [{ type: "reasoning", text: "", opaque: { secret: 1 } }] };
    expect(short(completeHistory([empty, { role: "assistant", parts: [] }, thinks]))).toEqual(["reasoning"]);
  });

  it("gives back a whole history as it was", () => {
    const history = [user("q"), asks("a"), result("a"), user("next")];
    expect(completeHistory(history)).toEqual(history);
  });

  const id = fc.constantFrom("a", "b", "c", "");
  const message: fc.Arbitrary<Message> = fc.oneof(
    fc.array(id, { maxLength: 3 }).map((ids) => asks(...ids)),
    fc.array(id, { maxLength: 3 }).map((ids) => result(...ids)),
    fc.constant(user("u")),
  );

  it("makes any history whole: every call answered at once, once, under an id of its own; and is done after that", () => {
    fc.assert(
      fc.property(fc.array(message), (history) => {
        const whole = completeHistory(history);
        const seen = new Set<string>();
        whole.forEach((entry, index) => {
          const before = whole[index - 1];
          if (entry.role === "tool") {
            const asked =
              before?.role === "assistant" ? before.parts.flatMap((part) => (part.type === "tool_call" ? [part.callId] : [])) : [];
            expect(entry.results.map(({ callId }) => callId)).toEqual(asked);
          }
          if (entry.role !== "assistant") return;
          for (const part of entry.parts) {
            if (part.type !== "tool_call") continue;
            expect(seen.has(part.callId) || part.callId === "").toBe(false);
            seen.add(part.callId);
            expect(whole[index + 1]?.role).toBe("tool");
          }
        });
        expect(completeHistory(whole)).toEqual(whole);
      }),
    );
  });
});
