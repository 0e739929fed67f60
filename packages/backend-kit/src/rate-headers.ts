import type { EpochMillis } from "@massgen/contracts";

/** What vendors count, as they write it before or after `remaining` and `reset`. */
const OPENAI_COUNTS = ["requests", "tokens"] as const;
const ANTHROPIC_COUNTS = ["requests", "tokens", "input-tokens", "output-tokens"] as const;

/**
 * Milliseconds until a vendor takes the next request, as the headers of its response say; `null` when something is left of
 * everything it counts, or it does not say. Docs: docs/spec/backends.md 23.2.
 */
export function readRateReset(headers: Headers, now: EpochMillis): number | null {
  const vendorsNow = readTime(headers.get("date")) ?? now;
  const resets = [
    ...OPENAI_COUNTS.map((count) => [`x-ratelimit-remaining-${count}`, readDuration(headers.get(`x-ratelimit-reset-${count}`))] as const),
    ...ANTHROPIC_COUNTS.map((count) => {
      const reset = readTime(headers.get(`anthropic-ratelimit-${count}-reset`));
      return [`anthropic-ratelimit-${count}-remaining`, reset === null ? null : reset - vendorsNow] as const;
    }),
    ["x-ratelimit-remaining", readEpoch(headers.get("x-ratelimit-reset"), vendorsNow)] as const,
  ];
  const waits = resets.flatMap(([remaining, waitMs]) => (isZero(headers.get(remaining)) && waitMs !== null && waitMs > 0 ? [waitMs] : []));
  return waits.length === 0 ? null : Math.max(...waits);
}

function isZero(text: string | null): boolean {
  return text !== null && /^\s*0+(\.0+)?\s*$/.test(text);
}

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `1s`, `6m0s`, `120ms`, `2m59.56s`; a number alone is seconds. In milliseconds. */
function readDuration(text: string | null): number | null {
  const written = text?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(written)) return Math.ceil(Number(written) * 1000);
  if (!/^(\d+(\.\d+)?(ms|[dhms]))+$/.test(written)) return null;
  let totalMs = 0;
  for (const [, count, unit] of written.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)) totalMs += Number(count) * (UNIT_MS[unit ?? ""] ?? 0);
  return Math.ceil(totalMs);
}

/** `Date.parse` reads almost anything as a date; what counts here has a time of day. */
function readTime(text: string | null): EpochMillis | null {
  if (text === null || !/\d:\d\d/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Milliseconds since 1970, and nothing else: seconds, or a span, would be a wait of the wrong size. */
function readEpoch(text: string | null, now: EpochMillis): number | null {
  return text !== null && /^\s*\d{13}\s*$/.test(text) ? Number(text) - now : null;
}
