import { MassgenError } from "@massgen/contracts";

/** What a client reads of an error: the shape of OpenAI's (docs/spec/cli.md 17.7). */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

export interface ApiErrorOptions {
  readonly param?: string | null;
  readonly code?: string | null;
  /** Joined to the body, beside `error`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log of the server alone; without secrets. */
  readonly cause?: string;
}

/** An answer with a status from 400 on. Its message is for the client: it names no path of this machine and no key. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody & Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, { param = null, code = null, extra = {}, headers = {}, cause }: ApiErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "ApiError";
    this.status = status;
    this.body = { error: { message, type: typeOf(status), param, code }, ...extra };
    this.headers = headers;
  }
}

export const badRequest = (message: string, param: string | null = null, code: string | null = null): ApiError =>
  new ApiError(400, message, { param, code });

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** Clients repeat failed requests by themselves; a whole team is not to be paid for twice. */
const NOT_AGAIN = { "x-should-retry": "false" } as const;

/** What a run that did not begin, or came to nothing, is answered with. `redact` takes out what is not for clients. */
export function errorOfRun(error: unknown, redact: (text: string) => string): ApiError {
  if (error instanceof ApiError) return error;
  if (!MassgenError.is(error)) return serverFailed(error, redact);
  const message = redact(error.message);
  switch (error.code) {
    case "RUN_FAILED":
      return new ApiError(502, message, { code: "agents_failed", headers: NOT_AGAIN });
    case "RUN_TIMEOUT":
      return new ApiError(504, message, { code: "time_limit", headers: NOT_AGAIN });
    case "RUN_BUDGET":
      return new ApiError(502, message, { code: "budget_used_up", headers: NOT_AGAIN });
    case "STORE_CONFLICT":
      return new ApiError(409, message, { code: "in_use" });
    case "RUN_CANCELLED":
      return new ApiError(503, message, { code: "cancelled", headers: NOT_AGAIN });
    default:
      return error.exitCode === 1 ? new ApiError(400, message, { code: error.code.toLowerCase() }) : serverFailed(error, redact);
  }
}

const serverFailed = (error: unknown, redact: (text: string) => string): ApiError =>
  new ApiError(500, "The server failed. Its log says more.", {
    code: "internal_error",
    cause: redact(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
