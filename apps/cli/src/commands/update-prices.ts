import { mkdir, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { pricesFile, toPriceFile } from "@massgen/sdk/team";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";

/** A public list that is kept up with the vendors' prices. */
const PUBLIC_LIST = "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json";
const LIMIT_MS = 30_000;

/**
 * `massgen --update-prices [url]`: fetches a public price list and keeps what it says of models that chat. Runs never ask
 * for prices themselves.
 *
 * @throws MassgenError `RUN_FAILED` when the list cannot be had; the prices in use stay
 */
export async function updatePrices({ url }: { readonly url: string | null }, io: Io): Promise<ExitCode> {
  const source = url ?? PUBLIC_LIST;
  const list = await fetchList(source, io.interrupt);
  const asOf = new Date().toISOString().slice(0, 10);
  const file = toPriceFile(list, { asOf, source });
  if (file === null) throw unreachable(source, "it holds no prices in the form of public price lists");
  const path = pricesFile(io.env["HOME"] || homedir());
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(file, null, 1)}\n`, { mode: 0o600 });
  await rename(temporary, path);
  io.out.write(`${Object.keys(file.models).length} prices as of ${asOf} in ${path}\n`);
  return 0;
}

async function fetchList(source: string, signal: AbortSignal): Promise<unknown> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const response = await fetch(source, { signal: AbortSignal.any([signal, limit]) });
    if (!response.ok) throw unreachable(source, `it answered with status ${response.status}`);
    return await response.json();
  } catch (error) {
    signal.throwIfAborted();
    if (MassgenError.is(error)) throw error;
    throw unreachable(
      source,
      limit.aborted
        ? `it did not answer within ${LIMIT_MS / 1000} s`
        : error instanceof SyntaxError
          ? "it is no JSON"
          : "it cannot be reached",
    );
  }
}

const unreachable = (source: string, why: string): MassgenError =>
  new MassgenError("RUN_FAILED", `The price list ${source} cannot be used: ${why}.`, {
    hint: "The prices in use stay as they are. Another list: massgen --update-prices <url>",
  });
