import type { VendorError } from "./vendor-error.js";

/** Why a vendor did not answer. Each class has one reaction (docs/spec/backends.md 21). */
export type FailureClass =
  | "auth"
  | "forbidden"
  | "not_found"
  | "model"
  | "quota"
  | "rate_limit"
  | "overloaded"
  | "server"
  | "context"
  | "refused"
  | "bad_request";

const CONTEXT =
  /context_length_exceeded|context_window_exceeded|maximum context length|context (?:window|length|size)|too many (?:input )?tokens|exceeds the maximum number of (?:input )?tokens|(?:input|prompt) is too long|exceeds? the (?:available |model'?s? )?(?:maximum )?context|reduce the length of/i;
const QUOTA =
  /insufficient[_ ](?:quota|balance|credits?|funds)|billing_hard_limit|billing_not_active|credit balance|out of credits|payment required/i;
const DAILY = /\b(?:per day|daily|RPD|TPD)\b/i;
/** Google answers a wrong key with 400 (seen 2026-11). */
const WRONG_KEY = /api_key_invalid|api key not valid|api key expired/i;
const MODEL =
  /model_not_found|invalid_model|unknown_model|model_not_exist|models?\b.{0,80}\b(?:does not exist|not exist|not found|is not available|is not supported|unknown)|no such model/i;
const OVERLOADED =
  /overloaded|at capacity|over_capacity|service[_ ]unavailable|^unavailable$|engine is busy|server is busy|try again later/i;
const FILTER = /content_filter|content_policy|content management policy|responsibleaipolicy/i;

/** Error types that stand for a status where none was sent: in the middle of a stream. */
const STATUS_OF_TYPE: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|resource_exhausted|too_many_requests/i, 429],
  [/overloaded|unavailable/i, 503],
  [/authentication|invalid_api_key|unauthorized/i, 401],
  [/permission/i, 403],
  [/not_found/i, 404],
  [/invalid_request|bad_request|invalid_argument/i, 400],
  [/timeout/i, 504],
];

/** The status an error without one stands for: its numeric code, else by its type, else 500. */
export function impliedStatus({ type, code }: VendorError): number {
  const numeric = Number(code);
  if (Number.isInteger(numeric) && numeric >= 400 && numeric <= 599) return numeric;
  return STATUS_OF_TYPE.find(([pattern]) => pattern.test(type) || pattern.test(code))?.[1] ?? 500;
}

/** Whether the vendor said how long to wait matters for daily limits only: a short wait means the limit is no daily one. */
export function failureClass(status: number, { message, type, code }: VendorError, retryAfterMs: number | null): FailureClass {
  const words = `${code} ${type} ${message}`;
  if (status === 413 || ((status === 400 || status === 422 || status >= 500) && CONTEXT.test(words))) return "context";
  if (status === 402 || QUOTA.test(`${code} ${type}`) || ((status === 403 || status === 429) && QUOTA.test(message))) return "quota";
  if (status === 429) return retryAfterMs === null && DAILY.test(message) ? "quota" : "rate_limit";
  if (status === 401 || (status === 400 && WRONG_KEY.test(words))) return "auth";
  if (status === 403) return "forbidden";
  if ((status === 400 || status === 404 || status === 422) && MODEL.test(words)) return "model";
  if (status === 404) return "not_found";
  if (status === 400 && FILTER.test(words)) return "refused";
  if (status === 503 || status === 529 || (status >= 500 && OVERLOADED.test(words))) return "overloaded";
  if (status >= 500 || status === 408 || status === 409 || status === 425) return "server";
  return "bad_request";
}
