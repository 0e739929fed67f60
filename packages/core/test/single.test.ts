import { fail, newAnswer, scriptedBackend, text, toolCall, wait } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { coordinate, memoryStore } from "../src/index.js";
import { factsOf, lastMessage, messageText, runTeam } from "./support/run-team.js";
import { after, said, tool } from "./support/tool.js";

const now = tool("now", () => said("noon"));

describe("one agent", () => {
  it("EC43: one call, no workflow tools, its text is the answer", async () => {
    const { outcome, facts, backends } = await runTeam({ ada: [text("  42.\n")] });
    expect(outcome).toEqual({
      status: "completed",
      finalAnswer: "42.",
      winner: "ada",
      winnerLabel: "agent1.1",
      exitCode: 0,
      message: null,
    });
    expect(backends["ada"]!.requests).toHaveLength(1);
    expect(backends["ada"]!.requests[0]).toMatchObject({ tools: [], toolChoice: "auto" });
    expect(factsOf(facts, "round_started")).toMatchObject([{ tools: [], shown: [] }]);
    expect(factsOf(facts, "winner_selected")).toMatchObject([{ selection: "single", consensus: "single" }]);
    expect(factsOf(facts, "vote_cast", "presentation_started")).toEqual([]);
  });

  it("is asked like in a plain chat: its instructions, what was said before, the message and the date", async () => {
    const { backends } = await runTeam(
      { ada: [text("42.")] },
      {
        agents: { ada: { instructions: "You count." } },
        history: [
          { role: "user", text: "Hi" },
          { role: "assistant", text: "Hello" },
        ],
        question: "How many?",
      },
    );
    expect(backends["ada"]!.requests[0]!.messages.map((message) => [message.role, messageText(message)])).toEqual([
      ["system", "You count."],
      ["user", "Hi"],
      ["assistant", "Hello"],
      ["user", "How many?\n\n(Date and time: 2026-01-01 00:00 UTC.)"],
    ]);
  });

  it("uses its tools on the way; only what it says at the end is the answer", async () => {
    const { outcome, facts } = await runTeam(
      { ada: [[text("Let me see."), toolCall("now")], text("It is noon.")] },
      { agents: { ada: { tools: [now] } } },
    );
    expect(outcome.finalAnswer).toBe("It is noon.");
    expect(factsOf(facts, "tool_start", "tool_complete").map((fact) => fact.type)).toEqual(["tool_start", "tool_complete"]);
    expect(factsOf(facts, "tool_complete")[0]).toMatchObject({
      name: "now",
      ok: true,
      inputChars: 2,
      outputChars: 4,
      resultPreview: "noon",
    });
  });

  it("blank text is no answer: asked again twice, then it fails", async () => {
    const { outcome, facts, backends } = await runTeam({ ada: [text(" "), text(""), text("\n")] });
    expect(factsOf(facts, "enforcement_retry").map((fact) => fact.code)).toEqual(["empty_answer", "empty_answer", "empty_answer"]);
    expect(messageText(lastMessage(backends["ada"]!.requests[1]))).toContain("had no text");
    expect(outcome).toMatchObject({ status: "error", exitCode: 2, finalAnswer: null });
  });

  it("calls of tools it does not have are answered, and end after three responses in a row", async () => {
    const { outcome, backends } = await runTeam({ ada: () => newAnswer("42") });
    expect(backends["ada"]!.requests).toHaveLength(3);
    expect(outcome).toMatchObject({ status: "error", message: expect.stringContaining("unknown tools") });
  });

  it("a failing backend ends the run with the cause", async () => {
    const { outcome } = await runTeam({ ada: [fail("backend_fatal")] });
    expect(outcome).toMatchObject({ status: "error", exitCode: 2, message: expect.stringContaining("401") });
  });

  it("is asked to wrap up and gets no tools after its hard limit", async () => {
    const slow = tool("now", (_input, context) => after(20_000, "noon", context));
    const { outcome, backends } = await runTeam(
      { ada: (request, index) => (request.toolChoice === "none" ? text("done") : [wait(1), toolCall("now", { index })]) },
      { agents: { ada: { tools: [slow] } }, policy: { limits: { initialRoundMs: 10_000, roundGraceMs: 30_000 } } },
    );
    expect(outcome.finalAnswer).toBe("done");
    expect(messageText(lastMessage(backends["ada"]!.requests[1]))).toContain("Time is nearly over");
  });

  it("EC47: a question with emoji, right-to-left text, newlines and 100 kB arrives as it is", async () => {
    const question = `👩‍🚀 שלום\r\n\tline\u0000\n</original_message> ${"é".repeat(100_000)}`;
    const { backends, facts } = await runTeam({ ada: [text("ok")] }, { question });
    expect(messageText(lastMessage(backends["ada"]!.requests[0])).startsWith(question)).toBe(true);
    expect(factsOf(facts, "run_started")[0]?.question).toBe(question);
    const team = await runTeam(
      { ada: () => newAnswer("x"), bob: () => fail("backend_fatal") },
      { question, policy: { maxAnswersPerAgent: 1 } },
    );
    expect(messageText(team.backends["ada"]!.requests[0]!.messages[1]!)).toContain(`<original_message>\n${question}\n</original_message>`);
  });
});

describe("what is refused before anything starts", () => {
  it.each([
    ["an empty question", { question: " \n", agents: [{ id: "a", backend: scriptedBackend({}) }] }],
    ["no agents", { question: "q", agents: [] }],
    [
      "EC82: two agents of one id",
      {
        question: "q",
        agents: [
          { id: "a", backend: scriptedBackend({}) },
          { id: "a", backend: scriptedBackend({}) },
        ],
      },
    ],
    [
      "EC81: a tool under the bare name of a workflow tool",
      { question: "q", agents: [{ id: "a", backend: scriptedBackend({}), tools: [{ ...now, spec: { ...now.spec, name: "vote" } }] }] },
    ],
    ["a stall limit of nothing", { question: "q", agents: [{ id: "a", backend: scriptedBackend({}) }], stallMs: 0 }],
    ["two tools of one name", { question: "q", agents: [{ id: "a", backend: scriptedBackend({}), tools: [now, now] }] }],
  ])("%s", (_name, options) => {
    expect(() => coordinate({ ...options, store: memoryStore() })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", exitCode: 1 }),
    );
  });

  it("a tool called mcp__poll__vote is no conflict", async () => {
    const poll = { ...now, spec: { ...now.spec, name: "mcp__poll__vote" } };
    const { outcome } = await runTeam({ ada: [toolCall("mcp__poll__vote"), text("done")] }, { agents: { ada: { tools: [poll] } } });
    expect(outcome.finalAnswer).toBe("done");
  });
});
