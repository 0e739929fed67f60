import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Listening, startListening } from "./listening.js";

/** `massgen serve` with a team of one on a vendor, everything kept, in a folder of its own. */
export interface Served extends Listening {
  readonly rssMiB: () => number;
}

export async function startServing(cli: string, baseUrl: string, maxConcurrent: number): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "massgen-bench-"));
  const agents = [{ id: "solo", backend: { type: "chatcompletion", model: "paced", base_url: baseUrl, api_key: "bench" } }];
  writeFileSync(join(folder, "team.yaml"), JSON.stringify({ agents, timeout_settings: { orchestrator_timeout_seconds: 3_600 } }));
  const args = [cli, "serve", "--config", "team.yaml", "--port", "0", "--max-concurrent", String(maxConcurrent)];
  const listening = await startListening({ args, cwd: folder });
  return {
    ...listening,
    rssMiB: () => rssOf(listening.pid),
    async close() {
      await listening.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Memory of a process that is in RAM. */
const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;
