import { type Asked, type AttemptFailure, classifyReply, classifyStreamError, type FailedReply, transient } from "@massgen/backend-kit";
import type { EpochMillis } from "@massgen/contracts";
import { asJsonObject, isObject, type JsonObject, parseJson, textOf } from "./json.js";

/** What an error inside a stream stands for: there its type is all there is. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** The prompt alone would fit; with the room for the answer it does not. */
const TOO_LONG_WITH_ANSWER = /exceed context limit/i;

/** A reply with a status of 400 and above. */
export function classifyRefusal(asked: Asked, { status, headers, body }: FailedReply, now: EpochMillis): AttemptFailure {
  const known = new Headers(headers);
  const requestId = textOf(asJsonObject(parseJson(body))["request_id"]);
  // Gateways drop the header; the body has the id too.
  if (requestId !== "" && /^[\w-]+$/.test(requestId) && !known.has("request-id")) known.set("request-id", requestId);
  const reset = status === 429 && !known.has("retry-after") && !known.has("retry-after-ms") ? resetOf(headers) : null;
  if (reset !== null) known.set("retry-after", reset);
  const failure = classifyReply(asked, { status, headers: known, body }, now);
  return status === 400 && TOO_LONG_WITH_ANSWER.test(body) ? { ...failure, kind: "context_overflow", retry: "never" } : failure;
}

/** An error inside a response that began well: `{type: "error", error: {type, message}, request_id}`. */
export function classifyErrorEvent(asked: Asked, value: unknown, requestId: string | null): AttemptFailure {
  if (!isObject(value)) return classifyStreamError(asked, value, requestId);
  const error: JsonObject = asJsonObject(value["error"]);
  const status = STATUS_OF_TYPE[textOf(error["type"])];
  const withStatus = status === undefined ? value : { ...value, error: { ...error, code: String(status) } };
  return classifyStreamError(asked, withStatus, textOf(value["request_id"]) || requestId);
}

/** The prompt and what was written so far fill the model's whole window. */
export function windowIsFull({ vendor, model }: Asked): AttemptFailure {
  const message = `The conversation fills the whole context window of "${model}" at ${vendor} (stop_reason model_context_window_exceeded).`;
  return { ...transient(message), kind: "context_overflow", retry: "never" };
}

/** When the limit that is used up opens again; the latest, when there are several. */
function resetOf(headers: Headers): string | null {
  const resets = ["requests", "tokens", "input-tokens", "output-tokens"].flatMap((limit) => {
    const reset = headers.get(`anthropic-ratelimit-${limit}-reset`);
    return headers.get(`anthropic-ratelimit-${limit}-remaining`) === "0" && reset !== null && !Number.isNaN(Date.parse(reset))
      ? [reset]
      : [];
  });
  return resets.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null;
}
