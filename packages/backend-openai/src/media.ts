import { type MediaKind, mediaKind, mediaNote, toBase64, toDataUrl } from "@massgen/backend-kit";
import type { MediaPart } from "@massgen/contracts";
import type { JsonObject } from "./json.js";

/** A medium as a content part, or a note in its place where the model takes no such thing. */
export function renderMedia(part: MediaPart, taken: readonly string[]): JsonObject {
  const kind = mediaKind(part.mediaType);
  if (kind === null || !taken.includes(kind)) return inputText(mediaNote(part, "left out: this model does not take it"));
  return RENDERERS[kind](part);
}

export function inputText(text: string): JsonObject {
  return { type: "input_text", text };
}

const RENDERERS: Readonly<Record<MediaKind, (part: MediaPart) => JsonObject>> = {
  image: ({ mediaType, data }) => ({ type: "input_image", image_url: toDataUrl(mediaType, data), detail: "auto" }),
  pdf: ({ mediaType, data }) =>
    data instanceof URL
      ? { type: "input_file", file_url: data.href }
      : { type: "input_file", filename: "document.pdf", file_data: toDataUrl(mediaType, data) },
  audio(part) {
    if (part.data instanceof URL) return inputText(mediaNote(part, `to be heard at ${part.data.href}`));
    const format = part.mediaType === "audio/mpeg" ? "mp3" : part.mediaType.slice("audio/".length);
    return { type: "input_audio", input_audio: { data: toBase64(part.data), format } };
  },
  video: (part) => inputText(mediaNote(part, "left out: this API takes no video")),
};
