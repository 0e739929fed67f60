import type { PreparedRun, RunningRun } from "@massgen/sdk";
import type { ServerOptions } from "./options.js";

/** The same run, heard by whoever measures runs. */
export function observed<P extends PreparedRun>(prepared: P, observeRun: ServerOptions["observeRun"]): P {
  if (observeRun === undefined) return prepared;
  return {
    ...prepared,
    start() {
      const running = prepared.start();
      void hear(running, observeRun());
      return running;
    },
  };
}

async function hear(running: RunningRun, run: ReturnType<NonNullable<ServerOptions["observeRun"]>>): Promise<void> {
  try {
    for await (const event of running) if ("seq" in event) run.record(event);
  } catch {
    // Whoever waits for the run gets this error.
  } finally {
    run.end();
  }
}
