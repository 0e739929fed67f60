import { scriptedTeam, step } from "@massgen/simulator";
import { openTerminal, type Terminal, terminalMissing } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, PROGRAM } from "./program.js";

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
