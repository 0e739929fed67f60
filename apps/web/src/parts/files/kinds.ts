/** How a file is shown. */
export type FileKind = "text" | "markdown" | "image" | "pdf" | "html" | "diagram" | "binary";

const IMAGES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  // As a picture nothing in it runs or loads.
  svg: "image/svg+xml",
};

/** `%PDF-` */
const PDF = [0x25, 0x50, 0x44, 0x46, 0x2d];

const endingOf = (path: string): string => /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

export const imageTypeOf = (path: string): string | null => IMAGES[endingOf(path)] ?? null;

/** By name, and by content where the name says nothing: text has no zeros. */
export function kindOf(path: string, bytes: Uint8Array): FileKind {
  const ending = endingOf(path);
  if (imageTypeOf(path) !== null) return "image";
  if (ending === "pdf" && PDF.every((byte, place) => bytes[place] === byte)) return "pdf";
  if (bytes.subarray(0, 8_000).includes(0)) return "binary";
  if (ending === "md" || ending === "markdown") return "markdown";
  if (ending === "mmd" || ending === "mermaid") return "diagram";
  return ending === "html" || ending === "htm" ? "html" : "text";
}

/** Paths in folders, each folder's files together, folders in the order of their names. */
export function byFolder<T extends { readonly path: string }>(
  files: readonly T[],
): readonly { readonly folder: string; readonly files: readonly T[] }[] {
  const folders = new Map<string, T[]>();
  for (const file of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([folder, its]) => ({ folder, files: its }));
}

export const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const sizeText = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
