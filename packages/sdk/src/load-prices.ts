import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PriceTable } from "@massgen/backend-kit";
import { MassgenError } from "@massgen/contracts";

/** Where `massgen --update-prices` keeps its list. */
export const pricesFile = (home: string): string => join(home, ".massgen", "prices.json");

/**
 * The user's prices before the built-in ones; `null` when there is no file.
 *
 * @throws MassgenError `CONFIG_INVALID` for a file that cannot be read or is wrong: budgets are counted by it
 */
export async function loadPrices(home: string): Promise<PriceTable | null> {
  const file = pricesFile(home);
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null;
    throw new MassgenError("CONFIG_INVALID", `The price file ${file} cannot be read: ${cause.code}.`, { exitCode: 1, cause });
  });
  if (text === null) return null;
  const { listPrices, readPriceFile, withPrices } = await import("@massgen/backend-kit");
  return withPrices(readPriceFile(text, file), listPrices);
}
