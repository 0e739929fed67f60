import type { ChangedFile, ChangesReport } from "@massgen/sdk";
import { pad } from "./columns.js";
import { counted } from "./plain/names.js";
import { visibleLine } from "./visible-text.js";

type Change = Pick<
  ChangedFile,
  "path" | "kind" | "addedLines" | "removedLines" | "isBinary" | "linkTo" | "runsLater" | "isProgram" | "sizeAfter"
>;

/** `modified  /home/me/project/src/a.ts  +3 -1`, with what to know about it. */
export function changeLine(change: Change): string {
  const { kind, path, addedLines, removedLines, isBinary, linkTo, runsLater, isProgram, sizeAfter } = change;
  const lines = [addedLines > 0 ? `+${addedLines}` : "", removedLines > 0 ? `-${removedLines}` : ""]
    .filter((part) => part !== "")
    .join(" ");
  const binary = `no text${sizeAfter === null ? "" : `, ${sizeAfter} bytes`}`;
  const size = linkTo !== null ? `-> ${visibleLine(linkTo)}` : isBinary ? binary : lines;
  const notes = [size, ...(runsLater ? [isProgram ? "a program" : "tools run it by themselves"] : [])].filter((part) => part !== "");
  return `${pad(kind, 8)}  ${visibleLine(path)}${notes.length === 0 ? "" : `  ${notes.join(" · ")}`}`;
}

/** What became of the presenter's changes, for the end of a run; nothing without any. */
export function changedFilesLines(changes: ChangesReport | null): readonly string[] {
  if (changes === null) return [];
  const applied = changes.files.filter(({ outcome }) => outcome === "applied");
  const left = changes.files.filter(({ outcome }) => outcome !== "applied");
  return [
    ...(applied.length === 0 ? [] : [`${counted(applied.length, "file")} changed`, ...applied.map((file) => `  ${changeLine(file)}`)]),
    ...(left.length === 0 ? [] : [`${counted(left.length, "change")} not applied`, ...left.map(leftLine)]),
    ...changes.skipped.map((path) => `  not delivered: ${visibleLine(path)} (neither a file nor a link inside of its folder)`),
    ...(changes.keptIn === null ? [] : [`  kept in ${visibleLine(changes.keptIn)}`]),
    ...(isWaiting(changes) ? ["  Decide about them with: massgen --resume <log> --review"] : []),
  ];
}

const isWaiting = (changes: ChangesReport): boolean => changes.files.some(({ outcome }) => outcome === "waiting");

const leftLine = (file: ChangedFile): string => `  ${changeLine(file)}: ${visibleLine(file.reason ?? file.outcome)}`;
