import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openProcessCgroup } from "../../src/process/cgroup.js";
import { openBench, sandbox } from "../bench.js";

/** Nobody holds root without control groups: a bomb there would hurt the machine of the test. */
const isHeld = ((): boolean => {
  if (process.getuid?.() !== 0) return true;
  const group = openProcessCgroup(10);
  group?.close();
  return group !== null;
})();
const why = !sandbox.found ? `: skipped: ${sandbox.reason}` : isHeld ? "" : ": skipped: root without control groups";
const limits = { processes: 40 };

/** Processes whose arguments hold `word`. */
const running = (word: string): number =>
  execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(word) && !line.startsWith("ps ")).length;

describe.skipIf(!sandbox.found || !isHeld)(`too many processes${why}`, () => {
  it("a fork bomb is over soon and leaves nothing", async () => {
    const bench = await openBench({ sandboxed: true, more: { limits } });
    try {
      const bomb = await bench.runner.start({ command: "bomb() { bomb | bomb & }; bomb; sleep 1", workDir: ".", timeoutMs: 3_000 });
      const result = await bomb.ended;
      expect(["itself", "deadline"]).toContain(result.endedBy);
      expect(result.survivors).toEqual([]);
      expect(result.wallMs).toBeLessThan(8_000);
      expect(running("bomb() {")).toBe(0);
    } finally {
      await bench.close();
    }
  }, 30_000);

  it("no more processes are made than allowed", async () => {
    const bench = await openBench({ sandboxed: true, more: { limits } });
    try {
      const many = await bench.runner.start({
        command: "for i in $(seq 600); do sleep 77.7 & done; wait",
        workDir: ".",
        timeoutMs: 1_500,
      });
      const result = await many.ended;
      expect(result.both.head).toMatch(/fork: .*Resource temporarily unavailable/);
      expect(running("sleep 77.7")).toBe(0);
    } finally {
      await bench.close();
    }
  }, 30_000);
});
