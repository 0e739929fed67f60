import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "@massgen/sdk";
import { createSimulatedTeam, startSimulator } from "@massgen/simulator";

export interface Sample {
  readonly cpuMs: number;
  /** After each run that ended, when they are played one after another; else at the end. */
  readonly rssMiB: readonly number[];
}

/** Whole runs with everything kept, in this process: all at once or one after another. The vendor is in it too, for both. */
export async function playRuns(
  folder: string,
  { runs, agents, atOnce }: { readonly runs: number; readonly agents: number; readonly atOnce: boolean },
): Promise<Sample> {
  const simulator = await startSimulator({ respond: createSimulatedTeam(), bodies: "forget", timeScale: 0 });
  const baseUrl = simulator.baseUrl("chat_completions");
  const config = {
    agents: Array.from({ length: agents }, (_, place) => ({
      id: `agent_${place}`,
      backend: { type: "chatcompletion", model: `model-${place}`, base_url: baseUrl, api_key: "bench" },
    })),
  };
  const one = async (place: number): Promise<void> => {
    const cwd = join(folder, String(place));
    mkdirSync(cwd, { recursive: true });
    const { status } = await run("Which cache policy fits?", { config, cwd, env: {} });
    if (status !== "completed") throw new Error(`A run ended as ${status}.`);
  };
  const rssMiB: number[] = [];
  const weigh = (): void => {
    globalThis.gc?.();
    rssMiB.push(process.memoryUsage.rss() / 2 ** 20);
  };
  // What is loaded once is no cost of a run.
  await one(-1);
  weigh();
  const before = process.cpuUsage();
  if (atOnce) await Promise.all(Array.from({ length: runs }, (_, place) => one(place)));
  else
    for (let place = 0; place < runs; place++) {
      await one(place);
      if (place % 50 === 49) weigh();
    }
  const { user, system } = process.cpuUsage(before);
  weigh();
  await simulator.close();
  return { cpuMs: (user + system) / 1000, rssMiB };
}
