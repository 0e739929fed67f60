import { bytesOf } from "./export-request.js";
import { textOf } from "./given-values.js";
import type { Given } from "./program.js";
import type { Read } from "./record-request.js";

/** What `massgen clean` is asked for. */
export interface CleanRequest {
  readonly kind: "clean";
  /** `null`: age alone removes nothing. */
  readonly olderThanMs: number | null;
  readonly maxBytes: number | null;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

export function cleanRequest(given: Given, operand: string | null): Read<CleanRequest> {
  if (operand !== null) return { fault: `unexpected argument ${JSON.stringify(operand)}` };
  const [age, size] = [textOf(given, "--older-than"), textOf(given, "--max-size")];
  const olderThanMs = age === null ? null : durationOf(age);
  if (age !== null && olderThanMs === null)
    return { fault: `--older-than takes a time such as 12h, 30d or 8w, not ${JSON.stringify(age)}` };
  const maxBytes = size === null ? null : bytesOf(size);
  if (size !== null && maxBytes === null) return { fault: `--max-size takes a size such as 500MB or 2GB, not ${JSON.stringify(size)}` };
  const byDefault = age === null && size === null ? DEFAULT_DAYS * DAY_MS : olderThanMs;
  return {
    kind: "clean",
    olderThanMs: byDefault,
    maxBytes,
    dryRun: given.has("--dry-run"),
    yes: given.has("--yes"),
    json: given.has("--json"),
  };
}

/** `12h`, `30d`, `8w`, `90m`; `null` for what is no time. */
function durationOf(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)\s?([mhdw])$/.exec(text.trim()) ?? [];
  const factor = UNIT_MS[unit];
  return number === undefined || factor === undefined ? null : Math.round(Number(number) * factor);
}
