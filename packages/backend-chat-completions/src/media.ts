import { toBase64, toDataUrl } from "@massgen/backend-kit";
import type { BackendCapabilities, MediaPart } from "@massgen/contracts";
import type { JsonObject } from "./json.js";
import type { Preset } from "./presets.js";

type Kind = BackendCapabilities["input"][number];

/** A medium as a content part, or a note in its place where the vendor takes no such thing. */
export function renderMedia(part: MediaPart, preset: Preset): JsonObject {
  const kind = kindOf(part.mediaType);
  if (kind === null || !preset.input.includes(kind))
    return { type: "text", text: mediaNote(part, "left out: this model does not take it") };
  return RENDERERS[kind](part, preset);
}

/** `[image/png, 12 KB, …]`: what stands in a text in place of a medium. */
export function mediaNote({ mediaType, data }: MediaPart, remark: string): string {
  const size = data instanceof URL ? "" : `, ${Math.ceil(data.length / 1024)} KB`;
  return `[${mediaType}${size}, ${remark}]`;
}

const RENDERERS: Readonly<Record<Kind, (part: MediaPart, preset: Preset) => JsonObject>> = {
  text: (part) => ({ type: "text", text: mediaNote(part, "left out") }),
  image: ({ mediaType, data }) => ({ type: "image_url", image_url: { url: toDataUrl(mediaType, data) } }),
  video: ({ mediaType, data }) => ({ type: "video_url", video_url: { url: toDataUrl(mediaType, data) } }),
  audio(part, { dialect }) {
    if (part.data instanceof URL) return { type: "text", text: mediaNote(part, `to be heard at ${part.data.href}`) };
    // Qwen wants a data URL where all others want the bare base64.
    const data = dialect === "qwen" ? toDataUrl(part.mediaType, part.data) : toBase64(part.data);
    return {
      type: "input_audio",
      input_audio: { data, format: part.mediaType === "audio/mpeg" ? "mp3" : part.mediaType.slice("audio/".length) },
    };
  },
  pdf: ({ mediaType, data }) => ({ type: "file", file: { filename: "document.pdf", file_data: toDataUrl(mediaType, data) } }),
};

function kindOf(mediaType: string): Kind | null {
  if (mediaType === "application/pdf") return "pdf";
  const family = mediaType.slice(0, mediaType.indexOf("/"));
  return family === "image" || family === "audio" || family === "video" ? family : null;
}
