export type ErrorCode =
  | "CONFIG_INVALID"
  | "CONFIG_NOT_FOUND"
  | "USAGE"
  | "UNKNOWN_BACKEND"
  | "MISSING_API_KEY"
  | "NOT_SUPPORTED"
  | "STORE_CONFLICT"
  | "STORE_FAILED"
  | "RUN_STUCK"
  | "RUN_BUSY"
  | "RUN_FAILED"
  | "RUN_TIMEOUT"
  | "RUN_CANCELLED"
  | "RUN_BUDGET"
  | "SESSION_NOT_FOUND"
  | "PATH_DENIED"
  | "SYMLINK_ESCAPE"
  | "TOOL_TIMEOUT"
  | "ROUND_TIMEOUT"
  | "MCP_UNAVAILABLE"
  | "BACKEND_FAILED";

/** The exit codes of a program that ends with an error: 1 configuration, 2 execution or usage, 3 time limit, 4 interrupted, 5 budget. */
export type ErrorExitCode = 1 | 2 | 3 | 4 | 5;

export interface MassgenErrorOptions {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly exitCode?: ErrorExitCode;
  readonly issues?: readonly unknown[];
  readonly partial?: unknown;
}

const BRAND: symbol = Symbol.for("massgen.error");

/** Every error that leaves a public function. Switch on `code`; show `message` and `hint`; keep `cause`. */
export class MassgenError extends Error {
  readonly code: ErrorCode;
  /** What the reader can do now, as a full sentence; empty when there is nothing to do. */
  readonly hint: string;
  readonly exitCode: ErrorExitCode;
  /** Configuration problems, for `CONFIG_INVALID`. */
  readonly issues: readonly unknown[];
  /** What a failed run left, as far as there is anything; else `null`. */
  readonly partial: unknown;

  constructor(code: ErrorCode, message: string, options: MassgenErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MassgenError";
    this.code = code;
    this.hint = options.hint ?? "";
    this.exitCode = options.exitCode ?? 2;
    this.issues = options.issues ?? [];
    this.partial = options.partial ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True across duplicate installs of this package, where `instanceof` is not. */
  static is(error: unknown, code?: ErrorCode): error is MassgenError {
    return (
      typeof error === "object" && error !== null && BRAND in error && (code === undefined || ("code" in error && error.code === code))
    );
  }
}
