import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { builtInRateLimits, parseRateLimits, type RateLimitTable } from "../rate-limits.js";
import { errorCodeOf } from "./error-code.js";

/**
 * The limits of the project, `.massgen/rate_limits.yaml`, else of the user, `~/.massgen/rate_limits.yaml`, else the built-in ones.
 *
 * @throws MassgenError `CONFIG_INVALID` for a file that cannot be read or is wrong: it is never passed over.
 */
export async function loadRateLimits({ cwd, home }: { readonly cwd: string; readonly home: string }): Promise<RateLimitTable> {
  for (const folder of [cwd, home]) {
    const file = join(folder, ".massgen", "rate_limits.yaml");
    const text = await readFile(file, "utf8").catch((cause: unknown) => {
      const code = errorCodeOf(cause);
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw new MassgenError("CONFIG_INVALID", `The rate limit file ${file} cannot be read: ${code}.`, { exitCode: 1, cause });
    });
    if (text !== null) return parseRateLimits(text, file);
  }
  return builtInRateLimits;
}
