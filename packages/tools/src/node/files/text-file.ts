import type { PathOp } from "@massgen/contracts";
import type { FileJob } from "../file-tool.js";
import type { Place } from "./access.js";
import { binaryKind, isNeverText } from "./binary-kinds.js";
import { type FileState, readBytes, sha256 } from "./file-bytes.js";
import { nearestPaths } from "./nearest-paths.js";
import { Refusal, refuse } from "./refusal.js";
import { showName } from "./show-text.js";
import { type DecodedText, decodeText } from "./text-content.js";

/** A text file as it was read: its place, its characters, its bytes' hash. */
export interface TextFile extends DecodedText {
  readonly place: Place;
  readonly state: FileState;
  readonly sha256: string;
}

/** Reads the text file at a path the agent wrote. Refuses what is missing, too large, or no text, and says what to do. */
export async function readText(job: FileJob, op: PathOp, asked: string, maxBytes: number): Promise<TextFile> {
  const place = await job.access.locate(op, asked);
  return naming(job, place, async () => {
    const kind = binaryKind(place.real);
    const { bytes, state } = await readBytes(place.real, maxBytes);
    const decoded = isNeverText(kind) ? null : decodeText(bytes);
    if (decoded === null) refuse("BINARY_FILE", notText(kind, bytes.length, job.rules.mediaTool));
    return { ...decoded, place, state, sha256: sha256(bytes) };
  });
}

function notText(kind: ReturnType<typeof binaryKind>, size: number, mediaTool: string | null): string {
  const what = `It is ${kind === null ? "binary or in an encoding other than UTF-8 and UTF-16" : `a binary file (${kind})`}, ${size} bytes.`;
  const canSee = kind === "image" || kind === "audio" || kind === "video" || kind === "document";
  return `${what} ${canSee && mediaTool !== null ? `Use ${mediaTool} for it.` : "Text tools neither show nor change it."}`;
}

/** Puts the path, as the agent wrote it, in front of a refusal; what does not exist is told with what is near. */
export async function naming<T>(job: FileJob, place: Place, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const near = error.code === "NOT_FOUND" ? await nearestPaths(job.access, place.real) : "";
    throw new Refusal(error.code, `${JSON.stringify(showName(place.asked))}: ${error.message}${near}`, { cause: error });
  }
}
