import { readFile } from "node:fs/promises";
import { scriptedTeam, step } from "@massgen/simulator";
import { openTerminal, type Terminal, terminalMissing } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cells } from "../../src/output/columns.js";
import { type Bench, hasTerminal, openBench, PROGRAM, teamYaml } from "./program.js";

let bench: Bench;
let terminal: Terminal | null = null;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  await terminal?.close();
  terminal = null;
  await bench.close();
});

const open = async (
  argv: readonly string[],
  columns: number,
  rows: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Terminal> => {
  terminal = await openTerminal([process.execPath, PROGRAM, ...argv], {
    cwd: bench.folder,
    env: { HOME: bench.folder, ...env },
    columns,
    rows,
  });
  return terminal;
};

describe.skipIf(terminalMissing() !== null)("what the screen looks into", () => {
  it("is the workspace of an agent, and what it has called, while it works", async () => {
    const code = "export const size = 64;\n";
    const slow = step.text(2_000, { firstTokenMs: 20, tokensPerSecond: 40 });
    const simulator = await bench.simulate({
      respond: scriptedTeam({ "ada-model": [step.tool("write_file", { path: "cache.ts", content: code }), slow] }),
    });
    await bench.write(
      "team.yaml",
      `agents:\n  - id: ada\n    backend: {type: chatcompletion, model: ada-model, base_url: "${simulator.baseUrl("chat_completions")}", cwd: ws, enable_file_tools: true}\n`,
    );
    const screen = await open(["--config", "team.yaml", "Work."], 100, 24);
    await screen.waitFor(/✓ write_file/);
    await screen.press("o");
    await screen.waitFor(/✓ write_file.*\n +· /);
    await screen.press("w");
    await screen.waitFor(/▸ cache\.ts +24 B/);
    await screen.press("Enter");
    await screen.waitFor(/ada: cache\.ts[\s\S]*export const size = 64;/);
    expect(await screen.screen({ colours: true })).toMatch(/\[35mexport/);
    await screen.press("m");
    await screen.waitFor(/write_file +1 call · /);
    await screen.press("q");
    await screen.waitFor(/What happened/);
    await screen.press("C-c");
    await screen.waitFor(/Stop the run\?/);
    await screen.press("C-c");
    expect(await screen.waitForExit()).toBe(4);
  });
});

describe.skipIf(terminalMissing() !== null)("a run that is being prepared", () => {
  it("is on the screen already, says what it waits for, and can be stopped", async () => {
    await bench.write(
      "team.yaml",
      "agents:\n  - id: ada\n    backend: {type: chatcompletion, model: m, base_url: 'http://127.0.0.1:9', api_key: k, mcp_servers: [{name: sleepy, type: stdio, command: node, args: ['-e', 'setTimeout(() => 0, 60_000)']}]}\n",
    );
    const screen = await open(["--config", "team.yaml", "Work."], 100, 24);
    await screen.waitFor(/massgen Work\.[\s\S]*beginning/);
    await screen.waitFor(/! .*Waiting for MCP servers: sleepy\./);
    await screen.press("q");
    await screen.waitFor(/Stop the run\?/);
    await screen.press("y");
    expect(await screen.waitForExit()).toBe(4);
    expect(await screen.screen()).toMatch(/massgen: warning: Waiting for MCP servers: sleepy\./);
  });

  it("gives the terminal back before it says what is wrong", async () => {
    await bench.write(
      "team.yaml",
      "agents:\n  - id: ada\n    backend: {type: chatcompletion, model: m, base_url: 'http://127.0.0.1:9', api_key: k, mcp_servers: [{name: gone, type: stdio, command: node, args: ['-e', 'process.exit(3)'], optional: false}]}\n",
    );
    const screen = await open(["--config", "team.yaml", "Work."], 100, 24);
    expect(await screen.waitForExit()).toBe(1);
    expect(await screen.screen()).toMatch(/The MCP server "gone" is needed/);
    expect(await screen.screen()).not.toContain("What happened");
  });
});

const SIZES = [
  [60, 15],
  [80, 24],
  [200, 50],
] as const;
const NAMES = ["atlas", "birch", "研究", "🦊fox", "שלום", "echo", "fir", "gum", "hazel", "iris"];

/** A team in which all answer once and vote for the first, whatever comes first; nothing of it depends on time. */
async function team(count: number, more = ""): Promise<void> {
  const ids = NAMES.slice(0, count);
  const answer = (id: string): string =>
    `**${id}** would use ARC. 自适应替换缓存 🦊 é שלום עולם: ${"it adapts to what is read. ".repeat(3)}\n\n\`\`\`ts\nconst size = 64; // 页\n\`\`\``;
  const steps = Object.fromEntries(
    ids.map((id) => [
      `${id}-model`,
      count === 1
        ? [step.text(answer(id), { firstTokenMs: 300, tokensPerSecond: 10_000 })]
        : [
            step.answer(answer(id), { firstTokenMs: 300, tokensPerSecond: 10_000 }),
            step.vote("agent1", `最も明確です, says ${id}`),
            step.text("Use ARC: it adapts."),
          ],
    ]),
  );
  const simulator = await bench.simulate({ respond: scriptedTeam(steps) });
  await bench.write("team.yaml", teamYaml(simulator, ids, more));
}

/** What two runs have in common: times, tokens, and what their lengths move, are left out. */
const timeless = (pane: string): string =>
  pane
    .replaceAll(/ *\d+(?:\.\d+)? (?:ms|s)(?![a-z])/g, " #s")
    .replaceAll(/[\d,]+ tok {1,4}/g, "# tok ")
    .replaceAll(/ +#s/g, " #s")
    .replaceAll(/^( #s .*)$/gm, (line) => line.trimEnd());

/** The pane once it is drawn in this size, and stays as it is. */
async function settled(screen: Terminal, rows: number, last: RegExp): Promise<string> {
  let before = "";
  await vi
    .waitUntil(
      async () => {
        const pane = await screen.screen();
        const isSettled = pane === before && pane.split("\n").length === rows && last.test(pane);
        before = pane;
        return isSettled;
      },
      { timeout: 20_000, interval: 40 },
    )
    .catch(() => expect(before).toBe(`${rows} rows that end in ${String(last)}`));
  return before;
}

describe.skipIf(terminalMissing() !== null)("a run on the screen", () => {
  it.each([1, 3, 10])("of %i agents, at 60×15, 80×24 and 200×50, looks as reviewed", async (count) => {
    // Who is first differs from run to run, and with it the order of what happened.
    await team(count, count === 1 ? "" : "ui: {live_timeline: false}\n");
    const [[columns, rows]] = SIZES;
    const screen = await open(["--config", "team.yaml", "Which cache policy fits? 缓存"], columns, rows);
    await screen.press("?");
    await screen.waitFor(/100 % {2}done/);
    await screen.press("Escape");
    for (const [wide, high] of SIZES) {
      await screen.resize(wide, high);
      const name = `${count}-agents-${wide}x${high}`;
      await expect(timeless(await settled(screen, high, /q leave$/))).toMatchFileSnapshot(`../golden/screen/${name}.txt`);
      if (count === 1) continue;
      await screen.press("v");
      const votes = await settled(screen, high, /Esc close$/);
      const box = votes.split("\n").slice(2, -1);
      expect(box.map((row) => cells(row))).toEqual(box.map(() => wide));
      // Escape and a letter at once would be one key.
      await screen.press("q");
      await screen.waitFor(/q leave/);
    }
    await screen.press("q");
    expect(await screen.waitForExit()).toBe(0);
    expect(await screen.screen()).toMatch(/Final answer · agent1 atlas/);
  });
});

describe.skipIf(!hasTerminal)("a terminal that shows a run", () => {
  it("is never cleared: no flicker", async () => {
    await team(3);
    const { code, out } = await bench.run(["--config", "team.yaml", "Which?"], {
      terminal: { columns: 100, rows: 30 },
      env: { TERM: "xterm-256color" },
    });
    expect(code).toBe(0);
    expect(out).toContain("\u001b[?1049h");
    expect(out.split("\u001b[?2026h").length).toBeGreaterThan(4);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: erasing the display, and resetting the terminal
    expect(out).not.toMatch(/\u001b\[\d*J|\u001bc|\u001b\[\d*;?\d*H\u001b\[J/);
  });

  it("TT-03 4: is given back before the message when the display breaks, exit 2", async () => {
    await team(1);
    await bench.write(
      "break.cjs",
      `const { write } = process.stdout;
let frames = 0;
process.stdout.write = function (text, ...more) {
  if (String(text).startsWith("\\u001b[?2026h") && ++frames === 3) throw new Error("the display broke");
  return write.call(this, text, ...more);
};
`,
    );
    const { code, out } = await bench.run(["--config", "team.yaml", "Which?"], {
      terminal: { columns: 100, rows: 30 },
      env: { TERM: "xterm-256color", NODE_OPTIONS: `--require ${bench.path("break.cjs")}` },
    });
    expect(code).toBe(2);
    const left = out.lastIndexOf("\u001b[?1049l");
    expect(left).toBeGreaterThan(0);
    expect(out.slice(left)).toContain("the display broke");
    expect(out.slice(left)).not.toContain("    at ");
  });

  it.each([
    ["to its end", ""],
    ["until it is interrupted", "\u0003"],
  ])("TT-03: has the modes afterwards that it had before, %s", async (_what, key) => {
    await team(1);
    const before = `stty -a > before.txt; "$@"; code=$?; stty -a > after.txt; exit $code`;
    const { says, type, ended } = bench.massgen(["--config", "team.yaml", "Which?"], {
      terminal: { columns: 100, rows: 30 },
      env: { TERM: "xterm-256color" },
      through: ["sh", "-c", before, "sh"],
    });
    await says("working");
    if (key !== "") {
      type(key);
      await says("Stop the run?");
      type(key);
    }
    const { code, out } = await ended;
    expect(code).toBe(key === "" ? 0 : 4);
    expect(await readFile(bench.path("after.txt"), "utf8")).toBe(await readFile(bench.path("before.txt"), "utf8"));
    for (const mode of ["?1049", "?1000", "?1006", "?2004", "?2026"])
      expect({ mode, last: out.lastIndexOf(`\u001b[${mode}l`) > out.lastIndexOf(`\u001b[${mode}h`) }).toEqual({ mode, last: true });
    expect(out.lastIndexOf("\u001b[?25h")).toBeGreaterThan(out.lastIndexOf("\u001b[?25l"));
  });
});
