import { mediaKind, mediaNote, toBase64 } from "@massgen/backend-kit";
import type { MediaPart } from "@massgen/contracts";
import type { JsonObject } from "./json.js";

/** The image formats Gemini reads; any other one fails the whole request. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]);

/** Whether the API takes a medium; an address is left to Google. */
export function isReadable({ mediaType }: MediaPart): boolean {
  const kind = mediaKind(mediaType);
  if (kind === "image") return IMAGES.has(mediaType);
  return kind !== null || mediaType === "text/plain";
}

/** A medium as a part, or a note in its place where Gemini takes no such thing. */
export function renderMedia(part: MediaPart): JsonObject {
  if (!isReadable(part)) return { text: mediaNote(part, "left out: this model does not take it") };
  const { mediaType, data } = part;
  return data instanceof URL
    ? { fileData: { fileUri: data.href, mimeType: mediaType } }
    : { inlineData: { mimeType: mediaType, data: toBase64(data) } };
}
