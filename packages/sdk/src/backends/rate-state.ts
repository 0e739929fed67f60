import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RateLimiterOptions } from "@massgen/backend-kit";
import type { EpochMillis } from "@massgen/contracts";

const DAY_MS = 86_400_000;
/** A process that died while it wrote leaves its lock. */
const STALE_LOCK_MS = 5_000;

type Days = Readonly<Record<string, readonly EpochMillis[]>>;

/**
 * The requests of one model in the last day, kept in a file that all processes of the user share: a limit per day is a
 * promise to the vendor, not to a process. The file is small, replaced as a whole and locked while it is; what cannot be
 * written is not counted beyond this process, and no run fails for it.
 */
export async function openRateState(file: string, model: string): Promise<Required<RateLimiterOptions>> {
  const earlier = (await readDays(file))[model] ?? [];
  let writing: Promise<void> = Promise.resolve();
  const onRequest = (at: EpochMillis): void => {
    writing = writing.then(() => add(file, model, at)).catch(() => {});
  };
  return { earlier, onRequest };
}

async function add(file: string, model: string, at: EpochMillis): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const lock = `${file}.lock`;
  await take(lock);
  try {
    const days = await readDays(file);
    const all = { ...days, [model]: [...(days[model] ?? []), at] };
    const newest = Math.max(...Object.values(all).flat());
    const kept = Object.entries(all).map(([name, times]) => [name, times.filter((time) => newest - time < DAY_MS)] as const);
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(kept.filter(([, times]) => times.length > 0)))}\n`, { mode: 0o600 });
    await rename(temporary, file);
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<void> {
  for (;;) {
    try {
      await (await open(lock, "wx")).close();
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      const ageMs = await stat(lock).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (ageMs > STALE_LOCK_MS) await rm(lock, { force: true });
      else await sleep(20);
    }
  }
}

/** Damaged or absent: nothing was asked. */
async function readDays(file: string): Promise<Days> {
  try {
    const read: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(
      Object.entries(read).map(([model, times]) => [model, Array.isArray(times) ? times.filter((time) => Number.isFinite(time)) : []]),
    );
  } catch {
    return {};
  }
}
