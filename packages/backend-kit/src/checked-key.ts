import { MassgenError } from "@massgen/contracts";

/**
 * A key as it can stand in a header; `null` when there is none.
 * @throws MassgenError `CONFIG_INVALID` when it holds what no key holds. The message does not show it.
 */
export function checkedKey(key: string | undefined): string | null {
  const trimmed = key?.trim() ?? "";
  if (trimmed === "") return null;
  if (/[^\x21-\x7e]/.test(trimmed)) {
    throw new MassgenError("CONFIG_INVALID", "The API key holds a character that no key has, such as a blank or a line end.", {
      hint: "Copy the key again.",
      exitCode: 1,
    });
  }
  return trimmed;
}
