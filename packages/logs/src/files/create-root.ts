import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EpochMillis } from "@massgen/contracts";
import { folderStamp, type ZoneOffset } from "../local-time.js";

/**
 * A new folder `log_YYYYMMDD_HHMMSS_ffffff` that nobody else has, also when two runs start in the same millisecond (EC67).
 * Where none can be made, the log goes to a folder for temporary files, and the warning says where (EC66).
 */
export async function createRoot(
  baseDir: string,
  now: EpochMillis,
  zone: ZoneOffset,
  onWarning: (message: string) => void,
): Promise<string> {
  try {
    await mkdir(baseDir, { recursive: true });
    return await firstFree(baseDir, now, zone);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const root = await inTemporaryFolder();
    onWarning(
      `No log folder can be made in ${baseDir} (${reason}). ${root === null ? "This run leaves no log." : `This run logs to ${root}.`}`,
    );
    return root ?? join(baseDir, `log_${folderStamp(now, zone)}`);
  }
}

async function firstFree(baseDir: string, now: EpochMillis, zone: ZoneOffset): Promise<string> {
  for (let extra = 0; ; extra++) {
    const root = join(baseDir, `log_${folderStamp(now, zone, extra)}`);
    try {
      await mkdir(root);
      return root;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

const inTemporaryFolder = (): Promise<string | null> => mkdtemp(join(tmpdir(), "massgen_log_")).catch(() => null);
