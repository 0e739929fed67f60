import type { BackendCapabilities, MediaPart } from "@massgen/contracts";

export type MediaKind = Exclude<BackendCapabilities["input"][number], "text">;

/** What a medium is to a vendor; `null` when none takes such a thing. */
export function mediaKind(mediaType: string): MediaKind | null {
  if (mediaType === "application/pdf") return "pdf";
  const family = mediaType.slice(0, mediaType.indexOf("/"));
  return family === "image" || family === "audio" || family === "video" ? family : null;
}

/** `[image/png, 12 KB, …]`: what stands in a text in place of a medium. */
export function mediaNote({ mediaType, data }: MediaPart, remark: string): string {
  const size = data instanceof URL ? "" : `, ${Math.ceil(data.length / 1024)} KB`;
  return `[${mediaType}${size}, ${remark}]`;
}
