import { appendFile, chmod, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "../files/replace-file.js";
import type { Redactor } from "../redact/redactor.js";

const KEPT = 1000;

/** What was typed in interactive mode, newest first, as kept in a file of JSON lines; lines that cannot be read are left out. */
export async function readInputHistory(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const texts = lines.flatMap((line): readonly string[] => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "string" ? [value] : [];
    } catch {
      return [];
    }
  });
  // It grows by lines, from as many processes as there are; now and then the old ones go.
  if (lines.length > 2 * KEPT)
    await replaceFile(
      file,
      `${texts
        .slice(-KEPT)
        .map((one) => JSON.stringify(one))
        .join("\n")}\n`,
      false,
    ).catch(() => {});
  return texts.slice(-KEPT).reverse();
}

/** Adds what was typed, without the secrets in it. Readable by its user alone; what cannot be written is forgotten. */
export async function addInputHistory(file: string, text: string, redactor: Redactor): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${JSON.stringify(redactor.text(text))}\n`, { mode: 0o600 });
    await chmod(file, 0o600);
  } catch {
    // Nobody's question waits for this.
  }
}
