import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Whether the process that a log's status names is alive: a run that has not taken its log yet, or one whose lock is gone. */
export async function runsProcess(root: string): Promise<boolean> {
  try {
    const status: unknown = JSON.parse(await readFile(join(root, "status.json"), "utf8"));
    const pid = pidOf(status);
    if (pid === null) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function pidOf(status: unknown): number | null {
  if (typeof status !== "object" || status === null || !("meta" in status)) return null;
  const { meta } = status;
  return typeof meta === "object" && meta !== null && "pid" in meta && Number.isInteger(meta.pid) && Number(meta.pid) > 0
    ? Number(meta.pid)
    : null;
}
