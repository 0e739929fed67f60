/** What an agent is told when a file tool does not do what it was asked (docs/spec/tools.md 2.9). */
export type RefusalCode =
  | "PATH_OUTSIDE"
  | "SYMLINK_ESCAPE"
  | "HARD_LINK"
  | "READ_REQUIRED"
  | "STALE_READ"
  | "DELETE_UNREAD"
  | "CRITICAL_PATH"
  | "BINARY_FILE"
  | "ENCODING"
  | "TOO_LARGE"
  | "NOT_FOUND"
  | "EXISTS"
  | "NOT_EMPTY"
  | "IS_DIRECTORY"
  | "NOT_DIRECTORY"
  | "NOT_A_FILE"
  | "NO_MATCH"
  | "MULTIPLE_MATCHES"
  | "INVALID_ARGS"
  | "IO_FAILED";

/** Thrown inside a file tool and turned into its error result: `Error [CODE]: what. why. what to do.` */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, text: string, options: { readonly cause?: unknown } = {}) {
    super(text, options);
    this.name = "Refusal";
    this.code = code;
  }
}

export function refuse(code: RefusalCode, text: string, cause?: unknown): never {
  throw new Refusal(code, text, cause === undefined ? {} : { cause });
}

/** The text of a refusal as the model gets it. A policy's reason may carry its code already. */
export const refusalText = ({ code, message }: Refusal): string =>
  message.startsWith("Error [") ? message : `Error [${code}]: ${message}`;

/** The code of a failed system call, `""` when it is no such failure. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
