import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimulatedReply, SimulatedRequest, Simulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, hasTerminal, lineOf, openBench, pressUntilEnded, readJson } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  for (const [name, text] of Object.entries(PROJECT)) {
    await mkdir(dirname(bench.path("project", name)), { recursive: true });
    await writeFile(bench.path("project", name), text);
  }
});
afterEach(() => bench.close());

/** A small library with a seeded bug, and the test that finds it. */
const PROJECT: Readonly<Record<string, string>> = {
  "src/median.mjs": `export function median(numbers) {
  const sorted = [...numbers].sort();
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
`,
  "test/median.test.mjs": `import assert from "node:assert/strict";
import { test } from "node:test";
import { median } from "../src/median.mjs";
test("numbers are compared as numbers", () => assert.equal(median([1, 9, 10]), 9));
`,
  "package.json": '{ "name": "median", "type": "module", "scripts": { "test": "node --test" } }\n',
  "notes.txt": "alpha\r\nbeta\r\ngamma\r\n",
  "price.txt": "alpha costs\n",
  ".env": "TOKEN=CANARY-env\n",
};
const text = (...path: string[]): Promise<string> => readFile(bench.path("project", ...path), "utf8");
const FIXED = (PROJECT["src/median.mjs"] ?? "").replace(".sort()", ".sort((a, b) => a - b)");

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number | boolean>>;
}
const read = (path: string): Call => ({ name: "read_file", input: { path } });
const write = (path: string, content: string): Call => ({ name: "write_file", input: { path, content } });
const edit = (path: string, old_string: string, new_string: string): Call => ({
  name: "edit_file",
  input: { path, old_string, new_string },
});
const shell = (command: string, more: Call["input"] = {}): Call => ({ name: "execute_command", input: { command, ...more } });

interface Script {
  readonly work?: (agent: string) => readonly Call[];
  /** Before it votes for agent2; `view` is where it finds the others' files. */
  readonly judge?: (view: string) => readonly Call[];
  readonly present?: readonly Call[];
  /** Told of every request, before it is answered. */
  readonly onRequest?: (request: SimulatedRequest, isPresenting: boolean) => void | Promise<void>;
}

interface Vendor {
  readonly simulator: Simulator;
  readonly results: (agent: string) => readonly string[];
  readonly prompts: () => readonly string[];
}

const textOf = (request: SimulatedRequest): string => [request.system, ...request.messages.map(({ text }) => text)].join("\n");
const toolTexts = (request: SimulatedRequest): readonly string[] =>
  request.messages.filter(({ role }) => role === "tool").map(({ text }) => text);

/** A vendor whose models do what a script says, one call a response. */
async function vendor({ work = () => [], judge = () => [], present = [], onRequest }: Script): Promise<Vendor> {
  const requests: SimulatedRequest[] = [];
  const respond = async (request: SimulatedRequest): Promise<SimulatedReply> => {
    requests.push(request);
    const said = textOf(request);
    const isPresenting = said.includes("The team has decided");
    await onRequest?.(request, isPresenting);
    const isJudging = !isPresenting && said.includes("<current_answers>");
    const view = /stand below (\S+), in a folder/.exec(said)?.[1] ?? "";
    const agent = request.model.replace("-model", "");
    const next = (isPresenting ? present : isJudging ? judge(view) : work(agent))[toolTexts(request).length];
    if (next !== undefined) return { kind: "message", toolCalls: [next] };
    if (isPresenting) return { kind: "message", text: "Fixed: numbers are compared as numbers." };
    if (isJudging) return { kind: "message", toolCalls: [{ name: "vote", input: { agent_id: "agent2", reason: "its test passes" } }] };
    return { kind: "message", toolCalls: [{ name: "new_answer", input: { content: `The fix of ${agent} is in median.mjs.` } }] };
  };
  return {
    simulator: await bench.simulate({ respond }),
    results: (agent) => requests.filter(({ model }) => model === `${agent}-model`).flatMap((request) => toolTexts(request).slice(-1)),
    prompts: () => requests.map(textOf),
  };
}

const hasSandbox = process.platform === "linux" && spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-net", "true"]).status === 0;

async function configFor(simulator: Simulator, ids: readonly string[]): Promise<void> {
  const agents = ids.map(
    (id) =>
      `  - id: ${id}
    backend: {type: chatcompletion, model: ${id}-model, base_url: "${simulator.baseUrl("chat_completions")}", cwd: work, enable_mcp_command_line: true, command_line_sandbox: "${hasSandbox ? "auto" : "off"}"}\n`,
  );
  await bench.write("team.yaml", `agents:\n${agents.join("")}orchestrator:\n  context_paths:\n    - {path: project, permission: write}\n`);
}

const TEAM = ["zoe", "adam", "mia"];
const project = (name: string): string => bench.path("project", name);

describe("a team on a project", { timeout: 60_000 }, () => {
  it("EC56 FS-01 FS-02 FS-03: the winner's change arrives, the losers' never; secrets stay; peers are anonymous", async () => {
    const { simulator, results, prompts } = await vendor({
      work: (agent) => [
        read(project("src/median.mjs")),
        shell(`cp -r ${project("src")} ${project("test")} ${project("package.json")} . && node --test 2>&1 | tail -12`),
        write(project("src/median.mjs"), `// by ${agent}\n`),
        read(project(".env")),
        write("median.mjs", `// the version of ${agent}\n${FIXED}`),
      ],
      judge: (view) => [read(join(view, "agent2/median.mjs")), write(join(view, "agent2/median.mjs"), "spoiled")],
      present: [
        read(project("src/median.mjs")),
        edit(project("src/median.mjs"), ".sort()", ".sort((a, b) => a - b)"),
        shell("node --test 2>&1 | tail -12", { work_dir: bench.path("project") }),
        read(project("notes.txt")),
        edit(project("notes.txt"), "beta", "BETA\nmore"),
        read(project("price.txt")),
        edit(project("price.txt"), "alpha", "$& $1 $$ \\0"),
        shell("cat"),
        shell("sleep 300 & sleep 300", { timeout: 1 }),
        write(project(".env"), "TOKEN=spoiled\n"),
      ],
    });
    await configFor(simulator, TEAM);
    const { code, out, err, durationMs } = await bench.run(["--automation", "--config", "team.yaml", "Make the test pass."]);
    expect({ code, err: err.replace(/^WARNING: Commands run .*\n/gm, "") }).toEqual({ code: 0, err: "" });
    expect(await text("src/median.mjs")).toBe(FIXED);
    expect(await text("notes.txt")).toBe("alpha\r\nBETA\r\nmore\r\ngamma\r\n");
    expect(await text("price.txt")).toBe("$& $1 $$ \\0 costs\n");
    expect(await text(".env")).toBe(PROJECT[".env"]);
    expect((await readdir(bench.path("project"))).toSorted()).toEqual([".env", "notes.txt", "package.json", "price.txt", "src", "test"]);
    expect(lineOf(out, "WINNER")).toBe("adam");
    expect(lineOf(out, "FILES_CHANGED")).toBe("3");
    expect(await readJson(lineOf(out, "CHANGES_FILE"))).toMatchObject({ presenter: "adam", decided_by: "run" });
    expect(await readFile(join(lineOf(out, "FINAL_DIR"), "adam/workspace/median.mjs"), "utf8")).toContain("the version of adam");
    // The test failed before and passes after; what never comes back came back.
    const before = results("zoe").join("\n");
    expect(before).toMatch(/# fail 1/);
    expect(before).toContain("READ_ONLY");
    expect(before).toContain("the version of adam");
    const after = results("adam").join("\n");
    expect(after).toMatch(/# pass 1/);
    expect(after).toContain("TOOL_TIMEOUT");
    expect(durationMs).toBeLessThan(45_000);
    for (const prompt of prompts()) {
      expect(prompt).not.toContain("CANARY");
      if (prompt.includes("<current_answers>"))
        expect(prompt.replaceAll(/The (fix|version) of \w+/g, "").replaceAll(/of (zoe|adam|mia)\b/g, "")).not.toMatch(/\b(zoe|adam|mia)\b/);
    }
    // Step folders of the log have the files of their answer.
    const log = lineOf(out, "LOG_DIR");
    const [step = ""] = await readdir(join(log, "mia"));
    expect(await readFile(join(log, "mia", step, "workspace/median.mjs"), "utf8")).toContain("the version of mia");
  });

  it("leaves the project as it was when it is killed while presenting, and ends with --resume", async () => {
    let kill = (): void => {};
    const present = [
      read(project("src/median.mjs")),
      edit(project("src/median.mjs"), ".sort()", ".sort((a, b) => a - b)"),
      shell("sleep 0.1"),
    ];
    let seen = 0;
    const { simulator } = await vendor({
      work: () => [write("median.mjs", FIXED)],
      present,
      onRequest: async (request, isPresenting) => {
        // The change is made, and the text is under way.
        if (!isPresenting || toolTexts(request).length < present.length || seen++ > 0) return;
        kill();
        await new Promise((resolve) => setTimeout(resolve, 50));
      },
    });
    await configFor(simulator, TEAM);
    const { child, ended } = bench.massgen(["--automation", "--config", "team.yaml", "Make the test pass."]);
    kill = () => child.kill("SIGKILL");
    const { out } = await ended;
    const log = lineOf(out, "LOG_DIR");
    expect(await text("src/median.mjs")).toBe(PROJECT["src/median.mjs"]);
    const resumed = await bench.run(["--automation", "--resume", log]);
    expect(resumed.code).toBe(0);
    expect(await text("src/median.mjs")).toBe(FIXED);
    expect(lineOf(resumed.out, "FILES_CHANGED")).toBe("1");
    expect(existsSync(bench.path(".massgen/undelivered"))).toBe(true);
    expect(await readdir(bench.path(".massgen/undelivered"))).toEqual([]);
  });

  it("T1.11: two runs in one folder at once end without meeting each other's files", async () => {
    const { simulator } = await vendor({ work: (agent) => [write(`${agent}.md`, `by ${agent}`)] });
    const agents = (ids: readonly string[]): string =>
      ids
        .map(
          (id) =>
            `  - {id: ${id}, backend: {type: chatcompletion, model: ${id}-model, base_url: "${simulator.baseUrl("chat_completions")}", cwd: work}}\n`,
        )
        .join("");
    await bench.write("one.yaml", `agents:\n${agents(["ada", "bob"])}`);
    await bench.write("two.yaml", `agents:\n${agents(["cyd", "dan"])}`);
    const ends = await Promise.all(["one", "two"].map((name) => bench.run(["--automation", "--config", `${name}.yaml`, "Write."])));
    for (const [index, { code, out }] of ends.entries()) {
      expect(code).toBe(0);
      const winner = index === 0 ? "bob" : "dan";
      expect(lineOf(out, "WINNER")).toBe(winner);
      expect(await readdir(join(lineOf(out, "FINAL_DIR"), winner, "workspace"))).toEqual([`${winner}.md`]);
    }
    expect(await readdir(bench.path(".massgen/temp_workspaces"))).toEqual([]);
  });

  it("T1.12: what a killed run left is swept by the next one, but for its snapshots; no process outlives it", async () => {
    let kill = (): void => {};
    const mark = `9${String(process.pid).padStart(7, "0")}`;
    const { simulator } = await vendor({
      work: () => [write("a.md", "x")],
      judge: () => [shell(`sleep ${mark}`, { run_in_background: true }), shell(`sleep ${mark}`)],
      onRequest: async (request) => {
        if (textOf(request).includes("<current_answers>") && toolTexts(request).length === 1) setTimeout(kill, 300);
      },
    });
    await configFor(simulator, ["ada", "bob"]);
    const { child, ended } = bench.massgen(["--automation", "--config", "team.yaml", "Write."]);
    kill = () => child.kill("SIGKILL");
    await ended;
    expect(await readdir(bench.path(".massgen/temp_workspaces"))).toHaveLength(1);
    const isGone = (): boolean => !spawnSync("ps", ["-eo", "args"]).stdout.toString().includes(`sleep ${mark}`);
    for (let waited = 0; !isGone() && waited < 5000; waited += 100) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isGone(), "5 s after the kill nothing it started runs").toBe(true);
    const other = await vendor({ work: () => [write("b.md", "y")] });
    await configFor(other.simulator, ["ada", "bob"]);
    expect((await bench.run(["--automation", "--config", "team.yaml", "Write."])).code).toBe(0);
    expect(await readdir(bench.path(".massgen/temp_workspaces"))).toEqual([]);
    expect(await readdir(bench.path(".massgen/home"))).toEqual([]);
    expect(await readdir(bench.path(".massgen/snapshots"))).toHaveLength(2);
  });
});

describe("Ctrl+C during a command", { timeout: 60_000 }, () => {
  it("T1.17: ends it with all it started within 3 s, saves what there is, and ends with 4", async () => {
    const mark = `8${String(process.pid).padStart(7, "0")}`;
    const running: { stop: () => void } = { stop: () => {} };
    const { simulator } = await vendor({
      work: () => [write("a.md", "half"), shell(`sleep ${mark} & sleep ${mark}`)],
      onRequest: (request) => {
        // The command begins when this answer has arrived.
        if (toolTexts(request).length === 1) setTimeout(running.stop, 1000);
      },
    });
    await configFor(simulator, ["ada"]);
    const { child, ended } = bench.massgen(["--automation", "--config", "team.yaml", "Write."]);
    let stoppedMs = 0;
    running.stop = () => {
      stoppedMs = performance.now();
      child.kill("SIGINT");
    };
    const { code, out } = await ended;
    expect(code).toBe(4);
    expect(performance.now() - stoppedMs).toBeLessThan(5000);
    expect(spawnSync("ps", ["-eo", "args"]).stdout.toString()).not.toContain(`sleep ${mark}`);
    expect(await readJson(join(lineOf(out, "LOG_DIR"), "status.json"))).toMatchObject({ finish_reason: "cancelled" });
    expect(await readdir(bench.path(".massgen/temp_workspaces"))).toEqual([]);
  });
});

describe("--review", { timeout: 60_000 }, () => {
  const fixing = (): readonly Call[] => [
    read(project("src/median.mjs")),
    edit(project("src/median.mjs"), ".sort()", ".sort((a, b) => a - b)"),
    write(project("new.sh"), "echo\n"),
  ];

  it("without a terminal is refused before any model is asked", async () => {
    const { simulator } = await vendor({});
    await configFor(simulator, TEAM);
    const { code, err } = await bench.run(["--review", "--config", "team.yaml", "Why?"]);
    expect(code).toBe(2);
    expect(err).toContain("--review asks before file changes are applied, and there is no terminal to ask on.");
    expect(simulator.requests).toHaveLength(0);
  });

  it.skipIf(!hasTerminal)("shows the changes and brings those that are accepted", async () => {
    const { simulator } = await vendor({ present: fixing() });
    await configFor(simulator, TEAM);
    const { says, type, ended } = bench.massgen(["--display", "rich", "--review", "--config", "team.yaml", "Make the test pass."], {
      terminal: { columns: 160, rows: 40 },
    });
    await says("decide [l]ater:");
    expect(await text("src/median.mjs")).toBe(PROJECT["src/median.mjs"]);
    type("d\r");
    await says("+  const sorted = [...numbers].sort((a, b) => a - b);");
    type("s\r");
    await says(`1. added     ${project("new.sh")}  +1 · tools run it by themselves\r\n     [y]es`);
    type("n\r");
    await says("  +1 -1\r\n     [y]es");
    type("y\r");
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toContain("1 file changed");
    expect(out).toContain("1 change not applied");
    expect(await text("src/median.mjs")).toBe(FIXED);
    expect(existsSync(project("new.sh"))).toBe(false);
  });

  it.skipIf(!hasTerminal)("on the whole terminal shows files and diffs, and brings what is marked", async () => {
    const { simulator } = await vendor({ present: fixing() });
    await configFor(simulator, TEAM);
    const { says, type, ended } = bench.massgen(["--review", "--config", "team.yaml", "Make the test pass."], {
      terminal: { columns: 160, rows: 40 },
    });
    await says("nothing is applied yet");
    type("\u001b[B");
    type("\r");
    await says("+  const sorted = [...numbers].sort((a, b) => a - b);");
    expect(await text("src/median.mjs")).toBe(PROJECT["src/median.mjs"]);
    type(" ");
    await says("y apply the 1 marked");
    const { code, out } = await pressUntilEnded({ type, ended }, "y");
    expect(code).toBe(0);
    expect(out).toContain("1 file changed");
    expect(await text("src/median.mjs")).toBe(FIXED);
    expect(existsSync(project("new.sh"))).toBe(false);
  });

  it.skipIf(!hasTerminal)("that is killed while it asks goes on with --resume", async () => {
    const { simulator } = await vendor({ present: fixing() });
    await configFor(simulator, TEAM);
    const first = bench.massgen(["--display", "rich", "--review", "--config", "team.yaml", "Make the test pass."], {
      terminal: { columns: 160, rows: 40 },
    });
    await first.says("decide [l]ater:");
    spawnSync("pkill", ["-KILL", "-P", String(first.child.pid)]);
    await first.ended;
    expect(await text("src/median.mjs")).toBe(PROJECT["src/median.mjs"]);
    const told = await bench.run(["--resume", "latest"]);
    expect(told.err).toContain("nobody has decided yet");
    expect(told.err).toContain("massgen --resume <log> --review");
    expect(await text("src/median.mjs")).toBe(PROJECT["src/median.mjs"]);
    const second = bench.massgen(["--display", "rich", "--resume", "latest"], { terminal: { columns: 160, rows: 40 } });
    await second.says("decide [l]ater:");
    second.type("a\r");
    const { out } = await second.ended;
    expect(out).toContain("2 files changed");
    expect(await text("src/median.mjs")).toBe(FIXED);
  });
});
