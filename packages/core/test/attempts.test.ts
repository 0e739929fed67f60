import type { TurnRequest } from "@massgen/contracts";
import { brokenCall, fail, memoryStore, newAnswer, stall, type Turn, testAmbient, text, toolCall, vote, wait } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { factsOf, isSendable, runTeam, type Script, type TeamOptions, type TeamRun, textOf } from "./support/run-team.js";
import { said, tool } from "./support/tool.js";

const submit = toolCall("submit", { confirmed: true });
const sendBack = toolCall("restart_orchestration", { reason: "Invalidation is missing.", instructions: "Cover invalidation." });

const isJudging = (request: TurnRequest): boolean => request.tools[0]?.name === "submit";
const isPresenting = (request: TurnRequest): boolean => textOf(request).includes("final result");
const isAgain = (request: TurnRequest): boolean => textOf(request).includes("<previous_attempt>");

/** Answers, votes for agent1, presents; what it does when it judges is up to the test. */
const member = (name: string, judge: (request: TurnRequest, time: number) => Turn = () => submit): Script => {
  let judged = 0;
  return (request) => {
    if (isJudging(request)) return judge(request, judged++);
    const attempt = isAgain(request) ? "second" : "first";
    if (isPresenting(request)) return text(`${attempt} result`);
    return textOf(request).includes("<current_answers>") ? vote("agent1", "good") : newAnswer(`${attempt} of ${name}`);
  };
};

const team = (judge: (request: TurnRequest, time: number) => Turn, options: TeamOptions = {}): Promise<TeamRun> =>
  runTeam({ ada: member("ada", judge), bob: member("bob") }, { policy: { maxRestarts: 1 }, ...options });
const inOrder = (turns: readonly Turn[]) => (_request: TurnRequest, time: number) => turns[time] ?? submit;
const judged = ({ facts }: TeamRun) => factsOf(facts, "post_evaluation_finished");
const judging = ({ backends }: TeamRun) => backends["ada"]!.requests.filter(isJudging);

describe("judging the presented answer", () => {
  it("is a conversation of its own: the message, the answer as data, two tools and those that only read", async () => {
    const tools = [tool("look", () => said("seen")), tool("write", () => said("written"), { risk: "write" })];
    const run = await team(inOrder([toolCall("look"), toolCall("write"), submit]), {
      agents: { ada: { tools, instructions: "You love LRU." } },
    });
    const [first, second, third] = judging(run);
    expect(first!.tools.map(({ name }) => name)).toEqual(["submit", "restart_orchestration", "look"]);
    expect(textOf(first!)).toContain("<original_message>\nWhich cache policy fits?\n</original_message>");
    expect(textOf(first!)).toContain("<final_answer>\nfirst result\n</final_answer>");
    expect(textOf(first!)).not.toMatch(/You love LRU|of bob|agent2/);
    expect(textOf(second!)).toContain("seen");
    expect(textOf(third!)).toContain('there is no tool called "write"');
    expect(judged(run)).toMatchObject([{ verdict: "submit", autoSubmitted: false }]);
    expect(run.outcome).toMatchObject({ status: "completed", finalAnswer: "first result", exitCode: 0 });
    expect(run.transcripts.some(({ channel }) => channel === "evaluation")).toBe(true);
  });

  it("EC57: both tools: the team starts over", async () => {
    const run = await team(inOrder([[submit, sendBack]]));
    expect(judged(run)).toMatchObject([{ verdict: "restart", reason: "Invalidation is missing." }]);
    expect(run.outcome.finalAnswer).toBe("second result");
  });

  it("EC57: neither tool in three responses: submitted; the last one had to call something", async () => {
    const run = await team(
      inOrder([text("It is fine."), brokenCall("restart_orchestration", "{"), toolCall("vote", { agent_id: "agent1" })]),
    );
    expect(judged(run)).toMatchObject([{ verdict: "submit", autoSubmitted: true, note: "there was no decision in 3 attempts" }]);
    expect(factsOf(run.facts, "enforcement_retry").map(({ code }) => code)).toEqual(["no_tool_calls", "invalid_arguments", "unknown_tool"]);
    const requests = judging(run);
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", "required"]);
    for (const { messages } of requests) expect(isSendable(messages)).toBe(true);
    expect(textOf(requests[2]!)).toContain("without a call the answer is delivered");
  });

  it("EC57: an error or its time limit: submitted", async () => {
    const failed = await team(() => fail("backend_fatal"));
    expect(judged(failed)).toMatchObject([{ autoSubmitted: true }]);
    expect(judged(failed)[0]?.note).toContain("it failed: The scripted vendor refused the key");
    const late = await team(() => stall(), { policy: { maxRestarts: 1, limits: { postEvaluationMs: 60_000 } }, stallMs: 1_000_000 });
    expect(judged(late)).toMatchObject([{ autoSubmitted: true, note: "its time limit passed" }]);
    expect(late.outcome).toMatchObject({ status: "completed", finalAnswer: "first result" });
  });

  it("a call written as text counts", async () => {
    const written = '```json\n{"name": "restart_orchestration", "arguments": {"reason": "thin", "instructions": "more"}}\n```';
    expect(judged(await team(inOrder([text(written)])))).toMatchObject([{ verdict: "restart", instructions: "more" }]);
  });

  it("EC60: the text to try restarts with is judged in attempt 1 only", async () => {
    const run = await team(inOrder([sendBack, submit]), { policy: { maxRestarts: 2, debugFinalAnswer: "A wrong answer." } });
    const [first, second] = judging(run).map(textOf);
    expect(first).toContain("<final_answer>\nA wrong answer.\n</final_answer>");
    expect(second).toContain("<final_answer>\nsecond result\n</final_answer>");
  });
});

describe("another attempt", () => {
  it("EC58: an evaluator that is never content gets exactly the attempts there are", async () => {
    const run = await team(() => sendBack, { policy: { maxRestarts: 1 } });
    expect(factsOf(run.facts, "attempt_restarted")).toMatchObject([{ attempt: 2, maxAttempts: 2 }]);
    expect(judging(run)).toHaveLength(1);
    expect(run.outcome).toMatchObject({ status: "completed", finalAnswer: "second result", winner: "ada" });
  });

  it("EC78: every round and the presentation of attempt 2 begin with reason, instructions and the earlier final answer", async () => {
    const run = await team(inOrder([sendBack]));
    const start = run.facts.findIndex((fact) => fact.type === "attempt_restarted");
    const startedAt = run.facts.slice(0, start).filter((fact) => fact.type === "llm_call" && fact.status === "started").length;
    const requests = Object.values(run.backends).flatMap(({ requests: all }) => all);
    const again = requests.filter(isAgain);
    expect(again).toHaveLength(requests.length - startedAt);
    expect(again.length).toBeGreaterThanOrEqual(5);
    for (const request of again) {
      const user = textOf({ ...request, messages: request.messages.slice(1, 2) });
      expect(user).toMatch(/^The team has worked on the original message before/);
      expect(user).toContain("What is wrong: Invalidation is missing.");
      expect(user).toContain("What to do now: Cover invalidation.");
      expect(user).toContain("<previous_answer>\nfirst result\n</previous_answer>");
      expect(user.indexOf("</previous_attempt>")).toBeLessThan(user.indexOf("<original_message>"));
    }
  });

  it("the tool definitions stay the same bytes over both attempts", async () => {
    const run = await team(inOrder([sendBack]));
    const working = Object.values(run.backends).flatMap(({ requests }) => requests.filter((request) => !isJudging(request)));
    expect(new Set(working.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  });

  it("EC59: the second attempt fails completely: the first result, status partial", async () => {
    const ada = member("ada", () => sendBack);
    const failing =
      (script: Script): Script =>
      (request, index) =>
        isAgain(request) || typeof script !== "function" ? fail("backend_fatal") : script(request, index);
    const run = await runTeam({ ada: failing(ada), bob: failing(member("bob")) }, { policy: { maxRestarts: 1 } });
    expect(run.outcome).toMatchObject({ status: "partial", finalAnswer: "first result", winner: "ada", exitCode: 2 });
    expect(run.outcome.message).toContain("attempt 1 had presented");
  });

  it("EC62: a restart is refused once a tool ran in the presentation that reaches outside and does not only read", async () => {
    const sent: string[] = [];
    const send = tool("send", () => said(`sent ${sent.push("mail")}`), { risk: "external" });
    const script = (look: string): Script => {
      const ada = member("ada", () => sendBack);
      return (request, index) => {
        if (isPresenting(request) && request.messages.length === 2) return toolCall(look, {});
        return typeof ada === "function" ? ada(request, index) : submit;
      };
    };
    const tools = [send, tool("search", () => said("found"))];
    const options: TeamOptions = { policy: { maxRestarts: 1 }, agents: { ada: { tools } } };
    const refused = await runTeam({ ada: script("send"), bob: member("bob") }, options);
    expect(sent).toHaveLength(1);
    expect(factsOf(refused.facts, "irreversible_tool_ran")).toMatchObject([{ agent: "ada", name: "send" }]);
    expect(judged(refused)[0]?.note).toContain("what send did in the presentation cannot be undone");
    expect(refused.outcome).toMatchObject({ status: "completed", finalAnswer: "first result" });
    const noted = refused.facts.findIndex((fact) => fact.type === "irreversible_tool_ran");
    expect(refused.facts.findIndex((fact) => fact.type === "tool_complete" && fact.name === "send")).toBeGreaterThan(noted);

    const read = await runTeam({ ada: script("search"), bob: member("bob") }, options);
    expect(read.outcome.finalAnswer).toBe("second result");
  });

  it("goes on where it was after the power went in the middle of judging, or of the second attempt", async () => {
    for (const stopAt of ["post_evaluation_started", "attempt_restarted"] as const) {
      const store = memoryStore();
      const ambient = testAmbient();
      const whole = await team(inOrder([sendBack]), { store, runId: "r", ambient });
      const kept = whole.facts.filter((fact) => fact.decision <= whole.facts.find(({ type }) => type === stopAt)!.decision);
      const cut = memoryStore();
      await cut.append("r", 0, kept, "flushed");
      const again = await team(inOrder([[wait(10), sendBack]]), { store: cut, runId: "r" });
      expect(again.outcome).toMatchObject({ status: "completed", finalAnswer: "second result" });
      expect(factsOf(again.facts, "attempt_restarted")).toHaveLength(1);
    }
  });
});
