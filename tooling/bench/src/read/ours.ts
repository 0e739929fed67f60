import type { Benchmark } from "../harness/benchmark.js";
import { timeAbort } from "./abort.js";
import { countBytewise, timeInProcess, timeLong } from "./in-process.js";
import { timeAdapters, timePackets } from "./over-the-wire.js";

export const read: Benchmark = {
  name: "read",
  kind: "timed",
  async run(options) {
    return [
      ...(await timeAdapters(options)),
      ...(await timeInProcess(options)),
      ...(await timePackets(options)),
      ...(await countBytewise(options)),
      ...(await timeLong(options)),
      ...(await timeAbort(options)),
    ];
  },
};
