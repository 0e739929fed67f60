/** What an error body says, whatever its shape. Texts are as the vendor sent them: not for people yet. */
export interface VendorError {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  /** The request field the vendor complains about. */
  readonly param: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Finds the error in a body or in an event of a stream. Knows `{error: {…}}`, `{error: "…"}`, `[{error}]`, `{errors: […]}`,
 * `{message, code}`, `{detail}` of web frameworks, and an upstream's text that a router wraps in `metadata.raw`.
 * `null` when the value holds no message at all.
 */
export function readVendorError(value: unknown): VendorError | null {
  if (typeof value === "string") return value.trim() === "" ? null : { message: value, type: "", code: "", param: "" };
  if (Array.isArray(value)) return readVendorError(value[0]);
  if (!isFields(value)) return null;
  const inner = value["error"] ?? value["errors"];
  if (inner !== undefined && inner !== null) {
    const found = readVendorError(inner);
    return found === null ? null : { ...found, code: found.code || textOf(value["code"]), type: found.type || textOf(value["type"]) };
  }
  const message = messageOf(value);
  if (message === "" && value["code"] === undefined && value["type"] === undefined) return null;
  return { message, type: textOf(value["type"]) || textOf(value["status"]), code: textOf(value["code"]), param: textOf(value["param"]) };
}

function messageOf(fields: Fields): string {
  const message = textOf(fields["message"]) || textOf(fields["detail"]) || textOf(fields["msg"]);
  const raw = isFields(fields["metadata"]) ? textOf(fields["metadata"]["raw"]) : "";
  if (raw === "" || message.includes(raw)) return message;
  return message === "" ? raw : `${message}: ${raw}`;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
