import type { EpochMillis } from "@massgen/contracts";

/** `2 h`, `1 min 30 s`, `450 ms`; with `now` also until when: `2 h (until 2026-01-01 14:00:00 UTC)`. */
export function describeWait(ms: number, now: EpochMillis | null = null): string {
  const until = now === null ? "" : ` (until ${new Date(now + ms).toISOString().replace("T", " ").slice(0, 19)} UTC)`;
  if (ms < 1000) return `${Math.round(ms)} ms${until}`;
  const totalS = Math.round(ms / 1000);
  const parts = [
    [Math.floor(totalS / 3600), "h"],
    [Math.floor((totalS % 3600) / 60), "min"],
    [totalS % 60, "s"],
  ] as const;
  return `${parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ")}${until}`;
}
