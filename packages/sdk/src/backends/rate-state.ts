import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RateLimiterOptions } from "@massgen/backend-kit";
import { type EpochMillis, MassgenError } from "@massgen/contracts";
import { type Lock, takeLock } from "@massgen/logs";

const DAY_MS = 86_400_000;
/** The lock tells processes apart; within this one, all models of a file wait for each other here. */
const writing = new Map<string, Promise<void>>();

type Days = Readonly<Record<string, readonly EpochMillis[]>>;

/**
 * The requests of one model in the last day, kept in a file that all processes of the user share: a limit per day is a
 * promise to the vendor, not to a process. The file is small, replaced as a whole and locked while it is; what cannot be
 * written is not counted beyond this process, and no run fails for it.
 */
export async function openRateState(file: string, model: string): Promise<Required<RateLimiterOptions>> {
  const earlier = (await readDays(file))[model] ?? [];
  const onRequest = (at: EpochMillis): void => {
    const written = (writing.get(file) ?? Promise.resolve()).then(() => add(file, model, at)).catch(() => {});
    writing.set(file, written);
  };
  return { earlier, onRequest };
}

async function add(file: string, model: string, at: EpochMillis): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const lock = await take(file);
  try {
    const days = await readDays(file);
    const all = { ...days, [model]: [...(days[model] ?? []), at] };
    const newest = Math.max(...Object.values(all).flat());
    const kept = Object.entries(all).map(([name, times]) => [name, times.filter((time) => newest - time < DAY_MS)] as const);
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(kept.filter(([, times]) => times.length > 0)))}\n`, { mode: 0o600 });
    await rename(temporary, file);
  } finally {
    lock.release();
  }
}

/** Other processes hold it for the blink of an eye; one that died while it wrote gives it up. */
async function take(file: string): Promise<Lock> {
  for (;;) {
    try {
      return takeLock(file);
    } catch (error) {
      if (!MassgenError.is(error, "STORE_CONFLICT")) throw error;
      await sleep(20);
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
