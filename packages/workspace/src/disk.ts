import fs from "node:fs";

/** What this package asks of the file system to write. Tests stand in a disk that is full; nobody else needs to. */
export type Disk = Pick<
  typeof fs,
  "openSync" | "writeSync" | "closeSync" | "mkdirSync" | "linkSync" | "copyFileSync" | "symlinkSync" | "renameSync"
>;

export const nodeDisk: Disk = fs;

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Whether nothing is there. Anything else that keeps us from looking is an error. */
export const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error));
