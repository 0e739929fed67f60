import { describe, expect, it } from "vitest";
import { createAutomationScreen } from "../../src/output/automation-screen.js";
import { type PlayedRun, playedRun, sampleRun } from "../played-run.js";
import { endOfRun, keepingSink, LOG, show, startOfRun } from "../show-run.js";

function shown(run: PlayedRun, question = "Which cache policy fits?", end = endOfRun(run.records)): string {
  const out = keepingSink();
  const err = keepingSink();
  show(createAutomationScreen({ out: out.sink, err: err.sink }), run.records, startOfRun(question), end);
  expect(err.text()).toBe("");
  return out.text();
}

describe("automation mode on stdout (docs/spec/cli.md 10)", () => {
  it("success: log and status first, then winner, votes and files", async () => {
    const run = sampleRun();
    await expect(shown(run, undefined, endOfRun(run.records, 19_400, { outputFile: "/tmp/answer.md" }))).toMatchFileSnapshot(
      "../golden/automation-success.txt",
    );
  });

  it("EC51: time limit with an answer: TIMEOUT before WINNER", async () => {
    const run = playedRun(["ada", "bob"])
      .at(4)
      .answer("ada", "Use LRU.")
      .at(6)
      .answer("bob", "Use ARC.")
      .at(8)
      .vote("ada", "agent2", "Adapts");
    run.at(30).say({ type: "timer_fired", timer: "timer:orchestrator:orchestrator", texts: {} });
    await expect(shown(run)).toMatchFileSnapshot("../golden/automation-timeout.txt");
  });

  it("EC50: time limit without an answer: no WINNER", async () => {
    const run = playedRun(["ada", "bob"]).at(30).say({ type: "timer_fired", timer: "timer:orchestrator:orchestrator", texts: {} });
    await expect(shown(run)).toMatchFileSnapshot("../golden/automation-timeout-without-answer.txt");
  });

  it("EC01: all agents failed: only where to look and how long it took", async () => {
    const run = playedRun(["ada", "bob"]).at(1).fail("ada", "401 from the vendor").at(2).fail("bob", "401 from the vendor");
    await expect(shown(run)).toMatchFileSnapshot("../golden/automation-all-failed.txt");
  });

  it("interrupted: INTERRUPTED on stderr, and nothing on stdout that looks like a result", async () => {
    const run = playedRun(["ada", "bob"]).at(4).answer("ada", "Use LRU.");
    run.at(5).say({ type: "cancel_requested", reason: "interrupted", texts: {} });
    const out = keepingSink();
    const err = keepingSink();
    const screen = createAutomationScreen({ out: out.sink, err: err.sink });
    screen.begin(startOfRun("Which cache policy fits?"));
    for (const record of run.records) screen.event(record);
    screen.interrupted();
    screen.end(endOfRun(run.records));
    expect(err.text()).toBe("INTERRUPTED\n");
    await expect(out.text()).toMatchFileSnapshot("../golden/automation-interrupted.txt");
  });

  it("EC47: a question of 100 kB with newlines and emoji stays one line of 500 characters", () => {
    const question = `line one\nline two 👩‍👩‍👧‍👦 مرحبا ${"x".repeat(100_000)}`;
    const line = shown(sampleRun(), question)
      .split("\n")
      .find((text) => text.startsWith("QUESTION: "));
    expect(line).toMatch(/^QUESTION: line one\\nline two 👩‍👩‍👧‍👦 مرحبا x+$/u);
    expect([...(line ?? "")].length).toBe("QUESTION: ".length + 500 + 1);
  });

  it("one agent: no votes, no timeline", () => {
    const run = playedRun(["solo"]);
    run.at(2).answer("solo", "42");
    const text = shown(run);
    expect(text).not.toContain("TIMELINE");
    expect(text).toContain("COMPLETED: 1 agent, ");
    expect(text).toContain(`ANSWER_FILE: ${LOG}/final/solo/answer.txt`);
  });

  it("a simulated run says so, and every line but the timeline is KEY: value", () => {
    const run = sampleRun();
    const out = keepingSink();
    show(createAutomationScreen({ out: out.sink, err: out.sink }), run.records, startOfRun("Why?", { simulated: true }));
    const lines = out.text().split("\n");
    expect(lines.slice(0, 5)).toEqual([
      `LOG_DIR: ${LOG}`,
      `STATUS: ${LOG}/status.json`,
      "QUESTION: Why?",
      "SIMULATED: no model was asked, the answers come from stand-ins",
      "[Coordination in progress - monitor status.json for real-time updates]",
    ]);
    for (const line of lines) expect(line).toMatch(/^$|^[A-Z_]+:|^\[|^ {2}/);
  });

  it("hostile text in ids, votes and answers stays on its line and sends no control characters", () => {
    const run = playedRun(["so\u001b[2Jlo", "b\u0007ob"]);
    run.answer("so\u001b[2Jlo", "one\nWINNER: me\u001b]0;x\u0007").answer("b\u0007ob", "two\r\nx");
    run
      .vote("so\u001b[2Jlo", "agent2", "because\nERROR: none\u009b31m")
      .vote("b\u0007ob", "agent2", "mine")
      .present("\u001b[31mfinal\nCOMPLETED: 9 agents");
    const text = shown(run);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(text.match(/^WINNER: /gm)).toHaveLength(1);
    expect(text.match(/^COMPLETED: /gm)).toEqual(["COMPLETED: "]);
    expect(text).not.toMatch(/^ERROR: /m);
  });
});
