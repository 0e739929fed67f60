import type { EpochMillis } from "@massgen/contracts";

/**
 * Date and time as prompts show them, in UTC and in `timeZone` when that differs: one line, the same bytes all run long.
 *
 * @example
 * momentText(0, "Europe/Berlin") // => "Date and time: 1970-01-01 00:00 UTC, 1970-01-01 01:00 in Europe/Berlin."
 */
export function momentText(at: EpochMillis, timeZone: string): string {
  if (newest?.at !== at || newest.timeZone !== timeZone) newest = { at, timeZone, text: writeMoment(at, timeZone) };
  return newest.text;
}

/** Every prompt of a run shows the same one. */
let newest: { readonly at: EpochMillis; readonly timeZone: string; readonly text: string } | null = null;

function writeMoment(at: EpochMillis, timeZone: string): string {
  const utc = inZone(at, "UTC");
  const local = inZone(at, timeZone);
  return `Date and time: ${utc} UTC${local === utc ? "" : `, ${local} in ${timeZone}`}.`;
}

function inZone(at: EpochMillis, timeZone: string): string {
  const part = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${part["year"]}-${part["month"]}-${part["day"]} ${part["hour"]}:${part["minute"]}`;
}

/** Building a formatter costs far more than using it, and every prompt shows a moment. There are only so many zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}
