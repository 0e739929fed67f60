import { readFile } from "node:fs/promises";
import { MassgenError } from "@massgen/contracts";
import { decodeText } from "./decode-text.js";
import { parseEnvFile } from "./env-file.js";
import { errorCodeOf } from "./error-code.js";
import { writeWhole } from "./write-file.js";

/**
 * The text of a `.env` file with these values in it. A name that is there gets its new value where the old one counted, others
 * come at the end; every other line, comments and broken ones included, stays as it is.
 */
export function editEnv(text: string, values: ReadonlyMap<string, string>): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r\n|\n|\r/);
  const { places } = parseEnvFile(text);
  const missing = new Map(values);
  // From the end, so that the numbers of earlier lines stay true; the last assignment of a name is the one that counts.
  for (const { name, firstLine, lastLine } of places.toReversed()) {
    const value = missing.get(name);
    if (value === undefined) continue;
    missing.delete(name);
    const start = /^\uFEFF?\s*(?:export\s+)?/.exec(lines[firstLine - 1] ?? "")?.[0] ?? "";
    lines.splice(firstLine - 1, lastLine - firstLine + 1, `${start}${name}=${quoted(value)}`);
  }
  if (lines.at(-1) === "") lines.pop();
  const added = [...missing].map(([name, value]) => `${name}=${quoted(value)}`);
  return [...lines, ...added, ""].join(newline);
}

/** The text of a `.env` file without any assignment of these names; every other line stays as it is. */
function withoutNames(text: string, names: ReadonlySet<string>): string {
  const lines = text.split(/(?<=\n)|(?<=\r)(?!\n)/);
  for (const { name, firstLine, lastLine } of parseEnvFile(text).places.toReversed())
    if (names.has(name)) lines.splice(firstLine - 1, lastLine - firstLine + 1);
  return lines.join("");
}

const quoted = (value: string): string => {
  if (/^[\w\-.~+/=:@%,]+$/.test(value)) return value;
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"`;
};

/**
 * Puts keys into a `.env` file, which only its owner can read afterwards (0600). Whole or not at all; folders above are made.
 *
 * @throws MassgenError `CONFIG_INVALID` when the file is no text or cannot be read or written: then it is as it was
 */
export const storeKeys = (file: string, values: ReadonlyMap<string, string>): Promise<void> =>
  changeEnv(file, (text) => editEnv(text, values));

/** Takes keys out of a `.env` file again, as `storeKeys` puts them there. @throws MassgenError as it does */
export const removeKeys = (file: string, names: ReadonlySet<string>): Promise<void> => changeEnv(file, (text) => withoutNames(text, names));

async function changeEnv(file: string, change: (text: string) => string): Promise<void> {
  const failed = (doing: string, reason: string): MassgenError =>
    new MassgenError("CONFIG_INVALID", `The keys cannot be stored: ${file} cannot be ${doing}: ${reason}.`, {
      exitCode: 1,
      hint: "Choose another place, or set the variables in your shell.",
    });
  const bytes = await readFile(file).catch((error: unknown) => {
    if (errorCodeOf(error) === "ENOENT") return Buffer.alloc(0);
    throw failed("read", errorCodeOf(error));
  });
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw failed("read", decoded.reason);
  // The decoder takes a byte order mark away; the file keeps it.
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "\uFEFF" : "";
  await writeWhole(file, mark + change(decoded.text), { existing: "replace", mode: 0o600 }).catch((error: unknown) => {
    throw failed("written", errorCodeOf(error));
  });
}
