import type { EpochMillis } from "@massgen/contracts";
import { excerpt } from "./excerpt.js";
import { type AttemptFailure, fatal, transient } from "./failure.js";
import { type FailureClass, failureClass, impliedStatus } from "./failure-class.js";
import { redact } from "./redact.js";
import { readRetryAfter } from "./retry-after.js";
import { showUrl } from "./tidy-base-url.js";
import { readVendorError, type VendorError } from "./vendor-error.js";

/** Who was asked for what, as messages name it. */
export interface Asked {
  /** `OpenAI`, `Groq`, … */
  readonly vendor: string;
  readonly model: string;
  /** The address really called; shown without its secrets. */
  readonly url: string;
  /** Texts that must never be shown, such as the key. */
  readonly secrets: readonly string[];
  /** Name of the variable the key comes from, for the message of a refused key. */
  readonly keyName?: string;
  /** Known models with names near this one, for the message when the vendor does not know it. */
  readonly nearModels?: readonly string[];
}

/** A reply that is no success. */
export interface FailedReply {
  readonly status: number;
  readonly headers: Headers;
  /** The body as text, as far as it could be read. */
  readonly body: string;
}

/** What each class says first, and what happens next. */
interface Reaction {
  says(asked: Asked): string;
  readonly kind: AttemptFailure["kind"];
  readonly retry: AttemptFailure["retry"];
  /** What to do about it, when that is known. */
  readonly hint?: (asked: Asked) => string;
}

const never = { kind: "backend_fatal", retry: "never" } as const;
const again = { kind: "backend_transient", retry: "backoff" } as const;

const REACTIONS: Readonly<Record<FailureClass, Reaction>> = {
  auth: {
    ...never,
    says: ({ vendor }) => `${vendor} does not accept the API key`,
    hint: ({ keyName }) => (keyName === undefined ? "" : ` Check ${keyName}.`),
  },
  forbidden: { ...never, says: ({ vendor, model }) => `${vendor} denies access to "${model}"` },
  not_found: { ...never, says: ({ vendor }) => `${vendor} has nothing at this address`, hint: versionHint },
  model: {
    ...never,
    says: ({ vendor, model }) => `${vendor} does not know the model "${model}"`,
    hint: ({ nearModels = [] }) => (nearModels.length === 0 ? "" : ` Models with names like it: ${nearModels.join(", ")}.`),
  },
  quota: { ...never, says: ({ vendor }) => `The account at ${vendor} has no quota left` },
  rate_limit: { ...again, says: ({ vendor, model }) => `${vendor} limits the rate of "${model}"` },
  overloaded: { ...again, says: ({ vendor }) => `${vendor} is overloaded` },
  server: { ...again, says: ({ vendor }) => `${vendor} failed to answer` },
  context: { kind: "context_overflow", retry: "never", says: ({ model }) => `The conversation is too long for "${model}"` },
  refused: { ...never, says: ({ vendor }) => `The content filter of ${vendor} refused the request` },
  bad_request: { ...never, says: ({ vendor, model }) => `${vendor} refuses the request to "${model}"` },
};

/** A reply with a status of 400 and above. The vendor's own `x-should-retry` decides where it is present. */
export function classifyReply(asked: Asked, { status, headers, body }: FailedReply, now: EpochMillis): AttemptFailure {
  const error = readVendorError(parseJson(body)) ?? { message: pageTitle(body), type: "", code: "", param: "" };
  const requestId = headers.get("x-request-id") ?? headers.get("request-id");
  const failure = failureFrom(asked, error, status, { requestId, retryAfterMs: readRetryAfter(headers, now) });
  switch (headers.get("x-should-retry")) {
    case "true":
      return failure.kind === "context_overflow" ? failure : { ...failure, kind: "backend_transient", retry: "backoff" };
    case "false":
      return failure.kind === "context_overflow" ? failure : { ...failure, kind: "backend_fatal", retry: "never" };
    default:
      return failure;
  }
}

/** An error object inside a response that began well. `requestId`: of that response, or as the error itself tells it. */
export function classifyStreamError(asked: Asked, value: unknown, requestId: string | null = null): AttemptFailure {
  const error = readVendorError(value) ?? {
    message: typeof value === "object" ? JSON.stringify(value) : String(value),
    type: "",
    code: "",
    param: "",
  };
  return failureFrom(asked, error, impliedStatus(error), { requestId, retryAfterMs: null });
}

/** A request that got no reply, or a body that broke off: whatever `fetch` or a body reader rejected with. */
export function classifyNetworkError(asked: Asked, error: unknown): AttemptFailure {
  return transient(`The connection to ${asked.vendor} failed at ${showUrl(asked.url)}: ${excerpt(rootCause(error), asked.secrets)}.`);
}

/** A success that is no answer of this API: a web page, for example. Asking again would bring the same page. */
export function classifyUnexpectedBody(asked: Asked, status: number, contentType: string | null, body: string): AttemptFailure {
  const title = pageTitle(body);
  const seen = contentType === null || contentType === "" ? "a body without a content type" : excerpt(contentType, []);
  const quote = title === "" ? "" : `: "${excerpt(title, asked.secrets)}"`;
  return fatal(
    `${asked.vendor} answered the request for "${asked.model}" at ${showUrl(asked.url)} with ${seen} (status ${status}) and not with an answer of the model${quote}.` +
      (versionHint(asked) || " Is base_url the address of the API?"),
    status,
  );
}

interface ReplyFacts {
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
}

function failureFrom(asked: Asked, error: VendorError, status: number, { requestId, retryAfterMs }: ReplyFacts): AttemptFailure {
  const { says, kind, retry, hint } = REACTIONS[failureClass(status, error, retryAfterMs)];
  const names = [
    `status ${status}`,
    error.code !== "" && error.code !== String(status) && `code ${error.code}`,
    requestId !== null && `request ${requestId}`,
  ];
  const details = excerpt(names.filter((name) => name !== false).join(", "), asked.secrets);
  const said = excerpt(error.message, asked.secrets);
  const quote = said === "" ? "." : `: "${said}"${/[.!?…]$/.test(said) ? "" : "."}`;
  const message = `${redact(says(asked), asked.secrets)} (${details}, model ${asked.model}, at ${showUrl(asked.url)})${quote}${hint?.(asked) ?? ""}`;
  return { kind, message, status, retryAfterMs, retry };
}

/** An address whose path has no version is the most frequent cause of a 404. */
function versionHint({ url }: Asked): string {
  return /\/v\d/.test(url) ? "" : " Should base_url end in /v1?";
}

/** The innermost cause says what happened: `fetch failed` does not. */
function rootCause(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error && current.cause !== undefined; depth++) current = current.cause;
  if (!(current instanceof Error)) return String(current);
  const code = "code" in current && typeof current.code === "string" ? current.code : "";
  if (current.message === "") return code || current.name;
  return code === "" || current.message.includes(code) ? current.message : `${current.message} (${code})`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The title of a page, or the text itself when it is none. */
function pageTitle(body: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  if (title !== undefined) return title.trim();
  return /^\s*</.test(body) ? "" : body.trim();
}
