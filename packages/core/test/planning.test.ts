import type { TurnRequest } from "@massgen/contracts";
import { fail, newAnswer, stall, type Turn, text, toolCall, vote } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { readAnalysis } from "../src/planning/read-analysis.js";
import { factsOf, runTeam, type Script, type TeamOptions, textOf } from "./support/run-team.js";
import { said, tool } from "./support/tool.js";

const isAsked = (request: TurnRequest): boolean => textOf(request).includes("Reply with one JSON object");
const isPresenting = (request: TurnRequest): boolean => textOf(request).includes("final result");

/** Calls `name` first in every conversation, then answers, votes or presents. */
const member =
  (name: string, analysis: Turn): Script =>
  (request) => {
    if (isAsked(request)) return analysis;
    if (request.messages.length === 2) return toolCall(name, {});
    if (isPresenting(request)) return text("done");
    return textOf(request).includes("<current_answers>") ? vote("agent1", "good") : newAnswer(`plan ${request.tools.length}`);
  };

async function planned(name: string, analysis: Turn, options: TeamOptions = {}) {
  const ran: string[] = [];
  const runs = (tool: string) => () => said(`ran ${tool} ${ran.push(tool)}`);
  const tools = [
    tool("mcp__mail__send", runs("mcp__mail__send"), { risk: "external", origin: "mcp" }),
    tool("mcp__web__search", runs("mcp__web__search"), { origin: "mcp" }),
    tool("read_file", runs("read_file"), { origin: "builtin" }),
  ];
  const run = await runTeam(
    { ada: member(name, analysis), bob: member(name, text("{}")) },
    { policy: { planningMode: true }, agents: { ada: { tools }, bob: { tools } }, ...options },
  );
  return { ...run, ran, decided: factsOf(run.facts, "planning_decided")[0]!, blocked: blockedCalls(run.facts) };
}

const blockedCalls = (facts: Parameters<typeof factsOf>[0]) =>
  factsOf(facts, "tool_complete").filter(({ resultPreview }) => resultPreview.startsWith("PLANNING_BLOCKED"));

const everything = text('{"irreversible": true, "blocked_tools": []}');

describe("planning mode", () => {
  it("asks the first agent without tools, and names to it what reaches outside", async () => {
    const { backends, decided, facts } = await planned("read_file", everything);
    const [asked] = backends["ada"]!.requests;
    expect(asked).toMatchObject({ tools: [], toolChoice: "none" });
    expect(textOf(asked!)).toContain("- mcp__mail__send: Does mcp__mail__send.");
    expect(textOf(asked!)).not.toContain("read_file");
    expect(backends["bob"]!.requests.some(isAsked)).toBe(false);
    expect(decided).toMatchObject({ agent: "ada", irreversible: true, blockedTools: [], failure: null });
    expect(factsOf(facts, "llm_call")[0]).toMatchObject({ agent: "ada", purpose: "planning", round: -1 });
  });

  it("EC61: an unreadable reply reserves every outside tool for the presentation; the agents' own tools work", async () => {
    const run = await planned("mcp__web__search", text("I would say it depends."));
    expect(run.decided).toMatchObject({ agent: "ada", irreversible: true, blockedTools: [] });
    expect(run.decided.failure).toContain("could not be read");
    expect(run.blocked.length).toBeGreaterThanOrEqual(3);
    expect(run.blocked.every(({ ok }) => !ok)).toBe(true);
    expect(run.ran).toEqual(["mcp__web__search"]);
    const last = run.facts.findLast((fact) => fact.type === "tool_complete" && fact.ok);
    expect(last?.seq).toBeGreaterThan(factsOf(run.facts, "presentation_started")[0]!.seq);
    const own = await planned("read_file", text("I would say it depends."));
    expect(own.blocked).toEqual([]);
    expect(own.ran.length).toBeGreaterThan(1);
  });

  it("reserves only what is named, says so in every system message, and that the plan is due in the presentation", async () => {
    const analysis = text('{"irreversible": true, "blocked_tools": ["send"]}');
    const run = await planned("mcp__mail__send", analysis);
    expect(run.decided.blockedTools).toEqual(["mcp__mail__send"]);
    expect(run.ran).toEqual(["mcp__mail__send"]);
    const [, round] = run.backends["ada"]!.requests;
    expect(textOf(round!)).toContain("Reserved for the final presentation: the tool `mcp__mail__send`.");
    const presenting = run.backends["ada"]!.requests.find(isPresenting)!;
    expect(presenting.messages[0]).toEqual(round!.messages[0]);
    expect(textOf(presenting)).toContain("Planning mode is over for you");
    expect((await planned("mcp__web__search", analysis)).blocked).toEqual([]);
  });

  it("T5.14: the user's own word on a tool wins over what the analysis makes of it", async () => {
    const ran: string[] = [];
    const tools = [
      tool("mcp__mail__read", () => said(`read ${ran.push("read")}`), { origin: "mcp", risk: "read", inPlanning: "allow" }),
      tool("mcp__mail__drop", () => said(`drop ${ran.push("drop")}`), { origin: "mcp", risk: "destructive", inPlanning: "block" }),
      tool("mcp__mail__send", () => said("sent"), { origin: "mcp", risk: "external" }),
    ];
    const script =
      (name: string, analysis: string): Script =>
      (request) => {
        if (isAsked(request)) return text(analysis);
        if (isPresenting(request)) return text("done");
        return request.messages.length === 2 ? toolCall(name, {}) : newAnswer("plan");
      };
    const ask = (name: string, analysis: string) =>
      runTeam({ ada: script(name, analysis) }, { policy: { planningMode: true }, agents: { ada: { tools } } });
    expect(blockedCalls((await ask("mcp__mail__read", '{"irreversible": true, "blocked_tools": []}')).facts)).toEqual([]);
    expect(ran).toContain("read");
    const dropped = await ask("mcp__mail__drop", '{"irreversible": true, "blocked_tools": ["send"]}');
    expect(blockedCalls(dropped.facts)).not.toEqual([]);
    expect(ran).not.toContain("drop");
  });

  it("is off for a harmless task, and then no prompt speaks of it", async () => {
    const run = await planned("mcp__mail__send", text('```json\n{"irreversible": false, "blocked_tools": []}\n```'));
    expect(run.blocked).toEqual([]);
    expect(run.backends["bob"]!.requests.some((request) => /Planning mode/i.test(textOf(request)))).toBe(false);
  });

  it("takes the configured text in place of ours", async () => {
    const run = await planned("read_file", everything, { planningInstruction: "Only describe." });
    expect(textOf(run.backends["bob"]!.requests[0]!)).toContain("# Planning mode\n\nOnly describe.\n\nReserved for the final presentation");
  });

  it("a broken backend passes the question on; silence for a minute is an answer too", async () => {
    const next = await planned("read_file", fail("backend_fatal"));
    expect(factsOf(next.facts, "planning_analysis_started").map(({ agent }) => agent)).toEqual(["ada", "bob"]);
    expect(next.decided).toMatchObject({ agent: "bob", irreversible: true });
    const late = await planned("read_file", stall(), { stallMs: 10_000_000 });
    expect(late.decided).toMatchObject({ agent: null, irreversible: true });
    expect(late.outcome.status).toBe("completed");
  });

  it("a single agent plans, then carries its plan out in a presentation", async () => {
    const ran: string[] = [];
    const send = tool("send", () => said(`sent ${ran.push("send")}`), { risk: "external" });
    const respond: Script = (request) => {
      if (isAsked(request)) return everything;
      const isDue = textOf(request).includes("Planning mode is over for you");
      const called = request.messages.at(-1)?.role === "tool";
      return called ? text(isDue ? "sent it" : "the plan") : toolCall("send", {});
    };
    const run = await runTeam({ ada: respond }, { policy: { planningMode: true }, agents: { ada: { tools: [send] } } });
    expect(ran).toEqual(["send"]);
    expect(run.outcome).toMatchObject({ status: "completed", finalAnswer: "sent it" });
    expect(factsOf(run.facts, "answer_submitted")).toMatchObject([{ content: "the plan" }]);
    expect(textOf(run.backends["ada"]!.requests.at(-1)!)).toContain("<answer>\nthe plan\n</answer>");
  });
});

describe("the reply about what cannot be undone", () => {
  const known = ["mcp__mail__send", "mcp__web__search", "deploy"];
  it.each<[string, string, ReturnType<typeof readAnalysis>]>([
    ["bare JSON", '{"irreversible": true, "blocked_tools": ["deploy"]}', { irreversible: true, blockedTools: ["deploy"] }],
    ["JSON among words and braces", 'Set {x}: {"irreversible": false} so.', { irreversible: false, blockedTools: [] }],
    [
      "names without their server",
      '{"irreversible": true, "blocked_tools": ["send"]}',
      { irreversible: true, blockedTools: ["mcp__mail__send"] },
    ],
    [
      "a name nobody knows reserves all",
      '{"irreversible": true, "blocked_tools": ["deploy", "wipe"]}',
      { irreversible: true, blockedTools: [] },
    ],
    ["tools named and denied", '{"irreversible": false, "blocked_tools": ["deploy"]}', { irreversible: true, blockedTools: ["deploy"] }],
    [
      "lines",
      "IRREVERSIBLE: yes\nBLOCKED_TOOLS: deploy, mcp__mail__send",
      { irreversible: true, blockedTools: ["deploy", "mcp__mail__send"] },
    ],
    ["lines in other clothes", "**Irreversible:** No\n- Blocked tools: none", { irreversible: false, blockedTools: [] }],
    ["a word that is no boolean", '{"irreversible": "maybe"}', null],
    ["nothing of the kind", "It depends.", null],
    ["nothing", "", null],
  ])("%s", (_what, reply, analysis) => {
    expect(readAnalysis(reply, known)).toEqual(analysis);
  });
});
