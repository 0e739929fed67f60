import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Respond, type SimulatedRequest, scriptedTeam, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const textOf = ({ system, messages }: SimulatedRequest): string => `${system}\n${messages.map(({ text }) => text).join("\n")}`;

/** One agent on a stand-in; every request is kept. */
async function solo(respond: Respond, more = ""): Promise<SimulatedRequest[]> {
  const requests: SimulatedRequest[] = [];
  const simulator = await bench.simulate({
    respond: (request) => {
      requests.push(request);
      return respond(request);
    },
  });
  await bench.write("team.yaml", teamYaml(simulator, ["solo"]).replace("}\n", `${more}}\n`));
  return requests;
}

const sessionsIn = (...path: readonly string[]): string => bench.path(".massgen", "sessions", ...path);

describe("sessions over processes", () => {
  it("--continue goes on from a question that was asked alone, in the same log, with what came of it", async () => {
    const requests = await solo(scriptedTeam({ "solo-model": [step.text("LRU."), step.text("Write-back."), step.text("Five minutes.")] }));
    const first = await bench.run(["--automation", "--config", "team.yaml", "Which cache?"]);
    const root = lineOf(first.out, "LOG_DIR");
    const second = await bench.run(["--automation", "--continue", "And for writes?"]);
    expect([first.code, second.code, second.err]).toEqual([
      0,
      0,
      expect.stringMatching(/note: going on with session session_\S+, 1 turn\n$/),
    ]);
    expect(textOf(requests[1]!)).toContain("Which cache?");
    expect(textOf(requests[1]!)).toContain("LRU.");
    expect(lineOf(second.out, "LOG_DIR")).toBe(root);
    expect(lineOf(second.out, "STATUS")).toBe(join(root, "status.json"));
    expect(await readFile(lineOf(second.out, "ANSWER_FILE"), "utf8")).toBe("Write-back.");
    // The first turn keeps its place, and what the root shows of the newest turn is kept for it.
    expect(await readFile(join(root, "turn_1", "final", "solo", "answer.txt"), "utf8")).toBe("LRU.");
    const third = await bench.run(["--automation", "--continue", "How long?"]);
    expect(third.code).toBe(0);
    const index = await readJson<{ readonly turns: readonly { readonly attempts: readonly { readonly dir: string }[] }[] }>(
      join(root, "index.json"),
    );
    expect(index.turns.map(({ attempts }) => attempts[0]?.dir)).toEqual([".", "turn_2", "turn_3"]);
    expect((await readJson<{ readonly meta: object }>(join(root, "status.json"))).meta).toMatchObject({ turn: 3 });
    const list = await bench.run(["--list-sessions", "--json"]);
    expect(JSON.parse(list.out)).toMatchObject({ total: 1, sessions: [{ turns: 3, status: "completed", description: "Which cache?" }] });
    expect((await bench.run(["--list-sessions"])).out).toMatch(/^session +start +turns +status +config +question\n.*Which cache\?\n$/);
  });

  it("--session-id names a session, which goes on from any folder", async () => {
    const requests = await solo(scriptedTeam({ "solo-model": [step.text("LRU."), step.text("Write-back.")] }));
    const first = await bench.run(["--automation", "--config", "team.yaml", "--session-id", "caches", "Which cache?"]);
    expect(first.err).toContain("note: new session caches\n");
    const second = await bench.run(["--automation", "--session-id", "caches", "And for writes?"]);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(textOf(requests[1]!)).toContain("LRU.");
    expect((await readdir(sessionsIn("caches"))).sort()).toEqual([
      "SESSION_SUMMARY.txt",
      "turn_1",
      "turn_2",
      "winning_agents_history.json",
    ]);
  });

  it("T7.10: without a session to go on with, and with a bad id: exit 1 and 2, and why", async () => {
    await solo(scriptedTeam());
    const none = await bench.run(["--continue", "--config", "team.yaml", "Why?"]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("There is no session to go on with")]);
    const bad = await bench.run(["--session-id", "../x", "--config", "team.yaml", "Why?"]);
    expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('"../x" is no id of a session')]);
  });

  it("--no-session-registry and --no-logs keep nothing to go on with", async () => {
    await solo(scriptedTeam());
    for (const flag of ["--no-session-registry", "--no-logs"])
      expect((await bench.run(["--automation", "--config", "team.yaml", flag, "Why?"])).code).toBe(0);
    expect(await readdir(bench.path(".massgen"))).toEqual(["massgen_logs"]);
  });

  it("SE-01 11: a turn whose process is killed: interrupted in the list, and the last whole turn is gone on from", async () => {
    const requests = await solo((request) =>
      textOf(request).includes("And for reads?")
        ? { kind: "mute" }
        : { kind: "message", text: request.index === 0 ? "LRU." : "Write-back." },
    );
    await bench.run(["--automation", "--config", "team.yaml", "Which cache?"]);
    const { child, ended, says } = bench.massgen(["--automation", "--continue", "And for reads?"]);
    await says("QUESTION: And for reads?");
    child.kill("SIGKILL");
    await ended;
    expect(JSON.parse((await bench.run(["--list-sessions", "--json"])).out)).toMatchObject({
      sessions: [{ status: "interrupted", turns: 1 }],
    });
    const { code, err } = await bench.run(["--automation", "--continue", "And for writes?"]);
    expect([code, err]).toEqual([0, expect.stringContaining("Turn 2 was cut off before it had a result; it is left out.")]);
    const prompt = textOf(requests.at(-1)!);
    expect([prompt.includes("LRU."), prompt.includes("And for reads?")]).toEqual([true, false]);
    expect((await readJson<{ readonly task: string }>(sessionsIn((await readdir(sessionsIn()))[0]!, "turn_3", "metadata.json"))).task).toBe(
      "And for writes?",
    );
  });

  it("SE-01 12: a turn that cannot be saved: the answer is printed, the folder is named, exit 2", async () => {
    await solo(scriptedTeam({ "solo-model": [step.text("LRU."), step.text("Write-back.")] }));
    await bench.run(["--automation", "--config", "team.yaml", "--session-id", "full", "Which cache?"]);
    const { ended } = bench.massgen(["--no-display", "--session-id", "full", "And for writes?"], {
      // A disk that takes no more, for this one file: nothing can be made in the folder of the turn.
      through: [
        "sh",
        "-c",
        `"$@" & pid=$!; while ! [ -d ${sessionsIn("full", "turn_2")} ]; do :; done; mkdir -p ${sessionsIn("full", "turn_2", "answer.txt.tmp")}; wait $pid`,
        "full",
      ],
    });
    const { code, out, err } = await ended;
    expect([code, out]).toEqual([2, expect.stringContaining("Write-back.")]);
    expect(err).toContain(sessionsIn("full", "turn_2"));
    expect((await readJson<{ readonly status: string }>(sessionsIn("full", "turn_1", "metadata.json"))).status).toBe("complete");
  });
});

describe("runs side by side (SE-02)", () => {
  it("three in each of two folders below one: six logs where they were started, six answers, six in the list", {
    timeout: 60_000,
  }, async () => {
    await solo((request) => ({ kind: "message", text: `Answer to ${/Question \d/.exec(textOf(request))?.[0]}` }));
    const folders = ["one", "two"].map((name) => bench.path(name));
    for (const folder of folders) await mkdir(folder);
    const starts = [1, 2, 3, 4, 5, 6].map((number) => ({ question: `Question ${number}`, cwd: folders[number % 2]! }));
    const runs = await Promise.all(
      starts.map(({ question, cwd }) =>
        bench.run(["--automation", "--config", bench.path("team.yaml"), question], {
          through: ["sh", "-c", `cd '${cwd}' && exec "$@"`, "in"],
        }),
      ),
    );
    expect(runs.map(({ code }) => code)).toEqual(starts.map(() => 0));
    expect(new Set(runs.map(({ out }) => lineOf(out, "LOG_DIR"))).size).toBe(6);
    for (const [place, { out }] of runs.entries()) {
      expect(lineOf(out, "LOG_DIR")).toContain(starts[place]!.cwd);
      expect(await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).toBe(`Answer to ${starts[place]!.question}`);
    }
    expect(JSON.parse((await bench.run(["--list-sessions", "--all", "--json"])).out).total).toBe(6);
  });

  it("twenty at once in one folder: twenty complete logs, no file shared, every one in the list", { timeout: 120_000 }, async () => {
    const COUNT = 20;
    // Each writes down its question; what is in its folder at the end must be its own.
    await solo((request) => {
      const question = /Question \d+ of \d+/.exec(textOf(request))?.[0] ?? "?";
      return request.messages.some(({ role }) => role === "tool")
        ? { kind: "message", text: `Answer to ${question}` }
        : { kind: "message", toolCalls: [{ name: "write_file", input: { path: "question.txt", content: question } }] };
    }, ", cwd: work");
    const questions = Array.from({ length: COUNT }, (_, index) => `Question ${index + 1} of ${COUNT}`);
    const runs = await Promise.all(questions.map((question) => bench.run(["--automation", "--config", "team.yaml", question])));
    expect(runs.map(({ code, err }) => [code, err.replace(/^WARNING: .*\n/gm, "")])).toEqual(questions.map(() => [0, ""]));
    expect(new Set(runs.map(({ out }) => lineOf(out, "LOG_DIR"))).size).toBe(COUNT);
    for (const [index, { out }] of runs.entries()) {
      expect(await readJson(lineOf(out, "STATUS"))).toMatchObject({ is_complete: true, finish_reason: "completed" });
      expect(await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).toBe(`Answer to ${questions[index]}`);
      expect(await readFile(join(lineOf(out, "FINAL_DIR"), "solo", "workspace", "question.txt"), "utf8")).toBe(questions[index]);
    }
    const { sessions, total } = JSON.parse((await bench.run(["--list-sessions", "--all", "--json"])).out);
    expect(total).toBe(COUNT);
    expect(new Set(sessions.map((row: { readonly session_id: string }) => row.session_id)).size).toBe(COUNT);
    expect(sessions.map((row: { readonly description: string }) => row.description).toSorted()).toEqual(questions.toSorted());
    expect(
      sessions.every((row: { readonly status: string; readonly turns: number }) => row.status === "completed" && row.turns === 1),
    ).toBe(true);
    for (const { session_id: id, description } of sessions as readonly { readonly session_id: string; readonly description: string }[]) {
      expect(await readFile(sessionsIn(id, "turn_1", "workspace", "question.txt"), "utf8")).toBe(description);
      expect(await readFile(sessionsIn(id, "turn_1", "answer.txt"), "utf8")).toBe(`Answer to ${description}`);
    }
  });
});
