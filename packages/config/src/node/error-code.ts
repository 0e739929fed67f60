/** The system's code of a failed file operation, `ENOENT`; the message for anything else. */
export function errorCodeOf(error: unknown): string {
  if (error instanceof Error) return "code" in error && typeof error.code === "string" ? error.code : error.message;
  return String(error);
}
