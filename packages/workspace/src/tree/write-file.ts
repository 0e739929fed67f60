import type { Disk } from "../disk.js";

/** Makes a file that must not be there yet, and has its content written into it. */
export function writeNew(disk: Disk, path: string, mode: number, fill: (write: (piece: Buffer) => void) => void): void {
  const fd = disk.openSync(path, "wx", mode);
  try {
    fill((piece) => writeAll(disk, fd, piece));
  } finally {
    disk.closeSync(fd);
  }
}

/** A disk may take less than it is given. */
export function writeAll(disk: Disk, fd: number, piece: Buffer): void {
  for (let written = 0; written < piece.length; ) written += disk.writeSync(fd, piece, written, piece.length - written);
}
