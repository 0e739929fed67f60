import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readRunLog } from "@massgen/sdk";
import { createSimulatedTeam, type Simulator } from "@massgen/simulator";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const TEAM = ["ada", "bob", "cleo"];
const MODELS = TEAM.map((id) => `${id}-model`);

/** What a stand-in says follows from what it is shown, so that a run that goes on comes to the same end. */
const steadyTeam = (): Promise<Simulator> =>
  bench.simulate({ respond: createSimulatedTeam({ models: MODELS, pace: { firstTokenMs: 60, tokensPerSecond: 0 } }) });

const viewOf = async (log: string): Promise<RunView> => (await readRunLog(log)).reduce(foldRecord, emptyRunView);
const answersOf = ({ state }: RunView): readonly string[] => state.answers.map(({ label, content }) => `${label} ${content}`).sort();

/** Starts the run and kills it as soon as it has shown so many records; the folder of its log. */
async function killedAfter(records: number, place: string, asked = ["--config", "team.yaml", "Why?"]): Promise<string> {
  const env = { MASSGEN_LOG_BASE_DIR: bench.path(place) };
  const { child, ended } = bench.massgen(["--stream-events", ...asked], { env });
  let shown = 0;
  child.stdout?.on("data", (text: string) => {
    shown += text.split("\n").length - 1;
    if (shown >= records) child.kill("SIGKILL");
  });
  const { err } = await ended;
  return lineOf(err, "LOG_DIR");
}

describe("massgen --resume", { timeout: 120_000 }, () => {
  it("EC65: goes on after a kill at any moment, keeps every answer, pays no finished round twice, and comes to the same end", async () => {
    const simulator = await steadyTeam();
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    const whole = await bench.run(["--automation", "--config", "team.yaml", "Why?"]);
    const expected = await viewOf(lineOf(whole.out, "LOG_DIR"));
    const calls = simulator.requests.length;
    const last = expected.lastSeq;
    for (const seq of [1, 5, Math.floor(last / 4), Math.floor(last / 2), Math.floor((last * 3) / 4), last - 4]) {
      const place = `logs-${seq}`;
      const log = await killedAfter(seq, place);
      const before = await viewOf(log);
      const asked = simulator.requests.length;
      const { code, out, err } = await bench.run(["--automation", "--resume", "latest"], {
        env: { MASSGEN_LOG_BASE_DIR: bench.path(place) },
      });
      // On a busy machine the run may be over before it is killed.
      const said = before.finished === null ? "" : expect.stringContaining("this run is finished");
      expect({ seq, code, err }).toEqual({ seq, code: 0, err: said });
      expect(lineOf(out, "LOG_DIR")).toBe(log);
      const records = await readRunLog(log);
      const after = records.reduce(foldRecord, emptyRunView);
      if (before.finished === null) expect(records.filter(({ type }) => type === "run_resumed")).toHaveLength(before.lastSeq === 0 ? 0 : 1);
      expect(after.finished).toMatchObject({ status: "completed" });
      expect(after.decision?.fact.label).toBe(expected.decision?.fact.label);
      expect(after.state.answers.slice(0, before.state.answers.length)).toEqual(before.state.answers);
      expect(new Set(answersOf(after)).size).toBe(after.state.answers.length);
      // Only rounds that were under way are asked for again.
      expect(simulator.requests.length - asked).toBeLessThanOrEqual(calls);
      expect(await readJson(join(log, "status.json"))).toMatchObject({ finish_reason: "completed", is_complete: true });
      // Not told twice; the last half second before a kill may be missing from what is written without waiting.
      const told = (await readFile(join(log, "massgen.log"), "utf8")).match(/work on: Why\?/g) ?? [];
      expect(told.length).toBeLessThanOrEqual(1);
    }
  });

  it.each([
    [4, 11],
    [14, 22],
    [26, 11],
  ])("W19: a recorded run killed after %i and %i records is run again, process by process, to the same facts", async (first, second) => {
    const simulator = await steadyTeam();
    await bench.write("team.yaml", `${teamYaml(simulator, TEAM)}\norchestrator: { record: true }\n`);
    const log = await killedAfter(first, "logs");
    const env = { MASSGEN_LOG_BASE_DIR: bench.path("logs") };
    await killedAfter(second, "logs", ["--resume", "latest"]);
    expect((await bench.run(["--automation", "--resume", "latest"], { env })).code).toBe(0);
    const records = await readRunLog(log);
    expect(records.map(({ type }) => type)).toContain("run_resumed");
    const asked = simulator.requests.length;
    const again = await bench.run(["replay", "latest"], { env });
    expect(again).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining(`The engine made the same ${records.length} records again`),
    });
    expect(simulator.requests.length).toBe(asked);
  });

  it("is refused while the run still runs, and shows the result of a finished one", async () => {
    const simulator = await bench.simulate({
      respond: createSimulatedTeam({ models: MODELS, pace: { firstTokenMs: 600, tokensPerSecond: 0 } }),
    });
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    const { says, ended } = bench.massgen(["--automation", "--config", "team.yaml", "Why?"]);
    await says("[Coordination in progress");
    while (simulator.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const second = await bench.run(["--resume", "latest"]);
    expect(second.code).toBe(2);
    expect(second.err).toMatch(/is being written by process \d+/);
    const { code, out } = await ended;
    expect(code).toBe(0);
    const third = await bench.run(["--resume", lineOf(out, "LOG_DIR")]);
    expect(third.code).toBe(0);
    expect(third.err).toContain("this run is finished (completed)");
    expect(third.out.trim()).toBe((await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).trim());
  });

  it("goes on with the config of the log when its file has changed, and says so", async () => {
    const simulator = await steadyTeam();
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    const log = await killedAfter(12, "logs");
    await bench.write("team.yaml", teamYaml(simulator, ["somebody_else"]));
    const { code, err } = await bench.run(["--automation", "--resume", log]);
    expect(code).toBe(0);
    expect(err).toContain("team.yaml has changed since");
  });

  it("says what is wrong with a folder that holds no run", async () => {
    const nothing = await bench.run(["--resume", "nowhere"]);
    expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining("There is no log folder") });
    const empty = await bench.run(["--resume", "."]);
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining("LOG_DIR") });
    expect(await bench.run(["--resume", "latest", "Why?"])).toMatchObject({ code: 2 });
  });
});
