import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "../tools/read-tool.js";

export interface MessageReader {
  add(chunk: Buffer): void;
}

export interface MessageSink {
  onMessage(message: JSONRPCMessage): void;
  /** A line that is no message. */
  onNoise(line: string): void;
  /** The stream cannot be read any further. Called once; nothing follows. */
  onBroken(reason: string): void;
}

const LONGEST_MESSAGE_BYTES = 10 * 1024 * 1024;
const MOST_NOISE = 1000;
const NEWLINE = 0x0a;

/** Cuts standard output into messages, one JSON object per line. Other lines are somebody's chatter: told, and passed over. */
export function createMessageReader({ onMessage, onNoise, onBroken }: MessageSink): MessageReader {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let noise = 0;
  let isBroken = false;

  const fail = (reason: string): void => {
    isBroken = true;
    held = [];
    onBroken(reason);
  };

  function line(bytes: Buffer): void {
    const text = bytes.toString("utf8").trimEnd();
    if (text === "") return;
    const message = messageIn(text);
    if (message !== null) {
      onMessage(message);
      return;
    }
    noise += 1;
    if (noise > MOST_NOISE) fail(`it wrote more than ${MOST_NOISE} lines to standard output that are no messages`);
    else onNoise(text);
  }

  return {
    add(chunk) {
      let from = 0;
      while (!isBroken) {
        const end = chunk.indexOf(NEWLINE, from);
        if (heldBytes + (end === -1 ? chunk.length : end) - from > LONGEST_MESSAGE_BYTES)
          return fail(`it sent a message of more than ${LONGEST_MESSAGE_BYTES / 1024 / 1024} MiB`);
        if (end === -1) break;
        const rest = chunk.subarray(from, end);
        const whole = held.length === 0 ? rest : Buffer.concat([...held, rest]);
        held = [];
        heldBytes = 0;
        from = end + 1;
        line(whole);
      }
      if (isBroken || from >= chunk.length) return;
      held.push(chunk.subarray(from));
      heldBytes += chunk.length - from;
    },
  };
}

/** `null` for anything but a request, a notification or an answer. */
function messageIn(text: string): JSONRPCMessage | null {
  if (!text.startsWith("{")) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return null;
  const isCall = typeof value["method"] === "string";
  const isAnswer = value["id"] !== undefined && (isRecord(value["result"]) || isRecord(value["error"]));
  // What is inside is checked by whoever waits for it.
  return isCall || isAnswer ? (value as unknown as JSONRPCMessage) : null;
}
