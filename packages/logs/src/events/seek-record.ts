import { open } from "node:fs/promises";

/** Read at a time, and the span at which looking closer costs more than reading. */
const CHUNK_BYTES = 1 << 16;
const NEWLINE = 10;

/**
 * A byte at which a decision begins and before which only records older than `after` stand: where a reader that has seen
 * `after` may begin. Records count up, so it is found by halving, whatever the size of the file; 0 when in doubt.
 */
export async function placeBefore(file: string, after: number, chunkBytes: number = CHUNK_BYTES): Promise<number> {
  const handle = await open(file, "r").catch(() => null);
  if (handle === null) return 0;
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let low = 0;
    let high = (await handle.stat()).size;
    while (high - low > 2 * chunkBytes) {
      const middle = Math.floor((low + high) / 2);
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, middle);
      const end = firstEnd(buffer.subarray(0, bytesRead));
      if (end !== null && end.seq < after) low = middle + end.byte;
      else high = middle;
    }
    return low;
  } finally {
    await handle.close();
  }
}

/** The first whole line of a piece that closes a decision: its number, and the byte after it. */
function firstEnd(piece: Buffer): { readonly seq: number; readonly byte: number } | null {
  let begin = piece.indexOf(NEWLINE) + 1;
  if (begin === 0) return null;
  for (let at = piece.indexOf(NEWLINE, begin); at !== -1; at = piece.indexOf(NEWLINE, begin)) {
    const line = parsed(piece.toString("utf8", begin, at));
    if (line?.closes === true && typeof line.seq === "number") return { seq: line.seq, byte: at + 1 };
    begin = at + 1;
  }
  return null;
}

function parsed(text: string): { readonly seq?: unknown; readonly closes?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
