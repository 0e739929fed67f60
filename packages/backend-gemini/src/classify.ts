import { type Asked, type AttemptFailure, classifyReply, classifyStreamError, type FailedReply } from "@massgen/backend-kit";
import type { EpochMillis } from "@massgen/contracts";
import { isObject, textOf } from "./json.js";

/** What Google says besides the message; it has no headers for it. */
interface ErrorDetails {
  /** Milliseconds of `RetryInfo.retryDelay`. */
  readonly retryAfterMs: number | null;
  /** The limit that was hit, when it is one of a day. */
  readonly dailyLimit: string | null;
}

/** A reply with a status of 400 and above. */
export function classifyRefusal(asked: Asked, reply: FailedReply, now: EpochMillis): AttemptFailure {
  const details = readDetails(parse(reply.body));
  return withDetails(classifyReply(asked, withRetryAfter(reply, details), now), details);
}

/** An error object inside a response that began well. */
export function classifyErrorChunk(asked: Asked, chunk: unknown): AttemptFailure {
  const details = readDetails(chunk);
  const failure = classifyStreamError(asked, chunk);
  return withDetails({ ...failure, retryAfterMs: failure.retryAfterMs ?? details.retryAfterMs }, details);
}

/** The wait as the header it has at other vendors, because a limit with a wait is not taken for an empty account. */
function withRetryAfter(reply: FailedReply, { retryAfterMs }: ErrorDetails): FailedReply {
  if (retryAfterMs === null || reply.headers.has("retry-after") || reply.headers.has("retry-after-ms")) return reply;
  const headers = new Headers(reply.headers);
  headers.set("retry-after-ms", String(retryAfterMs));
  return { ...reply, headers };
}

/** A limit of a day asks to wait some seconds too, and is still there when they are over. */
function withDetails(failure: AttemptFailure, { dailyLimit }: ErrorDetails): AttemptFailure {
  if (dailyLimit === null) return failure;
  const message = `${failure.message} The limit ${dailyLimit} counts by the day.`;
  return { ...failure, message, kind: "backend_fatal", retry: "never", retryAfterMs: null };
}

function readDetails(value: unknown): ErrorDetails {
  const outer = Array.isArray(value) ? (value[0] as unknown) : value;
  const error = isObject(outer) ? outer["error"] : null;
  const details = isObject(error) && Array.isArray(error["details"]) ? error["details"].filter(isObject) : [];
  const delays = details
    .map((detail) => /^(\d+(?:\.\d+)?)s$/.exec(textOf(detail["retryDelay"]))?.[1])
    .filter((delay) => delay !== undefined);
  const quotas = details
    .flatMap((detail) => (Array.isArray(detail["violations"]) ? detail["violations"].filter(isObject) : []))
    .map((violation) => textOf(violation["quotaId"]));
  const daily = quotas.find((quota) => /^\w*PerDay\w*(?:-\w+)*$/.test(quota));
  return { retryAfterMs: delays[0] === undefined ? null : Math.ceil(Number(delays[0]) * 1000), dailyLimit: daily ?? null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
