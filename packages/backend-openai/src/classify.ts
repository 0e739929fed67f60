import { type Asked, type AttemptFailure, classifyStreamError } from "@massgen/backend-kit";
import { isObject, textOf } from "./json.js";

/** Codes of a response that failed by what it was asked, so that asking again would fail again. */
const ASKED_WRONGLY = /^(?:invalid_|image_|empty_image|unsupported_image|failed_to_download_image|data_residency|bio_policy|cyber_policy)/;

/** The error of `response.failed`, of an `error` event, or of a body in place of a stream. */
export function classifyResponseError(asked: Asked, error: unknown): AttemptFailure {
  const code = isObject(error) ? textOf(error["code"]) : "";
  return withSpokenWait(
    classifyStreamError(asked, ASKED_WRONGLY.test(code) ? { ...(error as object), type: "invalid_request_error" } : error),
  );
}

/** OpenAI tells the wait in its sentence where it has no header for it: "Please try again in 1m2.5s." */
export function withSpokenWait(failure: AttemptFailure): AttemptFailure {
  if (failure.status !== 429 || failure.retry !== "backoff" || failure.retryAfterMs !== null) return failure;
  return { ...failure, retryAfterMs: spokenWaitMs(failure.message) };
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function spokenWaitMs(text: string): number | null {
  const said = /\btry again in ((?:\d+(?:\.\d+)?(?:ms|s|m|h))+)/i.exec(text)?.[1];
  if (said === undefined) return null;
  const parts = [...said.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gi)];
  return Math.ceil(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit!.toLowerCase()] ?? 0), 0));
}
