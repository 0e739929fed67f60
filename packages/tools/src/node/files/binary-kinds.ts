import { extname } from "node:path";

export type BinaryKind = "image" | "video" | "audio" | "archive" | "executable" | "document" | "database";

const EXTENSIONS: Readonly<Record<BinaryKind, string>> = {
  image: "jpg jpeg png gif bmp ico webp tiff tif",
  video: "mp4 avi mov mkv flv wmv webm m4v mpg mpeg",
  audio: "mp3 wav ogg flac aac m4a wma",
  archive: "zip tar gz bz2 7z rar xz",
  executable: "exe bin dll so dylib o a pyc pyo pyd class jar wasm",
  document: "doc xls ppt pdf docx xlsx pptx",
  database: "dat db sqlite sqlite3 safetensors onnx pb h5 hdf5",
};

const kinds: ReadonlyMap<string, BinaryKind> = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) => list.split(" ").map((extension) => [extension, kind as BinaryKind] as const)),
);

/** What a file is by its name, `null` for everything that may be text. */
export const binaryKind = (path: string): BinaryKind | null => kinds.get(extname(path).slice(1).toLowerCase()) ?? null;

/** Kinds that are refused by name alone: what is in them is never meant to be read or edited as text. */
export const isNeverText = (kind: BinaryKind | null): boolean => kind === "archive" || kind === "executable";
