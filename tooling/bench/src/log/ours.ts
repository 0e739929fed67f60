import type { Benchmark } from "../harness/benchmark.js";
import { timeAppends } from "./append.js";
import { timeLoads } from "./load.js";
import { countLogs } from "./whole.js";

export const log: Benchmark = {
  name: "log",
  kind: "timed",
  run: async (options) => [...(await countLogs(options)), ...(await timeAppends(options)), ...(await timeLoads(options))],
};
