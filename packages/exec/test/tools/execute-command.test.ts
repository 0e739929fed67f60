import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonValue, ToolContext, ToolHandler } from "@massgen/contracts";
import { createExecuteCommand, createJobQuota, createJobTable } from "@massgen/exec";
import { testAmbient } from "@massgen/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, hasBash, openBench, sandbox } from "../bench.js";

const context = (signal: AbortSignal = new AbortController().signal, notes: string[] = []): ToolContext => ({
  agent: "ada",
  callId: "call_1",
  ambient: testAmbient(),
  signal,
  channel: "work",
  progress: (note) => notes.push(note),
});

const toolOf = (bench: Bench, options: { readonly timeoutMs?: number } = {}): ToolHandler =>
  createExecuteCommand({
    runner: bench.runner,
    jobs: createJobTable({ runner: bench.runner, quota: createJobQuota() }),
    spillFolder: join(bench.workspace, ".tool_results"),
    ...options,
  });

async function say(
  tool: ToolHandler,
  input: JsonValue,
  signal?: AbortSignal,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const output = await tool.run(input, context(signal));
  return { text: output.parts.map((part) => (part.type === "text" ? part.text : "")).join(""), isError: output.isError };
}

interface Case {
  readonly n: number;
  readonly command: string;
  readonly timeout?: number;
  readonly then?: string;
  readonly within: number;
}
const cases = JSON.parse(readFileSync(new URL("../fixtures/fs-03-commands.json", import.meta.url), "utf8")) as readonly Case[];

/** What must be in the answer to each of the cases, or a check of it. */
const RIGHT: Readonly<Record<number, (answer: { readonly text: string; readonly isError: boolean }, bench: Bench) => void>> = {
  1: ({ text }) => expect(text).toMatch(/^exit code 0 .*\n\(no output\)$/),
  2: ({ text }) => expect(text).toContain("[]"),
  3: ({ text }) => expect(text).toContain("started"),
  4: ({ text, isError }) => {
    expect(text).toMatch(/^TOOL_TIMEOUT: .* 2 s/);
    expect(text).toContain("up");
    expect(isError).toBe(true);
  },
  5: ({ text }) => {
    expect(text).toMatch(/49,97\d,\d{3} bytes left out; more of it in \.tool_results\/execute_command_/);
    expect(text.length).toBeLessThanOrEqual(30_000);
  },
  6: ({ text }) => expect(text).toContain("\uFFFD\uFFFD ok"),
  7: ({ text, isError }) => {
    expect(text).toMatch(/^exit code 3 .*\nout\nerr$/);
    expect(isError).toBe(false);
  },
  8: ({ text }) => expect(text).toMatch(/signal 9.*SIGKILL/),
  9: ({ text }, bench) => expect(text).toContain(`a b\n${bench.workspace}`),
  11: ({ text }) => expect(text).not.toMatch(/API_KEY/),
  12: ({ text }) => expect(text).toMatch(/\ndone$/),
};

for (const sandboxed of [false, true]) {
  const name = sandboxed ? "in the sandbox" : "without a sandbox";
  describe.skipIf(!hasBash || (sandboxed && !sandbox.found))(
    `execute_command ${name}${sandboxed && !sandbox.found ? `: ${sandbox.reason}` : ""}`,
    () => {
      let bench: Bench;
      let tool: ToolHandler;
      beforeAll(async () => {
        bench = await openBench({ sandboxed, hostEnv: { OPENAI_API_KEY: "sk-planted", ANTHROPIC_API_KEY: "planted" } });
        tool = toolOf(bench);
      });
      afterAll(() => bench.close());

      it.each(cases.filter(({ n }) => RIGHT[n] !== undefined))(
        "FS-03 $n: $command",
        async ({ n, command, timeout, within }) => {
          const startedAt = performance.now();
          const answer = await say(tool, { command, ...(timeout === undefined ? {} : { timeout }) });
          RIGHT[n]?.(answer, bench);
          // The case's seconds, and some for a busy machine: what hangs would take minutes.
          expect(performance.now() - startedAt).toBeLessThan(within * 1000 + 8_000);
        },
        30_000,
      );

      it("FS-03 10: each call starts in the workspace again", async () => {
        expect((await say(tool, { command: "cd / && pwd" })).text).toMatch(/\n\/$/);
        for (const _ of [1, 2]) expect((await say(tool, { command: "pwd" })).text).toMatch(new RegExp(`\n${bench.workspace}$`));
      });

      it("FS-03 13: an empty command is a clear error and runs nothing", async () => {
        await expect(tool.run({ command: "" }, context())).rejects.toThrow("command must have 1 to");
        await expect(tool.run({}, context())).rejects.toThrow("command is missing");
      });

      it("T4.15: a folder outside the grants is no place to run in, and neither is a missing one", async () => {
        await mkdir(join(bench.folder, "elsewhere"), { recursive: true });
        await expect(tool.run({ command: "pwd", work_dir: join(bench.folder, "elsewhere") }, context())).rejects.toThrow("PATH_OUTSIDE");
        await expect(tool.run({ command: "pwd", work_dir: ".." }, context())).rejects.toThrow("PATH_OUTSIDE");
        await expect(tool.run({ command: "pwd", work_dir: "missing" }, context())).rejects.toThrow("NOT_FOUND");
      });

      it("a cancelled call has ended its command once the runner is idle", async () => {
        const controller = new AbortController();
        const running = say(tool, { command: "touch begun; sleep 300" }, controller.signal);
        const begun = async (): Promise<boolean> => (await readdir(bench.workspace)).includes("begun");
        while (!(await begun())) await new Promise(setImmediate);
        controller.abort();
        await bench.runner.idle();
        expect((await running).text).toMatch(/^The command was cancelled after/);
      });

      it("long output is whole in the file that the answer names", async () => {
        const { text } = await say(tool, { command: "seq 1 20000" });
        const path = /more of it in (\S+)/.exec(text)?.[1] ?? "";
        expect((await readFile(join(bench.workspace, path), "utf8")).trim().split("\n")).toHaveLength(20_000);
        expect(text).toContain("\n1\n2\n3\n");
        expect(text.endsWith("\n20000")).toBe(true);
      });
    },
  );
}

describe("execute_command before it runs", () => {
  it("tells the folder and the command it would touch", async () => {
    const bench = await openBench();
    try {
      const effects = toolOf(bench).effects({ command: "ls | wc", work_dir: "sub" });
      expect(effects).toEqual([
        { kind: "path", op: "exec_cwd", path: join(bench.workspace, "sub") },
        { kind: "command", argv: bench.runner.argvOf("ls | wc"), cwd: join(bench.workspace, "sub") },
      ]);
    } finally {
      await bench.close();
    }
  });

  it.each([
    [{ command: "x", timeout: 0 }, "timeout must be a number above 0 and at most 600 seconds"],
    [{ command: "x", timeout: -5 }, "timeout"],
    [{ command: "x", timeout: 601 }, "timeout"],
    [{ command: "x", timeout: "5" }, "timeout"],
    [{ command: "x".repeat(32_001) }, "command must have 1 to 32000 characters"],
    [{ command: "a\0b" }, "without NUL"],
    [{ command: "x", cwd: "/" }, 'no argument "cwd"; there are command, timeout'],
    [{ command: "x", run_in_background: "yes" }, "true or false"],
  ])("refuses %j", async (input, message) => {
    const bench = await openBench();
    try {
      await expect(toolOf(bench).run(input, context())).rejects.toThrow(message);
    } finally {
      await bench.close();
    }
  });

  it("without a sandbox a folder that may only be read is no place to run in", async () => {
    const bench = await openBench({ sandboxed: false, grants: (folder) => ({ readable: [join(folder, "reference")] }) });
    try {
      await mkdir(join(bench.folder, "reference"));
      await writeFile(join(bench.folder, "reference/a.txt"), "a");
      await expect(toolOf(bench).run({ command: "ls", work_dir: join(bench.folder, "reference") }, context())).rejects.toThrow("READ_ONLY");
    } finally {
      await bench.close();
    }
  });
});
