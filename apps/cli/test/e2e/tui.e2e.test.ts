import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTerminal, type Terminal, terminalMissing } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBench, PROGRAM } from "./program.js";

let folder = "";
let terminal: Terminal | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-tui-"));
});
afterEach(async () => {
  await terminal?.close();
  terminal = null;
  await rm(folder, { recursive: true, force: true });
});

const missing = terminalMissing();
describe.skipIf(missing !== null)(`massgen demo${missing === null ? "" : ` (skipped: ${missing})`}`, () => {
  const open = async (columns: number, rows: number): Promise<Terminal> => {
    terminal = await openTerminal([process.execPath, PROGRAM, "demo"], {
      cwd: folder,
      env: { HOME: folder },
      columns,
      rows,
    });
    return terminal;
  };

  it("shows agents, votes and keys, opens what is asked for, and leaves the answer behind", async () => {
    const screen = await open(120, 34);
    await screen.waitFor(/What happened/);
    await screen.press("?");
    await screen.waitFor(/choose the agent whose stream is shown/);
    await screen.waitFor(/100 % {2}done/);
    // Letters step from one to the next; Escape and a letter at once would be one key.
    await screen.press("b");
    await screen.waitFor(/Answer agent2\.2/);
    await screen.press("d");
    await screen.waitFor(/Why this answer/);
    await screen.press("Escape");
    await screen.waitFor(/q leave/);
    await screen.press("q");
    const left = await screen.waitFor(/Final answer · agent2 birch/);
    expect(left).not.toContain("What happened");
    expect(await screen.waitForExit()).toBe(0);
  });

  it("TT-03 5: suspended it makes room for the shell, and draws itself again when it goes on", async () => {
    const screen = await open(80, 24);
    await screen.waitFor(/working/);
    await screen.press("C-z");
    await expect.poll(() => screen.screen()).not.toContain("What happened");
    process.kill(screen.pid, "SIGCONT");
    await screen.waitFor(/What happened/);
    process.kill(screen.pid, "SIGTSTP");
    await expect.poll(() => screen.screen()).not.toContain("What happened");
    process.kill(screen.pid, "SIGCONT");
    await screen.waitFor(/Final answer · agent2 birch/);
    expect(await screen.waitForExit()).toBe(0);
  });

  it.each([
    ["2: SIGTERM", "SIGTERM"],
    ["3: SIGHUP", "SIGHUP"],
  ] as const)("TT-03 %s ends it within 5 s with the normal screen, its run saved", async (_what, signal) => {
    const screen = await open(80, 24);
    await screen.waitFor(/working/);
    process.kill(screen.pid, signal);
    expect(await screen.waitForExit({ timeoutMs: 5_000 })).toBe(4);
    expect(await screen.screen()).not.toContain("What happened");
    const logs = join(folder, ".massgen", "massgen_logs");
    const [log = ""] = await readdir(logs);
    expect(JSON.parse(await readFile(join(logs, log, "status.json"), "utf8"))).toMatchObject({
      is_complete: true,
      finish_reason: "cancelled",
    });
  });

  it("TT-03 6: any size is drawn, and the run goes on to its end", async () => {
    const screen = await open(120, 34);
    await screen.waitFor(/working/);
    for (const [columns, rows] of [
      [40, 10],
      [2, 1],
      [200, 60],
    ] as const)
      await screen.resize(columns, rows);
    await screen.waitFor(/What happened/);
    await screen.waitFor(/Final answer · agent2 birch/);
    expect(await screen.waitForExit()).toBe(0);
  });

  it("TT-03: asks before it stops, saves what is there, and gives the terminal back", async () => {
    const screen = await open(60, 15);
    await screen.waitFor(/working/);
    await screen.press("C-c");
    await screen.waitFor(/Stop the run\?/);
    await screen.press("y");
    expect(await screen.waitForExit()).toBe(4);
    expect(await screen.screen()).not.toContain("Stop the run?");
  });
});

/** Whether the screen was among the modules of the programs that wrote their coverage into `coverage`. */
async function loadedTheScreen(coverage: string): Promise<boolean> {
  const reports = await Promise.all((await readdir(coverage)).map((name) => readFile(join(coverage, name), "utf8")));
  const urls = reports.flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url));
  const ours = [...new Set(urls)].filter((url) => url.startsWith("file:"));
  expect(ours.length).toBeGreaterThan(0);
  const texts = await Promise.all(ours.map((url) => readFile(fileURLToPath(url), "utf8")));
  return texts.some((text) => text.includes("choose the agent whose stream is shown"));
}

describe("the package of the screen", () => {
  it.each([
    ["a run that asks for the screen", ["demo", "--display", "textual"]],
    ["help", ["--help"]],
  ] as const)("is not loaded by %s whose output is no terminal", async (_what, argv) => {
    const bench = await openBench();
    try {
      const coverage = bench.path("coverage");
      const { code } = await bench.run(argv, { env: { NODE_V8_COVERAGE: coverage } });
      expect(code).toBe(0);
      expect(await loadedTheScreen(coverage)).toBe(false);
    } finally {
      await bench.close();
    }
  });

  it.skipIf(missing !== null)("is loaded where the screen is wanted", async () => {
    const coverage = join(folder, "coverage");
    terminal = await openTerminal([process.execPath, PROGRAM, "demo"], {
      cwd: folder,
      env: { HOME: folder, NODE_V8_COVERAGE: coverage },
      columns: 80,
      rows: 24,
    });
    expect(await terminal.waitForExit()).toBe(0);
    expect(await loadedTheScreen(coverage)).toBe(true);
  });
});
