import type { JsonValue, ToolHandler } from "@massgen/contracts";
import { createExecuteCommand, createJobQuota, createJobTable, createJobTools, type JobQuota, type JobTable } from "@massgen/exec";
import { testAmbient } from "@massgen/testing";
import { isAlive } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, sandbox } from "../bench.js";
import { until } from "../until.js";

interface Hands {
  readonly jobs: JobTable;
  call(tool: string, input?: JsonValue): Promise<{ readonly text: string; readonly isError: boolean }>;
}

function handsOf(bench: Bench, quota: JobQuota = createJobQuota()): Hands {
  const jobs = createJobTable({ runner: bench.runner, quota });
  const tools: readonly ToolHandler[] = [createExecuteCommand({ runner: bench.runner, jobs, spillFolder: null }), ...createJobTools(jobs)];
  return {
    jobs,
    async call(name, input = {}) {
      const tool = tools.find(({ spec }) => spec.name === name);
      const signal = new AbortController().signal;
      const output = await tool!.run(input, {
        agent: "ada",
        callId: "c",
        channel: "work",
        ambient: testAmbient(),
        signal,
        progress: () => {},
      });
      return { text: output.parts.map((part) => (part.type === "text" ? part.text : "")).join(""), isError: output.isError };
    },
  };
}

for (const sandboxed of [false, true]) {
  const name = sandboxed ? "in the sandbox" : "without a sandbox";
  describe.skipIf(process.platform === "win32" || (sandboxed && !sandbox.found))(`background jobs ${name}`, () => {
    let bench: Bench;
    let hands: Hands;
    beforeEach(async () => {
      bench = await openBench({ sandboxed });
      hands = handsOf(bench);
    });
    afterEach(async () => {
      await hands.jobs.endAll();
      await bench.close();
    });

    const begin = async (command: string): Promise<string> => {
      const { text } = await hands.call("execute_command", { command, description: "a job", run_in_background: true });
      return /bg_[0-9a-f]{8}/.exec(text)?.[0] ?? text;
    };

    it("T4.10: output is told once, then only what is new", async () => {
      // Goes on when it is told to by a file, so that the test waits for nothing but conditions.
      const id = await begin("echo one; echo two; until [ -e go ]; do sleep 0.02; done; echo three");
      expect((await hands.call("job_output", { job_id: id, wait_ms: 20_000 })).text).toContain("one");
      await until(async () => (await hands.call("job_output", { job_id: id, since: 0 })).text.includes("two"));
      expect((await hands.call("job_output", { job_id: id })).text).toContain("(nothing new)");
      await hands.call("execute_command", { command: "touch go" });
      const news = await hands.call("job_output", { job_id: id, wait_ms: 20_000 });
      expect(news.text).toContain("three");
      expect(news.text).not.toContain("two");
      expect((await hands.call("job_output", { job_id: id, since: 1, filter: "t" })).text).toMatch(/\ntwo\nthree\n/);
    });

    it("T4.10: the eleventh is refused until one has ended; other agents' ids are unknown", async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, () => begin("sleep 300")));
      await expect(begin("sleep 300")).rejects.toThrow("You have 10 background jobs running already");
      const other = handsOf(bench);
      expect((await other.call("job_output", { job_id: ids[0]! })).text).toMatch(/^NOT_FOUND: .* You have no background jobs/);
      expect((await other.call("job_kill", { job_id: ids[0]! })).isError).toBe(true);
      const killed = await hands.call("job_kill", { job_id: ids[0]! });
      expect(killed.text).toMatch(/: killed after/);
      await begin("sleep 300");
      expect((await hands.call("job_list")).text.match(/running for/g)).toHaveLength(10);
    }, 30_000);

    it("all agents together have a limit", async () => {
      const quota = createJobQuota(2);
      const [ada, bob] = [handsOf(bench, quota), handsOf(bench, quota)];
      const start = (hands: Hands) => hands.call("execute_command", { command: "sleep 300", run_in_background: true });
      await start(ada);
      await start(bob);
      await expect(start(bob)).rejects.toThrow("All agents together");
      await ada.jobs.endAll();
      await start(bob);
      await bob.jobs.endAll();
    });

    it("how it ended is told, once, with the next command", async () => {
      const good = await begin("echo fine");
      const bad = await begin("exit 3");
      const both = await hands.call("job_wait", { job_ids: [good, bad], timeout: 20 });
      expect(both.text).toContain(`${good}: stopped`);
      expect(both.text).toMatch(new RegExp(`${bad}: failed after .* exit code 3`));
      expect((await hands.call("execute_command", { command: "true" })).text).toContain(
        `[background job ${bad} has ended: failed, exit code 3]`,
      );
      expect((await hands.call("execute_command", { command: "true" })).text).not.toContain(bad);
    });

    it("job_wait any comes back with the first", async () => {
      const [slow, quick] = [await begin("sleep 300"), await begin("true")];
      const { text } = await hands.call("job_wait", { job_ids: [slow, quick], mode: "any", timeout: 20 });
      expect(text).toContain(`${slow}: running`);
      expect(text).toContain(`${quick}: stopped`);
    });

    it("a prompt without an end of line is shown", async () => {
      const id = await begin("printf 'Continue? '; sleep 300");
      await until(async () => (await hands.call("job_output", { job_id: id })).text.includes("[unfinished line: Continue? ]"));
    });

    it("a flood is kept to its newest lines, and the lost ones are counted", async () => {
      const id = await begin("seq 1 30000");
      await hands.call("job_wait", { job_ids: [id], timeout: 20 });
      const { text } = await hands.call("job_output", { job_id: id });
      expect(text).toContain("[20000 earlier lines are no longer kept]");
      expect(text).toContain("\n20001\n");
      const next = /since=(\d+)/.exec(text)?.[1];
      expect((await hands.call("job_output", { job_id: id, since: Number(next) })).text).toContain(`\n${Number(next) + 1}\n`);
    });

    it("all end with the round, with everything they started", async () => {
      const id = await begin("trap '' TERM; sleep 301 & echo ready; wait");
      await until(async () => (await hands.call("job_output", { job_id: id, since: 0 })).text.includes("ready"));
      await hands.jobs.endAll();
      await bench.runner.idle();
      expect((await hands.call("job_list")).text).toBe("You have no background jobs.");
      expect(isAlive(process.pid)).toBe(true);
    }, 30_000);
  });
}
