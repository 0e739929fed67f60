import type { Benchmark } from "../harness/benchmark.js";
import { timeConcurrent, timeMemory } from "./concurrent.js";
import { timeDispatch } from "./dispatch.js";
import { timeMcp } from "./mcp.js";
import { timeLongConversation, timeTurns } from "./turns.js";

export const loop: Benchmark = {
  name: "loop",
  kind: "timed",
  async run(options) {
    return [
      ...(await timeTurns(options)),
      ...(await timeLongConversation(options)),
      ...(await timeDispatch(options)),
      ...(await timeMcp(options)),
      ...(await timeConcurrent(options)),
      ...(await timeMemory(options)),
    ];
  },
};
