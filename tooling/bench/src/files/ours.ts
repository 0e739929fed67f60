import type { Benchmark } from "../harness/benchmark.js";
import { timeWatchers } from "../serve/ours.js";
import { timeTurns } from "../sessions/ours.js";
import { timeActions, timeAgents } from "../team/actions.js";
import { timeDecide } from "../team/decide.js";
import { timeFold } from "../team/fold.js";
import { timeGrowth } from "./growth.js";
import { measureOutput } from "./output.js";
import { timePublish } from "./publish.js";

export const snapshot: Benchmark = { name: "snapshot", kind: "timed", run: timePublish };
export const grow: Benchmark = {
  name: "grow",
  kind: "timed",
  run: async (options) => [
    ...(await timeGrowth(options)),
    ...(await measureOutput(options)),
    ...(await timeActions(options)),
    ...(await timeAgents(options)),
    ...(await timeTurns(options)),
    ...(options.wants("grow.watchers") ? await timeWatchers(options) : []),
  ],
};
export const kernel: Benchmark = {
  name: "kernel",
  kind: "timed",
  run: async (options) => [...(await timeDecide(options)), ...(await timeFold(options))],
};
