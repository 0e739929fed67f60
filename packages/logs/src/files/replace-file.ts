import { open, rename } from "node:fs/promises";

/** Writes a file beside its place and renames it, so that no reader and no crash sees half of it. `flush`: to the disk first. */
export async function replaceFile(file: string, text: string, flush: boolean): Promise<void> {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, "w");
  try {
    await handle.writeFile(text);
    if (flush) await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
