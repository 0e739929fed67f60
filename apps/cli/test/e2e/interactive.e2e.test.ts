import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "@massgen/core";
import type { Respond, SimulatedRequest } from "@massgen/simulator";
import { openTerminal, type Terminal, terminalMissing } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, PROGRAM, readJson, teamYaml } from "./program.js";

let bench: Bench;
const terminals: Terminal[] = [];
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  await Promise.all(terminals.splice(0).map((terminal) => terminal.close()));
  await bench.close();
});

const textOf = ({ system, messages }: SimulatedRequest): string => `${system}\n${messages.map(({ text }) => text).join("\n")}`;

async function team(respond: Respond, ids: readonly string[] = ["solo"]): Promise<SimulatedRequest[]> {
  const requests: SimulatedRequest[] = [];
  const simulator = await bench.simulate({
    respond: (request) => {
      requests.push(request);
      return respond(request);
    },
  });
  await bench.write("team.yaml", teamYaml(simulator, ids));
  return requests;
}

/** The program in a terminal, where it reads lines; what `stty` says of it afterwards is in `stty.txt`. */
async function start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
  const script =
    'trap : INT; before=$(stty -g); "$@"; code=$?; [ "$(stty -g)" = "$before" ] && echo same >stty.txt || echo changed >stty.txt; exit $code';
  const terminal = await openTerminal(["sh", "-c", script, "terminal", process.execPath, PROGRAM, "--display", "rich", ...argv], {
    cwd: bench.folder,
    env: { HOME: bench.folder, ...env },
    columns: 100,
    rows: 40,
  });
  terminals.push(terminal);
  await terminal.waitFor(/^> ?$/m, { timeoutMs: 20_000 });
  return terminal;
}

const send = async (terminal: Terminal, line: string): Promise<void> => {
  await terminal.type(line);
  await terminal.press("Enter");
};
const echo: Respond = (request) => ({ kind: "message", text: `Echo ${request.index + 1}.` });
const SLOW = { firstTokenMs: 30, tokensPerSecond: 20 };

describe.skipIf(terminalMissing() !== null)("interactive mode", () => {
  it("keeps a conversation, answers commands, and leaves with 0 and the terminal as it was", async () => {
    const requests = await team(echo);
    const terminal = await start(["--config", "team.yaml"]);
    await send(terminal, "Which cache?");
    await terminal.waitFor(/cost unknown\n> ?$/m);
    await terminal.paste("one\ntwo");
    await terminal.waitFor("one␊two");
    await terminal.press("Enter");
    await terminal.waitFor("Echo 2.");
    expect(textOf(requests[1]!)).toContain("one\ntwo");
    expect(textOf(requests[1]!)).toContain("Which cache?");
    for (const line of ['"""three', 'four"""']) await send(terminal, line);
    await terminal.waitFor("Echo 3.");
    expect(textOf(requests[2]!)).toContain("three\nfour");
    await send(terminal, "/inspect all");
    await terminal.waitFor(/turn 3 · .* · by solo · three four/);
    await send(terminal, "/hlep");
    await terminal.waitFor("did you mean /help?");
    await terminal.type("Which");
    await terminal.press("C-r");
    await terminal.waitFor(/^> Which cache\?$/m);
    await terminal.press("C-c");
    await send(terminal, "/save");
    await terminal.waitFor("answer.md");
    expect(await readFile(bench.path("answer.md"), "utf8")).toBe("Echo 3.\n");
    await send(terminal, "/quit");
    expect(await terminal.waitForExit()).toBe(0);
    expect(await readFile(bench.path("stty.txt"), "utf8")).toBe("same\n");
    expect(requests).toHaveLength(3);
  });

  it("--continue shows with what the conversation had got to", async () => {
    await team(echo);
    for (const question of ["Which cache?", "And for writes?"])
      expect((await bench.run(["--automation", "--config", "team.yaml", "--session-id", "talk", question])).code).toBe(0);
    const terminal = await start(["--continue"]);
    const screen = await terminal.screen();
    expect(screen).toContain("2 turns so far; /history shows them. The last:\n> And for writes?\nEcho 2.\n");
  });

  it("TT-03: Ctrl+C cancels a turn and comes back, the next turn knows what there was, a second Ctrl+C leaves with 4", async () => {
    const requests = await team(
      (request) => {
        if (request.model === "ada-model" && request.index === 0)
          return { kind: "message", toolCalls: [{ name: "new_answer", input: { content: "LRU, as a start." } }] };
        return { kind: "message", text: "word ".repeat(4000), pace: SLOW };
      },
      ["ada", "bob", "cyd"],
    );
    const terminal = await start(["--config", "team.yaml"]);
    await send(terminal, "Which cache?");
    await terminal.waitFor("answer agent1.1");
    await terminal.press("C-c");
    await terminal.waitFor("cancelled; what the agents had is kept");
    await terminal.waitFor(/kept for the next question\n> ?$/m);
    const before = requests.length;
    await sleep(2100);
    await send(terminal, "Go on.");
    await expect.poll(() => requests.length).toBeGreaterThan(before);
    expect(textOf(requests[before]!)).toContain("agent1: LRU, as a start.");
    await terminal.waitFor(/> Go on\.[\s\S]*running/);
    await terminal.press("C-c");
    await terminal.press("C-c");
    expect(await terminal.waitForExit()).toBe(4);
    expect(await readFile(bench.path("stty.txt"), "utf8")).toBe("same\n");
  });

  it("Ctrl+C twice at the prompt leaves with 4, Ctrl+D with 0, SIGTERM with 4", async () => {
    await team(echo);
    const first = await start(["--config", "team.yaml"]);
    await first.type("half a question");
    await first.press("C-c");
    await first.press("C-c");
    expect(await first.waitForExit()).toBe(4);
    const second = await start(["--config", "team.yaml"]);
    await second.press("C-d");
    expect(await second.waitForExit()).toBe(0);
    const third = await start(["--config", "team.yaml"]);
    process.kill(await programOf(third), "SIGTERM");
    expect(await third.waitForExit()).toBe(4);
    expect(await readFile(bench.path("stty.txt"), "utf8")).toBe("same\n");
    expect(await readdir(bench.folder)).not.toContain(".massgen");
  });
});

const KILLS = Number(process.env["MASSGEN_TEST_KILLS"] ?? 10);
const SEED = Number(process.env["MASSGEN_TEST_SEED"] ?? 7);

/** Questions whose runs ended with an answer, as their logs say. */
async function finishedQuestions(): Promise<readonly string[]> {
  const questions: string[] = [];
  const base = bench.path(".massgen", "massgen_logs");
  for (const root of await readdir(base)) {
    for (const name of (await readdir(join(base, root))).filter((entry) => entry.startsWith("turn_"))) {
      const text = await readFile(join(base, root, name, "events.jsonl"), "utf8").catch(() => "");
      const question = /"question":"(Question \d+)"/.exec(text)?.[1];
      if (question !== undefined && text.includes('"session_end"')) questions.push(question);
    }
  }
  return questions;
}

describe.skipIf(terminalMissing() !== null)(`kill -9 at ${KILLS} moments of a conversation (seed ${SEED})`, () => {
  it("--continue always works, and no turn that was finished is lost", { timeout: 30_000 + KILLS * 15_000 }, async () => {
    await team((request) => ({
      kind: "message",
      text: `Echo ${request.index}. ${"word ".repeat(12)}`,
      pace: { firstTokenMs: 20, tokensPerSecond: 120 },
    }));
    const random = seededRandom(SEED);
    expect((await bench.run(["--automation", "--config", "team.yaml", "--session-id", "talk", "Question 0"])).code).toBe(0);
    const lost: string[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const terminal = await start(["--continue"]);
      await send(terminal, `Question ${kill}`);
      // From before the run has begun until after it has been shown; what a look takes here is part of the chance.
      await sleep(random() * 900);
      process.kill(await programOf(terminal), "SIGKILL");
      await terminal.close();
      terminals.splice(terminals.indexOf(terminal), 1);
      // The lock of the dead process and whatever was half written must not matter to the next one.
      const next = await bench.run(["--no-display", "--continue", "--config", "nope.yaml", "never asked"]);
      expect(next.err).toContain("going on with session talk");
      const kept = await keptQuestions();
      for (const question of await finishedQuestions()) if (!kept.includes(question)) lost.push(`${question} after kill ${kill}`);
    }
    expect(lost).toEqual([]);
    expect((await bench.run(["--automation", "--continue", "The last question"])).code).toBe(0);
    expect(await keptQuestions()).toContain("The last question");
    expect(JSON.parse((await bench.run(["--list-sessions", "--json"])).out)).toMatchObject({
      total: 1,
      sessions: [{ session_id: "talk", status: "completed" }],
    });
  });
});

async function keptQuestions(): Promise<readonly string[]> {
  const folder = bench.path(".massgen", "sessions", "talk");
  const turns = (await readdir(folder)).filter((name) => name.startsWith("turn_"));
  const read = turns.map((turn) =>
    readJson<{ readonly task: string }>(join(folder, turn, "metadata.json")).then(
      ({ task }) => task,
      () => "",
    ),
  );
  return Promise.all(read);
}

/** The process of the program itself, which the shell of the terminal has started. */
async function programOf(terminal: Terminal): Promise<number> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (new RegExp(`^PPid:\\t${terminal.pid}$`, "m").test(status) && command.includes("massgen.cjs")) return Number(pid);
  }
  throw new Error("the program does not run");
}
