import type { EpochMillis } from "@massgen/contracts";

/** Minutes east of UTC at a moment. Passed in, so that file names and texts can be tested in any zone. */
export type ZoneOffset = (at: EpochMillis) => number;

export const systemZone: ZoneOffset = (at) => -new Date(at).getTimezoneOffset();
export const utc: ZoneOffset = () => 0;

const pad = (value: number, digits = 2): string => String(Math.abs(value)).padStart(digits, "0");

/** The wall clock as the UTC fields of a shifted date. */
const shifted = (at: EpochMillis, zone: ZoneOffset): Date => new Date(Math.floor(at) + zone(at) * 60_000);

/** `20260102_101529_880000`: local time to the microsecond, as folders are named. `extraMicros` tells equal moments apart. */
export function folderStamp(at: EpochMillis, zone: ZoneOffset, extraMicros = 0): string {
  const micros = Math.floor(at * 1000) + extraMicros;
  const date = shifted(Math.floor(micros / 1000), zone);
  const day = `${date.getUTCFullYear()}${pad(date.getUTCMonth() + 1)}${pad(date.getUTCDate())}`;
  return `${day}_${pad(date.getUTCHours())}${pad(date.getUTCMinutes())}${pad(date.getUTCSeconds())}_${pad(micros % 1_000_000, 6)}`;
}

/** `2026-01-02T10:15:29.880+01:00`. */
export function isoTime(at: EpochMillis, zone: ZoneOffset): string {
  const minutes = zone(at);
  const sign = minutes < 0 ? "-" : "+";
  const offset = `${sign}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
  return shifted(at, zone).toISOString().replace("Z", offset);
}

/** `10:15:29`. */
export const clockTime = (at: EpochMillis, zone: ZoneOffset): string => shifted(at, zone).toISOString().slice(11, 19);

/** `2026-01-02 10:15:29`. */
export const dateTime = (at: EpochMillis, zone: ZoneOffset): string => shifted(at, zone).toISOString().slice(0, 19).replace("T", " ");
