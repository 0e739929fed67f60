import { formatCount, languageOfPath, visibleText } from "@massgen/views";
import { highlighted } from "../code/highlight.js";
import type { ModalContent } from "../modals/modal-content.js";
import type { Modal, ScreenState } from "../state.js";
import type { Style } from "../style.js";
import { cut, ends, lineOf, wrapped } from "../text.js";
import type { FilesPanel } from "./workspace-files.js";

/** The files of an agent, one a row, with their sizes. */
export function filesContent({ files, view }: ScreenState, { at }: Modal, width: number, style: Style): ModalContent {
  const of = view.state.order.length;
  const title = `Files of ${files?.agent ?? "nobody"}`;
  const say = (text: string): ModalContent => ({ title, lines: [style("faint", cut(text, width))], of });
  if (files === null || files.listing.is === "loading") return say("Looking …");
  if (files.listing.is === "failed") return say(files.listing.message);
  const { value } = files.listing;
  if (value === null) return say("It works without files.");
  if (value.files.length === 0) return say("Its workspace is empty.");
  const lines = value.files.map(({ path, bytes }, index) => {
    const row = ends(`${index === at ? "▸" : " "} ${lineOf(path, Math.max(4, width - 14))}`, ` ${sizeOf(bytes)}`, width);
    return style(index === at ? "strong" : "plain", row);
  });
  const count = `${formatCount(value.files.length)}${value.isCut ? " or more" : ""} ${value.files.length === 1 ? "file" : "files"}`;
  return { title: `${title}, ${count}`, lines, of, cursor: at };
}

/** The beginning of one file, its code coloured. */
export function fileContent({ files }: ScreenState, width: number, style: Style): ModalContent {
  const open = files?.open ?? null;
  const title = open === null ? "File" : `${files?.agent}: ${open.path}`;
  return { title, lines: previewLines(open, width, style), of: 2 };
}

function previewLines(open: FilesPanel["open"], width: number, style: Style): readonly string[] {
  const say = (text: string): readonly string[] => [style("faint", cut(text, width))];
  if (open === null || open.preview.is === "loading") return say("Reading …");
  if (open.preview.is === "failed") return say(open.preview.message);
  const { text, bytes, isCut } = open.preview.value;
  if (text === null) return say(`No text, ${sizeOf(bytes)}.`);
  if (text === "") return say("It is empty.");
  const lines = highlighted(visibleText(text).replaceAll("\t", "    ").replace(/\n$/, ""), languageOfPath(open.path), style);
  return [...lines.flatMap((line) => wrapped(line, width)), ...(isCut ? ["", ...say(`… and more; the file has ${sizeOf(bytes)}.`)] : [])];
}

const sizeOf = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
