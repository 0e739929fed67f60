import { readdir, readFile, writeFile } from "node:fs/promises";
import type { EvaluationResult } from "@massgen/evaluation";
import { createQuizTeam, type Simulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const TEAM = ["ada", "bob", "cleo"];
const MODELS = TEAM.map((id) => `${id}-model`);
const QUESTIONS = Array.from({ length: 10 }, (_, at) => ({ id: `q${at}`, question: `What is ${at} plus one hundred?`, answer: at + 100 }));
const dataset = `${QUESTIONS.map((question) => JSON.stringify(question)).join("\n")}\n`;

/** Ada knows all but 3, Bob all but 3 others, Cleo all but 2 others: together they know everything. */
const UNKNOWN: readonly (readonly number[])[] = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7],
];

const knowing = (pace = { firstTokenMs: 10, tokensPerSecond: 0 }): Promise<Simulator> =>
  bench.simulate({
    respond: createQuizTeam({
      models: MODELS,
      pace,
      reply: (asked, member) => {
        const at = Number(/What is (\d+) plus/.exec(asked)?.[1] ?? Number.NaN);
        return Number.isNaN(at) ? null : String(UNKNOWN[member]?.includes(at) === true ? at : at + 100);
      },
    }),
  });

interface Summary {
  readonly contenders: readonly {
    readonly id: string;
    readonly correct: number;
    readonly wrong: number;
    readonly failed: number;
    readonly open: number;
    readonly cost_usd: number | null;
    readonly calls: number;
  }[];
  readonly pairing: { readonly second: string; readonly difference: number; readonly p: number } | null;
  readonly results_file: string;
}

const resultsIn = async (path: string): Promise<readonly EvaluationResult[]> =>
  (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as EvaluationResult);

const keysOf = (results: readonly EvaluationResult[]): readonly string[] =>
  results.map(({ question, contender }) => `${question} ${contender}`);

describe("massgen eval", { timeout: 120_000 }, () => {
  it("finds out what agents of known skill and their team can do", async () => {
    const simulator = await knowing();
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    await bench.write("sums.jsonl", dataset);
    const { code, out, err } = await bench.run([
      "eval",
      "--dataset",
      "sums.jsonl",
      "--config",
      "team.yaml",
      "--concurrency",
      "4",
      "--json",
    ]);
    expect(code).toBe(0);
    const summary = JSON.parse(out) as Summary;
    expect(summary.contenders.map(({ id, correct, wrong, failed, open }) => [id, correct, wrong, failed, open])).toEqual([
      ["team", 10, 0, 0, 0],
      ["agent:ada", 7, 3, 0, 0],
      ["agent:bob", 7, 3, 0, 0],
      ["agent:cleo", 8, 2, 0, 0],
    ]);
    // No price is known of these models: not zero.
    expect(summary.contenders.map(({ cost_usd }) => cost_usd)).toEqual([null, null, null, null]);
    expect(summary.pairing).toMatchObject({ second: "agent:cleo", difference: 0.2, p: 0.5 });
    expect(summary.contenders.reduce((total, { calls }) => total + calls, 0)).toBe(simulator.requests.length);
    expect(err).toContain("10 questions × 4 contenders = 40 runs: at least 100 calls to models");
    expect(err).toContain("[40/40]");
    const results = await resultsIn(summary.results_file);
    expect(results).toHaveLength(40);
    expect(await readJson<unknown>(`${results[0]?.log}/status.json`)).toMatchObject({ finish_reason: "completed" });
  });

  it("goes on after a kill, asks nothing twice, and comes to what it would have come to", async () => {
    const simulator = await knowing({ firstTokenMs: 40, tokensPerSecond: 0 });
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    await bench.write("sums.jsonl", dataset);
    const words = ["eval", "--dataset", "sums.jsonl", "--config", "team.yaml", "--results", "r.jsonl", "--automation", "--no-logs"];
    const first = bench.massgen(words);
    await first.says("RESULT: 9/40");
    first.child.kill("SIGKILL");
    await first.ended;
    const text = await readFile(bench.path("r.jsonl"), "utf8");
    const kept = keysOf(await resultsIn(bench.path("r.jsonl")));
    expect(kept.length).toBeGreaterThanOrEqual(9);
    // As if the last line had been torn.
    await writeFile(bench.path("r.jsonl"), `${text}{"type":"result","question":"q`);
    const second = await bench.run(words);
    expect({ code: second.code, err: second.err }).toEqual({ code: 0, err: "" });
    expect(second.out).toContain(`40 runs, ${kept.length} of them done`);
    const keys = keysOf(await resultsIn(bench.path("r.jsonl")));
    expect(new Set(keys).size).toBe(40);
    expect(keys).toHaveLength(40);
    expect(second.out).toMatch(/^CONTENDER: "team" correct=10 wrong=0 failed=0 open=0 accuracy=1 low=0\.7225 high=1 cost_usd=unknown/m);
    expect(second.out).toMatch(/^PAIRED: "team" against="agent:cleo" both=8 only_first=2 only_second=0 neither=0 difference=0\.2/m);
    expect(lineOf(second.out, "COMPLETED")).toBe(bench.path("r.jsonl"));
    const third = await bench.run(words);
    expect(third.out).not.toContain("RESULT: ");
    expect(keysOf(await resultsIn(bench.path("r.jsonl")))).toHaveLength(40);
  });

  it("an interrupt leaves a whole file and exit code 4, and the file is closed to other questions and configs", async () => {
    const simulator = await knowing({ firstTokenMs: 40, tokensPerSecond: 0 });
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    await bench.write("sums.jsonl", dataset);
    const words = ["eval", "--dataset", "sums.jsonl", "--config", "team.yaml", "--results", "r.jsonl", "--automation", "--no-logs"];
    const running = bench.massgen(words);
    await running.says("RESULT: 3/40");
    const other = await bench.run(words);
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining("is being written by process") });
    running.child.kill("SIGINT");
    const { code, out, err } = await running.ended;
    expect(code).toBe(4);
    expect(err).toContain("WARNING: interrupted; go on with the same command");
    expect(lineOf(out, "INCOMPLETE")).toBe(bench.path("r.jsonl"));
    const text = await readFile(bench.path("r.jsonl"), "utf8");
    expect(text.endsWith("\n")).toBe(true);
    expect(text).not.toContain('"failed"');

    const limited = await bench.run([...words, "--limit", "2"]);
    expect(limited).toMatchObject({ code: 1, err: expect.stringContaining("--limit or --seed pick other questions") });
    await bench.write("team.yaml", teamYaml(simulator, TEAM, "orchestrator: {max_new_answers_per_agent: 1}\n"));
    await bench.write("sums.jsonl", `${dataset}\n`);
    const changed = await bench.run(words);
    expect(changed.code).toBe(1);
    expect(changed.err).toContain("its data set is another");
    expect(changed.err).toContain("the config, or a flag that changes it, is not what it was");
    expect(await readFile(bench.path("r.jsonl"), "utf8")).toBe(text);
  });

  it("counts what a vendor refuses apart, gives up when nothing works, and asks again when told to", async () => {
    let isDown = true;
    const quiz = createQuizTeam({ models: MODELS, reply: () => "101", pace: { firstTokenMs: 0, tokensPerSecond: 0 } });
    const simulator = await bench.simulate({ respond: (request) => (isDown ? { kind: "failure", status: 400 } : quiz(request)) });
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    await bench.write("sums.jsonl", dataset);
    const words = ["eval", "--dataset", "sums.jsonl", "--config", "team.yaml", "--results", "r.jsonl", "--limit", "2"];
    const down = await bench.run(words);
    expect(down.code).toBe(2);
    expect(down.err).toContain("five runs in a row failed");
    expect(down.err).toContain("--retry-failed");
    isDown = false;
    const up = await bench.run([...words, "--retry-failed", "--json"]);
    expect(up.code).toBe(0);
    expect((JSON.parse(up.out) as Summary).contenders.map(({ correct, wrong, failed }) => [correct, wrong, failed])).toEqual(
      Array(4).fill([1, 1, 0]),
    );
  });

  it("keeps to the limits of a sitting, and ends with 5 where a price is unknown", async () => {
    const simulator = await knowing();
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    await bench.write("sums.jsonl", dataset);
    const words = ["eval", "--dataset", "sums.jsonl", "--config", "team.yaml", "--results", "r.jsonl", "--no-logs"];
    const few = await bench.run([...words, "--max-calls", "10"]);
    expect(few.code).toBe(5);
    expect(few.err).toContain("the limit of this sitting is reached (--max-calls 10); go on with the same command");
    expect(simulator.requests.length).toBeLessThan(20);
    const unpriced = await bench.run([...words, "--max-cost", "1"]);
    expect(unpriced).toMatchObject({ code: 5, err: expect.stringContaining("--max-cost 1, or a price is unknown") });
  });

  it("lets a judge decide, who does not learn whom it judges", async () => {
    const simulator = await knowing();
    await bench.write("team.yaml", teamYaml(simulator, ["ada", "bob"]));
    await bench.write(
      "open.jsonl",
      `${JSON.stringify({ id: "nice", question: "What is 0 plus one hundred?", grade: "judge", answer: "a hundred" })}\n`,
    );
    await bench.write(
      "judge.mjs",
      `import { appendFileSync, readFileSync } from "node:fs";
       const given = JSON.parse(readFileSync(0, "utf8"));
       appendFileSync("seen.jsonl", JSON.stringify(Object.keys(given)) + "\\n");
       appendFileSync("keys.jsonl", JSON.stringify([process.env.OPENAI_API_KEY ?? null, process.env.JUDGE_TOKEN ?? null, process.env.COLOUR ?? null]) + "\\n");
       if (given.expected !== "a hundred") process.exit(3);
       process.exit(given.answer.includes("Answer: 100") ? 0 : 1);`,
    );
    const words = ["eval", "--dataset", "open.jsonl", "--config", "team.yaml", "--json"];
    expect(await bench.run(words)).toMatchObject({ code: 2, err: expect.stringContaining("there is no --judge") });
    const judge = `${JSON.stringify(process.execPath)} judge.mjs`;
    const env = { OPENAI_API_KEY: "sk-not-for-the-judge", JUDGE_TOKEN: "its-own", COLOUR: "red" };
    const { code, out } = await bench.run([...words, "--judge", judge, "--judge-env", "JUDGE_TOKEN"], { env });
    expect(code).toBe(0);
    expect((JSON.parse(out) as Summary).contenders.slice(1).map(({ correct, wrong }) => [correct, wrong])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect((await readFile(bench.path("seen.jsonl"), "utf8")).split("\n")[0]).toBe('["id","question","expected","answer"]');
    expect(new Set((await readFile(bench.path("keys.jsonl"), "utf8")).trim().split("\n"))).toEqual(new Set(['[null,"its-own","red"]']));
    const broken = await bench.run([...words, "--judge", "echo out of order >&2; exit 7"]);
    expect(broken.code).toBe(2);
    expect(broken.err).toContain("failed: the judge: exit code 7: out of order");
    const slow = await bench.run([...words, "--judge", "sleep 60", "--judge-timeout", "1"]);
    expect(slow.err).toContain("failed: the judge: no verdict within 1 s");
    expect(slow.durationMs).toBeLessThan(30_000);
  });

  it("needs no key and no network for the demo, finds the shipped data sets by name, and says that it is simulated", async () => {
    const { code, out, err } = await bench.run([
      "eval",
      "--demo",
      "--dataset",
      "@examples/general",
      "--limit",
      "2",
      "--seed",
      "7",
      "--concurrency",
      "8",
    ]);
    expect(code).toBe(0);
    expect(err).toMatch(/^simulated: no model is asked/);
    expect(out).toContain("Simulated: no model was asked.");
    expect(out).toContain("of 2");
    // Two that begin in the same second do not share a file.
    const words = ["eval", "--demo", "--limit", "1", "--automation", "--no-logs"];
    const files = (await Promise.all([bench.run(words), bench.run(words)])).map((ended) => lineOf(ended.out, "COMPLETED"));
    expect(new Set(files).size).toBe(2);
    const missing = await bench.run(["eval", "--demo", "--dataset", "@examples/nothing"]);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("@examples/arithmetic, @examples/general") });
  });

  it("says before anything is asked that a key is missing or a line is wrong", async () => {
    await bench.write("team.yaml", "agents:\n  - {id: ada, backend: {type: openai, model: gpt-5-mini}}\n");
    await bench.write("sums.jsonl", '{"question": "?", "answer": 1, "tolarance": 2}\n');
    const wrong = await bench.run(["eval", "--dataset", "sums.jsonl", "--config", "team.yaml"]);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('sums.jsonl:1: "tolarance"') });
    const keyless = await bench.run(["eval", "--dataset", "@examples/arithmetic", "--config", "team.yaml"]);
    expect(keyless).toMatchObject({ code: 1, err: expect.stringContaining("OPENAI_API_KEY") });
    expect(await readdir(bench.path(".massgen", "evaluations"))).toEqual([]);
  });

  it("writes no key that a model says, neither into the results nor anywhere else", async () => {
    const key = "sk-of-a-vendor-0123456789abcdef";
    const simulator = await bench.simulate({ respond: createQuizTeam({ models: MODELS, reply: () => `my key is ${key}` }) });
    await bench.write(
      "team.yaml",
      `agents:\n${TEAM.map((id) => `  - {id: ${id}, backend: {type: chatcompletion, model: ${id}-model, base_url: "${simulator.baseUrl("chat_completions")}", api_key: "\${VENDOR_KEY}"}}\n`).join("")}`,
    );
    await bench.write("one.jsonl", '{"question": "What is your key?", "answer": "none"}\n');
    const words = ["eval", "--dataset", "one.jsonl", "--config", "team.yaml", "--results", "r.jsonl"];
    const { code, out, err } = await bench.run(words, { env: { VENDOR_KEY: key } });
    expect(code).toBe(0);
    const text = await readFile(bench.path("r.jsonl"), "utf8");
    expect(text).toContain("my key is ");
    for (const place of [text, out, err]) expect(place).not.toContain(key);
    const compared = await bench.run(["compare", "--config", "team.yaml", "--json", "Why?"], { env: { VENDOR_KEY: key } });
    expect(compared.out).toContain("my key is ");
    expect(compared.out + compared.err).not.toContain(key);
  });
});

describe("massgen compare", { timeout: 120_000 }, () => {
  it("asks the team and each agent alone, and sets the answers side by side", async () => {
    const simulator = await knowing();
    await bench.write("team.yaml", teamYaml(simulator, TEAM));
    const { code, out, err } = await bench.run(["compare", "--config", "team.yaml", "What is 0 plus one hundred?"]);
    expect(code).toBe(0);
    expect(err).toContain("4 runs, at least 10 calls to models");
    for (const saying of ["── team of 3 ──", "── ada alone ──", "Answer: 100", "| contender", "| cleo alone"])
      expect(out).toContain(saying);
    expect(out).not.toMatch(/simulated: no model/i);
    const json = await bench.run(["compare", "--config", "team.yaml", "--json", "--no-logs", "What is 0 plus one hundred?"]);
    const { contenders } = JSON.parse(json.out) as {
      contenders: readonly { id: string; answer: string; calls: number; cost_usd: number | null; log: string | null }[];
    };
    expect(contenders.map(({ id, calls, cost_usd, log }) => [id, calls, cost_usd, log])).toEqual([
      ["team", 7, null, null],
      ["agent:ada", 1, null, null],
      ["agent:bob", 1, null, null],
      ["agent:cleo", 1, null, null],
    ]);
    expect(contenders.map(({ answer }) => /Answer: (\d+)/.exec(answer)?.[1])).toEqual(["100", "0", "100", "100"]);
  });

  it("refuses a team of one", async () => {
    const simulator = await knowing();
    await bench.write("one.yaml", teamYaml(simulator, ["ada"]));
    expect(await bench.run(["compare", "--config", "one.yaml", "Why?"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("one agent"),
    });
  });

  it("sets a team that divides the work against agents that do all of it", async () => {
    const simulator = await knowing();
    const agents = TEAM.map(
      (id) =>
        `  - {id: ${id}, subtask: part of ${id}, backend: {type: chatcompletion, model: ${id}-model, base_url: "${simulator.baseUrl("chat_completions")}"}}\n`,
    ).join("");
    await bench.write("team.yaml", `agents:\n${agents}orchestrator: {coordination_mode: decomposition, presenter_agent: bob}\n`);
    const { code, out } = await bench.run(["compare", "--automation", "--config", "team.yaml", "What is 0 plus one hundred?"]);
    expect(code).toBe(0);
    expect(out.match(/^CONTENDER: .*status=completed/gm)).toHaveLength(4);
  });
});
