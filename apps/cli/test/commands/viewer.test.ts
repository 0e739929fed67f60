import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Recorded } from "@massgen/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createPace } from "../../src/commands/viewer/pace.js";
import { play } from "../../src/commands/viewer/play.js";
import type { Screen } from "../../src/output/screen.js";
import { createSession } from "../../src/session.js";
import { type FakeIoOptions, fakeIo } from "../fake-io.js";
import { playedRun, sampleRun } from "../played-run.js";
import { writtenLog } from "../written-log.js";

let folder = "";
let finished = "";
let cut = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-cli-viewer-"));
  finished = await writtenLog(folder, sampleRun().records, { simulated: true });
  cut = await writtenLog(folder, playedRun(["ada", "bob"], { question: "Cut off?" }).at(2).answer("ada", "Yes").records, {
    finished: false,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function viewer(args: readonly string[], options: Partial<FakeIoOptions> = {}) {
  const { io, out, err } = fakeIo({ cwd: folder, ...options });
  const code = await runCli(["viewer", ...args], io, createSession());
  return { code, out: out(), err: err() };
}

describe("massgen viewer", () => {
  it("shows a finished run as its screen had shown it, with the answer and what it took", async () => {
    const { code, out, err } = await viewer([basename(finished)]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const part of [
      "simulated: no model was asked",
      "question: Which cache policy fits?",
      "wins. agent2.2 had 2 of 3",
      "# W-TinyLFU",
      `logs      ${finished}`,
    ])
      expect(out).toContain(part);
  });

  it("says of a run that was cut off where it ends", async () => {
    expect(await viewer(["latest"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("question: Cut off?"),
      err: expect.stringContaining("the run was interrupted"),
    });
    expect(cut).toContain("log_");
  });

  it("replays lines from a pipe, and says that they are simulated", async () => {
    const stdin = await readFile(join(finished, "events.jsonl"), "utf8");
    const { code, out } = await viewer(["-"], { stdin });
    expect(code).toBe(0);
    expect(out).toContain("simulated: no model was asked");
    expect(out).toContain("[text in final/bob/answer.txt]");
  });

  it("lets a person pick, and asks nobody where nobody is", async () => {
    const picked = await viewer(["--pick"], { answer: "2" });
    expect(picked.err).toMatch(/^ {2}1 {2}log_.* {2}interrupted {2}Cut off\?$/m);
    expect(picked.out).toContain("Which cache policy fits?");
    expect(await viewer(["--pick"], { answer: "9" })).toMatchObject({ code: 2, err: expect.stringContaining("No log was chosen") });
    expect(await viewer(["--pick"], { stdin: "" })).toMatchObject({ code: 2 });
  });

  it.each([
    [["--turn", "4"], 1, "no turn 4"],
    [["--attempt", "2"], 1, "no attempt 2"],
    [["--replay-speed", "fast"], 2, "--replay-speed takes"],
    [["--replay-speed", "-1"], 2, "--replay-speed"],
    [["--pick", "x"], 2, "exclude each other"],
  ])("massgen viewer %j ends with %i", async (args, code, message) => {
    expect(await viewer(args)).toMatchObject({ code, out: "", err: expect.stringContaining(message) });
  });

  it("finds the newest turn of a conversation, and the one that is asked for", async () => {
    const root = await writtenLog(folder, sampleRun().records);
    const other = await writtenLog(folder, playedRun(["ada"], { question: "Second turn" }).at(1).answer("ada", "x").records);
    const conversation = join(folder, "conversation");
    await rename(root, conversation);
    await rename(join(conversation, "final"), join(conversation, "turn_0"));
    await rename(other, join(conversation, "turn_2"));
    expect(await viewer([conversation])).toMatchObject({ out: expect.stringContaining("Second turn") });
    expect(await viewer([conversation, "--turn", "2"])).toMatchObject({ out: expect.stringContaining("Second turn") });
  });
});

describe("the pace of a replay", () => {
  const paced = async (speed: number | null, ...times: readonly number[]): Promise<number> => {
    let clock = 0;
    const waits: number[] = [];
    const stop = new AbortController();
    // Waiting is cut short and its length told by the clock of the replayed run before and after.
    const pace = createPace(speed, () => clock, stop.signal);
    stop.abort();
    for (const at of times) {
      await pace.until(at);
      waits.push(pace.now());
      clock += 10;
    }
    return waits.at(-1) ?? 0;
  };

  it("at once waits for nothing, and time is that of the run", async () => {
    expect(await paced(0, 1_000, 61_000, 3_601_000)).toBe(3_601_000);
  });

  it("between events the time of the run goes on, as fast as is asked for", async () => {
    let clock = 0;
    const pace = createPace(20, () => clock, new AbortController().signal);
    await pace.until(5_000);
    clock = 100;
    expect(pace.now()).toBe(7_000);
  });

  it("an interrupt ends a wait of an hour at once", async () => {
    expect(await paced(1, 0, 3_600_000)).toBe(3_600_000);
  });
});

describe("a long log", () => {
  it("passes by without being kept: what only reports takes no memory, and calls are counted", async () => {
    const { records } = sampleRun();
    const first = records.findIndex(({ type }) => type === "round_started");
    const report = (at: number): Recorded => ({
      ...records[first]!,
      type: "tool_start",
      agent: "ada",
      round: 0,
      callId: `c${at}`,
      name: "read_file",
      argsPreview: "{}",
      seq: at,
      closes: true,
    });
    const call: Recorded = {
      ...report(1),
      type: "llm_call",
      agent: "ada",
      round: 0,
      callId: "c",
      purpose: "work",
      status: "finished",
      ttftMs: 1,
      durationMs: 2,
      message: null,
    };
    async function* decisions() {
      yield records.slice(0, first + 1);
      for (let at = 0; at < 2_000; at++) yield [report(at)];
      yield [call];
      yield records.slice(first + 1);
    }
    const shown = { events: 0, calls: 0 };
    const screen: Screen = {
      begin: () => {},
      event: () => {
        shown.events += 1;
      },
      end: ({ calls }) => {
        shown.calls = calls ?? -1;
      },
      interrupted: () => {},
      say: () => {},
      fail: () => {},
      close: () => {},
    };
    const signal = new AbortController().signal;
    const view = await play(decisions(), {
      screen,
      pace: createPace(0, () => 0, signal),
      folder: null,
      isSimulated: () => false,
      fromAttempt: 1,
      signal,
    });
    expect(view.activity).toMatchObject({ tools: { length: 0 }, calls: { length: 0 } });
    expect(view.activity.openCalls.size).toBe(0);
    expect(shown).toEqual({ events: records.length + 2_001, calls: 1 });
  });
});
