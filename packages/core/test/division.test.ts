import type { TurnRequest } from "@massgen/contracts";
import { fail, newAnswer, type Turn, text, toolCall } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { readDivision } from "../src/planning/read-division.js";
import { factsOf, runTeam, type Script, type TeamOptions, textOf } from "./support/run-team.js";

const isAsked = (request: TurnRequest): boolean => textOf(request).startsWith("Divide a task");

/** Divides when asked, then delivers its part once and stops. */
const member =
  (division: Turn): Script =>
  (request) => {
    if (isAsked(request)) return division;
    if (textOf(request).includes("put the parts together") && request.toolChoice === "none") return text("the whole");
    return textOf(request).includes("<current_answers>")
      ? toolCall("stop", { summary: "done", status: "complete" })
      : newAnswer(`part ${textOf(request).length}`);
  };

const play = (division: Turn, options: TeamOptions = {}) =>
  runTeam({ ada: member(division), bob: member(text("{}")) }, { mode: "decomposition", ...options });

describe("a team without parts", () => {
  it("has them worked out by its first agent, alone and without tools, and shows them to everybody", async () => {
    const reply = text('Here: {"agent1": "the facts", "agent2": "the plan"}');
    const { facts, backends } = await play(reply, {
      divisionGuidelines: "Never by language.",
      agents: { ada: { instructions: "SECRET" } },
    });
    expect(factsOf(facts, "subtasks_set")).toMatchObject([{ subtasks: { ada: "the facts", bob: "the plan" } }]);
    const asked = backends["ada"]!.requests.filter(isAsked);
    expect(asked).toMatchObject([{ tools: [], toolChoice: "none" }]);
    expect(textOf(asked[0]!)).toContain("Never by language.");
    expect(textOf(asked[0]!)).not.toContain("SECRET");
    expect(backends["bob"]!.requests.some(isAsked)).toBe(false);
    expect(textOf(backends["bob"]!.requests[0]!)).toContain('<part of="agent1">\nthe facts\n</part>');
    expect(factsOf(facts, "llm_call")[0]).toMatchObject({ agent: "ada", purpose: "planning", round: -1 });
  });

  it("only asks for what was not given, and shows what was", async () => {
    const { facts, backends } = await play(text('{"agent1": "the facts"}'), { agents: { bob: { subtask: "the plan" } } });
    expect(factsOf(facts, "subtasks_set").at(-1)).toMatchObject({ subtasks: { ada: "the facts", bob: "the plan" } });
    const asked = textOf(backends["ada"]!.requests.find(isAsked)!);
    expect(asked).toContain('<part of="agent2">\nthe plan\n</part>');
    expect(asked).toContain('{"agent1": "…"}');
  });

  it("asks the next one when a backend fails, and goes on with shares when a reply cannot be read", async () => {
    const { facts } = await play(fail("backend_fatal"));
    expect(factsOf(facts, "division_started").map(({ agent }) => agent)).toEqual(["ada", "bob"]);
    expect(factsOf(facts, "work_divided")).toMatchObject([{ agent: null, failure: expect.stringContaining("could not be read") }]);
    expect(factsOf(facts, "subtasks_set")[0]?.subtasks["bob"]).toContain("Share 2 of 2");
  });
});

describe("reading parts", () => {
  const wanted = ["agent1", "agent2"] as const;
  it.each([
    ['{"agent1": "a", "agent2": "b"}', ["a", "b"]],
    ['Sure!\n```json\n{"agent1": " a ", "agent2": "b", "agent3": "c"}\n```', ["a", "b"]],
    ['{"parts": {"Agent 1": "a", "agent_2": "b"}}', ["a", "b"]],
    ['{not} {"agent1": "a {x}", "agent2": "b"} {"more": 1}', ["a {x}", "b"]],
  ])("%s", (reply, parts) => expect([...(readDivision(reply, wanted)?.values() ?? [])]).toEqual(parts));

  it.each(["", "agent1: a", '{"agent1": "a"}', '{"agent1": "a", "agent2": " "}', '{"agent1": "a", "agent2": 2}', '["a", "b"]', "null"])(
    "no parts: %s",
    (reply) => expect(readDivision(reply, wanted)).toBeNull(),
  );
});
