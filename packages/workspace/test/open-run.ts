import { join } from "node:path";
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from "@massgen/workspace";
import { onTestFinished } from "vitest";
import { tempFolder } from "./temp-folder.js";

/** A run of `zeta`, `alpha` and `mid`, in this order, in a folder of its own unless one is given. */
export async function openRun(options: Partial<WorkspacesOptions> = {}): Promise<{ readonly base: string; readonly run: Workspaces }> {
  const base = options.baseDir ?? join(await tempFolder(), ".massgen");
  const run = await createWorkspaces({
    baseDir: base,
    runId: "20260102_101529_k7q2mz",
    agents: [
      { id: "zeta", anon: "agent1", cwd: "work" },
      { id: "alpha", anon: "agent2", cwd: "work" },
      { id: "mid", anon: "agent3", cwd: "work" },
    ],
    ...options,
  });
  onTestFinished(() => run.close());
  return { base, run };
}
