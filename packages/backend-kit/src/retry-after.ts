import type { EpochMillis } from "@massgen/contracts";

/** A date in a header names a whole second; the wait lasts until that second is over. */
const DATE_RESOLUTION_MS = 999;

/**
 * Milliseconds the vendor asks to wait, or `null` when it does not say or says nothing legible.
 *
 * `retry-after-ms` wins over `retry-after`, which holds seconds or a date. A date is compared with the vendor's own clock
 * (its `date` header) where there is one, so that a wrong clock here does no harm. What has passed is 0.
 */
export function readRetryAfter(headers: Headers, now: EpochMillis): number | null {
  const milliseconds = readNumber(headers.get("retry-after-ms"));
  if (milliseconds !== null) return Math.ceil(milliseconds);
  const text = headers.get("retry-after");
  const seconds = readNumber(text);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  const date = readDate(text);
  if (date === null) return null;
  return Math.max(0, date + DATE_RESOLUTION_MS - (readDate(headers.get("date")) ?? now));
}

function readNumber(text: string | null): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

/** `Date.parse` reads almost anything as a date; what counts here has a time of day. */
function readDate(text: string | null): EpochMillis | null {
  if (text === null || !/\d:\d\d/.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date;
}
