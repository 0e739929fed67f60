import type { RunEvent } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { createPaint } from "../../src/output/paint.js";
import { createLiveScreen } from "../../src/output/plain/live-screen.js";
import type { Screen } from "../../src/output/screen.js";
import { type PlayedRun, playedRun, sampleRun } from "../played-run.js";
import { endOfRun, startOfRun } from "../show-run.js";
import { type TextTerminal, textTerminal } from "../text-terminal.js";

interface Stage {
  readonly screen: Screen;
  readonly terminal: TextTerminal;
  /** Lets `ms` pass, picture by picture. */
  readonly pass: (ms: number) => void;
}

function stage(columns = 90, rows = 24): Stage {
  const terminal = textTerminal(columns, rows);
  let now = 0;
  const timers: (() => void)[] = [];
  const screen = createLiveScreen(
    {
      out: terminal,
      err: terminal,
      monotonic: () => now,
      every: (_ms, callback) => {
        timers.push(callback);
        return () => timers.splice(timers.indexOf(callback), 1);
      },
    },
    createPaint(false),
  );
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      now += 100;
      for (const timer of [...timers]) timer();
    }
  };
  return { screen, terminal, pass };
}

const screenText = ({ terminal }: Stage): string =>
  terminal
    .lines()
    .map((line) => line.trimEnd())
    .join("\n");
const writes = (agent: string, text: string, channel: "work" | "presentation" = "work"): RunEvent => ({
  type: "content_delta",
  agent,
  channel,
  text,
});

/** Feeds the records whose time has come, one second after the other. */
function play(on: Stage, run: PlayedRun, untilSeconds: number): void {
  const start = run.records[0]?.at ?? 0;
  let next = 0;
  for (let second = 0; second <= untilSeconds; second++) {
    for (; next < run.records.length && (run.records[next]?.at ?? 0) <= start + second * 1000; next++)
      on.screen.event(run.records[next] as RunEvent);
    on.pass(1000);
  }
}

describe("the live screen", () => {
  it("in the middle: facts above, what everybody does below", async () => {
    const on = stage();
    on.screen.begin(startOfRun("Which cache policy fits?"));
    play(on, sampleRun(), 10);
    on.screen.event({ type: "response_started", agent: "bob", channel: "work", round: 1 });
    on.screen.event(writes("bob", "I compare the three answers. "));
    on.screen.event(writes("bob", "W-TinyLFU is missing from all of them."));
    on.screen.event({
      type: "content_discarded",
      agent: "cleo",
      channel: "work",
      reason: "OpenAI answered 429, next try in 2 s",
      waitMs: 2000,
    });
    on.pass(1000);
    await expect(screenText(on)).toMatchFileSnapshot("../golden/live-middle.txt");
  });

  it("at the end: the area is gone, all facts and the answer stay", async () => {
    const on = stage();
    on.screen.begin(startOfRun("Which cache policy fits?"));
    const run = sampleRun();
    play(on, run, 20);
    on.screen.end(endOfRun(run.records));
    await expect(screenText(on)).toMatchFileSnapshot("../golden/live-end.txt");
  });

  it("says why an agent waits", () => {
    const on = stage();
    on.screen.begin(startOfRun("Why?"));
    play(on, playedRun(["ada", "bob", "cleo"]).at(1).answer("ada", "LRU"), 2);
    on.screen.event({ type: "gate", agent: "ada", gate: "first_answers", held: true });
    on.pass(100);
    expect(screenText(on)).toContain("waits: agent2 and agent3 are still on their first answers");
  });

  it("shows the last lines of the final answer while it is written", () => {
    const on = stage(60);
    on.screen.begin(startOfRun("Why?"));
    const run = sampleRun();
    const untilPresented = {
      ...run,
      records: run.records.filter((record) => record.type !== "presentation_finished" && record.type !== "run_finished"),
    };
    play(on, untilPresented, 18);
    on.screen.event(writes("bob", "# W-TinyLFU\n\nFirst\nSecond\nThird\nFourth\u001b[2J", "presentation"));
    on.pass(100);
    const rows = screenText(on).split("\n");
    expect(
      rows
        .filter((row) => row.includes("│"))
        .slice(-4)
        .map((row) => row.trim()),
    ).toEqual(["│ First", "│ Second", "│ Third", "│ Fourth␛[2J"]);
  });

  it.each([20, 40, 60, 80, 200])("fits into %i columns: no row of the area is as wide as the terminal", (columns) => {
    const on = stage(columns, 5);
    on.screen.begin(startOfRun("Which cache policy fits a load with scans, and why should we believe it?"));
    play(on, sampleRun(), 13);
    for (const agent of ["ada", "bob", "cleo"]) on.screen.event(writes(agent, "日本語テキスト ".repeat(30)));
    on.pass(100);
    for (const line of on.terminal.lines()) expect([...line].length).toBeLessThanOrEqual(columns);
  });

  it("redraws ten times a second at most, and not at all when nothing changes", () => {
    const on = stage();
    on.screen.begin(startOfRun("Why?"));
    play(on, playedRun(["ada", "bob"]), 0);
    const before = on.terminal.raw().length;
    const count = (): number => on.terminal.raw().split("\u001b[?2026h").length;
    const drawn = count();
    for (let i = 0; i < 1000; i++) on.screen.event(writes("ada", "token "));
    on.pass(100);
    expect(count() - drawn).toBe(1);
    expect(on.terminal.raw().length - before).toBeLessThan(1000);
    on.pass(800);
    expect(count() - drawn).toBeLessThanOrEqual(2);
  });

  it("writes a warning above the area and brings the area back", () => {
    const on = stage();
    on.screen.begin(startOfRun("Why?"));
    play(on, playedRun(["ada", "bob"]), 0);
    on.screen.say("warning", "the model is deprecated");
    on.pass(1000);
    const rows = screenText(on).split("\n");
    expect(rows.indexOf("warning: the model is deprecated")).toBeLessThan(rows.findIndex((row) => row.includes("running")));
    expect(rows.filter((row) => row.includes("running"))).toHaveLength(1);
  });

  it("leaves no trace of the area after close, in any state, more than once", () => {
    const on = stage();
    on.screen.close();
    const other = stage();
    other.screen.begin(startOfRun("Why?"));
    play(other, playedRun(["ada", "bob"]), 0);
    other.screen.close();
    other.screen.close();
    other.pass(2000);
    expect(screenText(other)).not.toContain("running");
    for (const mode of ["?25", "?1049", "?1000", "?2004"]) expect(other.terminal.raw()).not.toContain(`\u001b[${mode}`);
  });

  it("sends no control character of a model", () => {
    const on = stage();
    on.screen.begin(startOfRun("a\u001b[31m"));
    const run = playedRun(["a\u001b[2Jda", "b\u0007ob"], { question: "a\u001b]0;x\u0007" });
    run.answer("a\u001b[2Jda", "x\u001b[?1049h\u009b2J\u202e").answer("b\u0007ob", "y\rz");
    run.vote("a\u001b[2Jda", "agent2", "\u001b[6n").vote("b\u0007ob", "agent1", "ok").present("\u001bcfinal");
    for (const event of run.records) {
      on.screen.event(event);
      if (event.type === "round_started") on.screen.event(writes(event.agent, "split \u001b"));
      on.pass(100);
    }
    // The terminal of this test throws on sequences that are not ours.
    on.screen.end(endOfRun(run.records));
    for (const obeyed of ["\u0007", "\u009b", "\u202e", "\u001bc"]) expect(on.terminal.raw()).not.toContain(obeyed);
  });
});
