import { sha256 } from "./sha256.js";

/**
 * Identifies what an answer says: two answers with the same fingerprint are the same answer (docs/spec/coordination.md
 * 1.5). The canonical text is NFC, with LF line ends, agents' own folders as `/workspace`, and trimmed.
 */
export const fingerprintOf = (text: string, workspacePaths: readonly string[] = []): string => sha256(canonicalText(text, workspacePaths));

export function canonicalText(text: string, workspacePaths: readonly string[] = []): string {
  const longestFirst = workspacePaths.filter((path) => path !== "").toSorted((a, b) => b.length - a.length);
  const neutral = longestFirst.reduce((current, path) => current.replaceAll(path, "/workspace"), text);
  return neutral.replaceAll("\r\n", "\n").normalize("NFC").trim();
}
