import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readRunLog } from "@massgen/sdk";
import { scriptedTeam, step } from "@massgen/simulator";
import { emptyRunView, foldRecord } from "@massgen/views";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

interface StatusJson {
  readonly finish_reason: string;
  readonly is_complete: boolean;
  readonly agents: Readonly<Record<string, { readonly status: string; readonly error: { readonly message: string } | null }>>;
}
interface DecisionJson {
  readonly winner: string;
  readonly matrix: readonly { readonly voter: string; readonly label: string; readonly counted: boolean; readonly reason: string }[];
}

const TEAM = ["zinnia_one", "yarrow_two", "xylia_three"];
const slow = { firstTokenMs: 50, tokensPerSecond: 10 };

describe("a team of three against a Chat Completions endpoint", () => {
  it("answers, votes, decides and leaves a full record", async () => {
    const simulator = await bench.simulate({
      respond: scriptedTeam({
        "zinnia_one-model": [step.answer("Use LRU."), step.vote("agent2", "Adapts to the load.")],
        "yarrow_two-model": [step.answer("Use ARC."), step.vote("agent2", "I checked it.")],
        "xylia_three-model": [step.answer("Use LFU."), step.vote("agent1", "Simpler.")],
      }),
    });
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    const { code, out, err } = await bench.run([
      "--automation",
      "--config",
      "team.yaml",
      "--output-file",
      "out/answer.md",
      "Which cache\npolicy?",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const keys = out.split("\n").flatMap((line) => /^([A-Z_]+):/.exec(line)?.[1] ?? []);
    expect(keys).toEqual([
      "LOG_DIR",
      "STATUS",
      "QUESTION",
      "WINNER",
      "ANSWER_FILE",
      "DURATION",
      "TIMELINE",
      "ANSWER_PREVIEW",
      "COMPLETED",
      "ANSWER",
      "FINAL_DIR",
      "OUTPUT_FILE",
    ]);
    expect(lineOf(out, "QUESTION")).toBe("Which cache\\npolicy?");
    expect(lineOf(out, "WINNER")).toBe("yarrow_two");
    const answer = await readFile(lineOf(out, "ANSWER_FILE"), "utf8");
    expect(answer).toContain("yarrow_two-model");
    expect(await readFile(bench.path("out/answer.md"), "utf8")).toBe(answer);

    const log = lineOf(out, "LOG_DIR");
    const decision = await readJson<DecisionJson>(join(log, "decision.json"));
    expect(decision.winner).toBe("yarrow_two");
    expect(decision.matrix.filter((vote) => vote.counted).map(({ voter, label, reason }) => [voter, label, reason])).toEqual(
      expect.arrayContaining([
        ["zinnia_one", "agent2.1", "Adapts to the load."],
        ["yarrow_two", "agent2.1", "I checked it."],
        ["xylia_three", "agent1.1", "Simpler."],
      ]),
    );
    expect(await readJson<StatusJson>(lineOf(out, "STATUS"))).toMatchObject({ finish_reason: "completed", is_complete: true });

    // Nobody learns who the others are.
    for (const { body, model } of simulator.requests) {
      const text = JSON.stringify(body);
      for (const id of TEAM.filter((other) => `${other}-model` !== model)) expect(text, model).not.toContain(id);
    }
  });

  it("CO-02: one endpoint fails for ever, one hangs, one is good: the good answer wins and both failures are named", async () => {
    const simulator = await bench.simulate({
      respond: (request) => {
        if (request.model === "broken-model") return { kind: "failure", status: 500 };
        if (request.model === "silent-model") return { kind: "mute" };
        return scriptedTeam({ "good-model": [step.answer("Use LRU."), step.vote("agent3", "It is the only one.")] })(request);
      },
    });
    await bench.write(
      "team.yaml",
      teamYaml(
        simulator,
        ["broken", "silent", "good"],
        "timeout_settings: {agent_stall_timeout_seconds: 2, orchestrator_timeout_seconds: 60}\n",
      ).replaceAll(/(model: "(?:broken|silent)-model")/g, "$1, max_retries: 1, timeout: 2"),
    );
    const { code, out, durationMs } = await bench.run(["--automation", "--config", "team.yaml", "Which cache policy?"]);
    expect(code).toBe(0);
    expect(lineOf(out, "WINNER")).toBe("good");
    expect(durationMs).toBeLessThan(35_000);
    const status = await readJson<StatusJson>(lineOf(out, "STATUS"));
    expect(status.agents["broken"]).toMatchObject({ status: "error", error: { message: expect.stringContaining("500") } });
    expect(["error", "timeout"]).toContain(status.agents["silent"]?.status);
    expect(status.agents["silent"]?.error?.message).toBeTruthy();
    expect(status.finish_reason).toBe("completed");
  });

  it("EC82: two agents of one id: exit 1, and nobody is asked", async () => {
    const simulator = await bench.simulate({ respond: scriptedTeam() });
    await bench.write("team.yaml", teamYaml(simulator, ["a", "a"]));
    const { code, err } = await bench.run(["--automation", "--config", "team.yaml", "Why?"]);
    expect(code).toBe(1);
    expect(err).toContain("agent id 'a' is used twice");
    expect(simulator.requests).toEqual([]);
  });

  it("EC01: every endpoint refuses the key: exit 2, the reason on stderr, no final folder", async () => {
    const simulator = await bench.simulate({ respond: () => ({ kind: "failure", status: 401 }) });
    await bench.write("team.yaml", teamYaml(simulator, ["a", "b"]));
    const { code, out, err } = await bench.run(["--automation", "--config", "team.yaml", "Why?"]);
    expect(code).toBe(2);
    expect(err).toMatch(/^ERROR: /);
    expect(out).not.toContain("WINNER:");
    expect(simulator.requests).toHaveLength(2);
    expect(await readdir(lineOf(out, "LOG_DIR"))).not.toContain("final");
  });

  it("EC51: the time limit ends the coordination with the best answer: exit 3, TIMEOUT before WINNER", async () => {
    const simulator = await bench.simulate({
      respond: scriptedTeam({ "fast-model": [step.answer("Use LRU."), step.stall()], "slow-model": [step.mute()] }),
    });
    await bench.write("team.yaml", teamYaml(simulator, ["fast", "slow"]));
    const { code, out } = await bench.run(["--automation", "--orchestrator-timeout", "2", "--config", "team.yaml", "Why?"]);
    expect(code).toBe(3);
    expect(out.indexOf("TIMEOUT: 2s\n")).toBeGreaterThan(0);
    expect(out.indexOf("TIMEOUT: 2s\n")).toBeLessThan(out.indexOf("WINNER: fast\n"));
    expect(await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).toBe("Use LRU.");
  });

  it("SE-02: six runs side by side in one folder have six logs", async () => {
    const simulator = await bench.simulate({ respond: scriptedTeam() });
    await bench.write("team.yaml", teamYaml(simulator, ["a", "b"]));
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, n) => bench.run(["--automation", "--config", "team.yaml", `Question ${n}`])),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(new Set(runs.map(({ out }) => lineOf(out, "LOG_DIR"))).size).toBe(6);
    for (const [n, { out }] of runs.entries()) {
      expect((await readJson<{ readonly meta: { readonly question: string } }>(lineOf(out, "STATUS"))).meta.question).toBe(`Question ${n}`);
    }
  });

  it("streams one JSON object per event: the log folder first, the answer last", async () => {
    const simulator = await bench.simulate({ respond: scriptedTeam() });
    await bench.write("team.yaml", teamYaml(simulator, ["a", "b"]));
    const { code, out, err } = await bench.run(["--stream-events", "--config", "team.yaml", "Why?"]);
    expect(code).toBe(0);
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly event_type: string; readonly data: Record<string, unknown> });
    expect(events[0]).toMatchObject({ event_type: "session_start", data: { log_dir: lineOf(err, "LOG_DIR") } });
    expect(events.at(-1)).toMatchObject({ event_type: "final_answer", data: { exit_code: 0, answer_file: lineOf(err, "ANSWER_FILE") } });
    expect(events.map((event) => event.event_type)).toEqual(
      expect.arrayContaining(["new_answer", "vote", "final_agent_selected", "session_end"]),
    );
    for (const event of events) expect(Object.keys(event)).toEqual(["timestamp", "event_type", "agent_id", "round_number", "data"]);
    expect(lineOf(err, "WINNER")).toBe("a");
  });
});

describe("a run that is stopped", () => {
  const stoppable = { "a-model": [step.answer("Use LRU."), step.answer("x", slow)], "b-model": [step.answer(2000, slow)] };

  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s: exit 4, INTERRUPTED, a valid status and the partial answers, no request left open",
    async (signal) => {
      const simulator = await bench.simulate({ respond: scriptedTeam(stoppable) });
      await bench.write("team.yaml", teamYaml(simulator, ["a", "b"]));
      const { child, says, ended } = bench.massgen(["--automation", "--config", "team.yaml", "Why?"]);
      await says("[Coordination in progress");
      await untilTrue(() => simulator.requests.some(({ model, lastByteAtMs }) => model === "a-model" && lastByteAtMs !== null));
      await untilTrue(() => simulator.requests.length >= 2);
      child.kill(signal);
      const { code, out, err } = await ended;
      expect(code).toBe(4);
      expect(err).toBe("INTERRUPTED\n");
      const status = await readJson<StatusJson>(lineOf(out, "STATUS"));
      expect(status.finish_reason).toBe("cancelled");
      const files = await readdir(lineOf(out, "LOG_DIR"), { recursive: true });
      const answers = files.filter((file) => file.endsWith("answer.txt"));
      expect(await Promise.all(answers.map((file) => readFile(join(lineOf(out, "LOG_DIR"), file), "utf8")))).toContain("Use LRU.");
      await untilTrue(() => simulator.requests.every(({ lastByteAtMs, clientLeft }) => lastByteAtMs !== null || clientLeft));
    },
  );

  it("EC64: a second interrupt leaves at once, and what is on disk is whole", async () => {
    const simulator = await bench.simulate({ respond: scriptedTeam(stoppable) });
    await bench.write("team.yaml", teamYaml(simulator, ["a", "b"]));
    const { child, says, ended } = bench.massgen(["--automation", "--config", "team.yaml", "Why?"]);
    await says("[Coordination in progress");
    await untilTrue(() => simulator.requests.length >= 2);
    child.kill("SIGINT");
    child.kill("SIGTERM");
    const { code, out } = await ended;
    expect(code).toBe(4);
    expect(await readJson<StatusJson>(lineOf(out, "STATUS"))).toHaveProperty("finish_reason");
    const files = await readdir(lineOf(out, "LOG_DIR"), { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".json"))) await readJson(join(lineOf(out, "LOG_DIR"), file));
  });
});

describe("a run that is killed", () => {
  it("leaves a log that loads and folds up to its last decision", async () => {
    const simulator = await bench.simulate({
      respond: scriptedTeam({
        "a-model": [step.answer("Use LRU."), step.answer("x", slow)],
        "b-model": [step.answer("Use ARC."), step.answer("y", slow)],
      }),
    });
    await bench.write("team.yaml", teamYaml(simulator, ["a", "b"]));
    const { child, says, ended } = bench.massgen(["--automation", "--config", "team.yaml", "Why?"]);
    await says("[Coordination in progress");
    await untilTrue(() => simulator.requests.length >= 4);
    child.kill("SIGKILL");
    const { out } = await ended;
    const records = await readRunLog(lineOf(out, "LOG_DIR"));
    const view = records.reduce(foldRecord, emptyRunView);
    expect(records.at(-1)?.closes).toBe(true);
    expect(view.state.phase).toBe("coordinating");
    expect(view.state.answers.map(({ content }) => content).sort()).toEqual(["Use ARC.", "Use LRU."]);
    expect(await readJson<StatusJson>(lineOf(out, "STATUS"))).toMatchObject({ finish_reason: "in_progress", is_complete: false });
  });
});

describe("keys (SE-03)", () => {
  const inConfig = "sk-planted-CONFIG-7f3a9c1e55aa";
  const inEnvironment = "gsk_planted_ENVIRONMENT_00ff00ff";
  const inDotEnv = "planted-dotenv-1122334455";

  it.each([
    ["good", []],
    ["good", ["--debug"]],
    ["refused", []],
    ["refused", ["--debug"]],
    ["refused", ["--automation", "--debug"]],
    ["refused", ["--stream-events"]],
  ] as const)("are nowhere after a %s run with %j", async (kind, flags) => {
    const simulator = await bench.simulate({
      respond:
        kind === "good"
          ? scriptedTeam()
          : () => ({
              kind: "failure",
              status: 401,
              body: {
                error: {
                  message: `Incorrect API key provided: ${inConfig}. Also ${inEnvironment}, ${inDotEnv}.`,
                  type: "invalid_request_error",
                  code: "invalid_api_key",
                },
              },
            }),
    });
    const url = simulator.baseUrl("chat_completions");
    await bench.write(".env", `QWEN_API_KEY=${inDotEnv}\n`);
    await bench.write(
      "team.yaml",
      [
        "agents:",
        `  - {id: a, backend: {type: chatcompletion, model: a, base_url: "${url}", api_key: "${inConfig}"}}`,
        `  - {id: b, backend: {type: groq, model: b, base_url: "${url}"}}`,
        `  - {id: c, backend: {type: qwen, model: c, base_url: "${url}"}}`,
      ].join("\n"),
    );
    const { code, out, err } = await bench.run(["--config", "team.yaml", ...flags, "Why?"], { env: { GROQ_API_KEY: inEnvironment } });
    expect(code).toBe(kind === "good" ? 0 : 2);
    if (kind === "refused") expect(out + err).toContain("401");
    const files = (await readdir(bench.path(".massgen"), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(5);
    for (const secret of [inConfig, inEnvironment, inDotEnv]) {
      expect(out).not.toContain(secret);
      expect(err).not.toContain(secret);
      for (const file of files) expect(await readFile(join(file.parentPath, file.name), "utf8"), file.name).not.toContain(secret);
    }
    expect(simulator.requests.length).toBeGreaterThanOrEqual(3);
  });
});

/** Looks again and again until it is true; the test's own time limit ends a hopeless wait. */
async function untilTrue(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
