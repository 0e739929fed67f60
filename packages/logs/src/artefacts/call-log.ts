import { createHash } from "node:crypto";
import type { FileSink } from "../files/file-sink.js";
import type { Redactor } from "../redact/redactor.js";

/** `llm_calls.jsonl`: what was sent to models and what came back, one JSON object per line (docs/spec/logs.md 4.13). */
export interface CallLog {
  /**
   * A line with a `request` gets the SHA-256 of it, as it is written, as `request_hash`. Resolves when the line outlives this
   * process, and never rejects.
   */
  add(line: object): Promise<void>;
}

export function createCallLog({
  sink,
  redactor,
  simulated,
}: {
  readonly sink: FileSink;
  readonly redactor: Redactor;
  readonly simulated: boolean;
}): CallLog {
  return {
    add(line) {
      const safe: object = redactor.value(line);
      const hash = "request" in safe ? { request_hash: createHash("sha256").update(JSON.stringify(safe.request)).digest("hex") } : {};
      return sink.append("llm_calls.jsonl", `${JSON.stringify({ ...safe, ...hash, ...(simulated ? { simulated } : {}) })}\n`);
    },
  };
}
