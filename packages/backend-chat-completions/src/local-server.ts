import { type AttemptFailure, fatal, showUrl } from "@massgen/backend-kit";
import type { Settings } from "./options.js";

/** Servers that have answered in this process: one that is gone now may be starting again. */
const reached = new WeakSet<Settings>();

/** Remembers that the server of these settings runs. */
export const markReached = (settings: Settings): void => void reached.add(settings);

/**
 * What a failed connection to a server on the user's own machine means. One that is refused before anything was answered means that
 * nothing runs there: asking again would only make the user wait. Servers of vendors keep the failure as it is.
 */
export function localFailure(failure: AttemptFailure, error: unknown, settings: Settings): AttemptFailure {
  const { preset, address } = settings;
  if (preset.local === null) return failure;
  const where = showUrl(address.href);
  if (!isRefused(error) || reached.has(settings))
    return { ...failure, message: `${failure.message} Is ${preset.name} running there? ${preset.local.start}` };
  return fatal(
    `${preset.name} is not running: nothing answers at ${where}. ${preset.local.start} If it runs elsewhere, say where with base_url.`,
  );
}

/** Whether the machine itself said that nobody listens at the address, however deep that lies. */
function isRefused(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 6 && typeof current === "object" && current !== null; depth++) {
    // Node and Deno say it with a code, Bun with a word of its own.
    const { code, cause } = current as { readonly code?: unknown; readonly cause?: unknown };
    if (code === "ECONNREFUSED" || code === "ConnectionRefused") return true;
    current = cause;
  }
  return false;
}
