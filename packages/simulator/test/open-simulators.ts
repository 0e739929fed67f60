import { afterEach } from "vitest";
import { type Simulator, type SimulatorOptions, startSimulator } from "../src/index.js";

/** Starts simulators that are closed after each test of the calling file. */
export function openSimulators(): (options: SimulatorOptions) => Promise<Simulator> {
  const open: Simulator[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((simulator) => simulator.close()));
  });
  return async (options) => {
    const simulator = await startSimulator(options);
    open.push(simulator);
    return simulator;
  };
}
