import { mediaKind, mediaNote, toBase64 } from "@massgen/backend-kit";
import type { MediaPart } from "@massgen/contracts";
import type { JsonObject } from "./json.js";

const IMAGES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const MEBIBYTE = 1024 * 1024;
/** The vendor counts the base64 text, which is a third longer than the bytes. */
const LARGEST_IMAGE_BYTES = Math.floor((5 * MEBIBYTE * 3) / 4);
const LARGEST_PDF_BYTES = Math.floor((32 * MEBIBYTE * 3) / 4);

/** A medium as a content block, or a note in its place where the vendor would refuse it, and with it every later request. */
export function renderMedia(part: MediaPart): JsonObject {
  const kind = mediaKind(part.mediaType);
  if (kind === "pdf") return sized(part, LARGEST_PDF_BYTES, "32 MB") ?? { type: "document", source: sourceOf(part) };
  if (kind === "image" && IMAGES.has(part.mediaType))
    return sized(part, LARGEST_IMAGE_BYTES, "5 MB") ?? { type: "image", source: sourceOf(part) };
  return note(part, "left out: this model does not take it");
}

function sized(part: MediaPart, largestBytes: number, limit: string): JsonObject | null {
  if (part.data instanceof URL || part.data.length <= largestBytes) return null;
  return note(part, `left out: larger than ${limit}, which is the most this model takes`);
}

function sourceOf({ mediaType, data }: MediaPart): JsonObject {
  if (!(data instanceof URL)) return { type: "base64", media_type: mediaType, data: toBase64(data) };
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(data.href);
  return inline === null ? { type: "url", url: data.href } : { type: "base64", media_type: inline[1]!, data: inline[2]! };
}

const note = (part: MediaPart, remark: string): JsonObject => ({ type: "text", text: mediaNote(part, remark) });
