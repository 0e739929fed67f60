import { type ModelsRequest, parseModels } from "./models-request.js";

export type AskedModels = { readonly models: readonly string[] } | { readonly because: string };

/** Asks one server; given in by tests. `limitMs` is the longest wait. */
export type Ask = (request: ModelsRequest, limitMs: number) => Promise<AskedModels>;

/** How long a server may take over its list. */
const MODELS_LIMIT_MS = 10_000;

/**
 * Asks one server for its models. Rejects only when `signal` is aborted. What a failed server says is not repeated: it may
 * hold the address with its password, or the key.
 */
export async function askModels(
  { url, shownUrl, headers }: ModelsRequest,
  { signal, limitMs = MODELS_LIMIT_MS }: { readonly signal: AbortSignal; readonly limitMs?: number },
): Promise<AskedModels> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    // A key goes where the user sent it and no further.
    const response = await fetch(url, { headers, redirect: "error", signal: AbortSignal.any([signal, limit]) });
    if (!response.ok) {
      await response.body?.cancel();
      return { because: `${shownUrl} answered with status ${response.status}` };
    }
    const models = parseModels(await response.json());
    return models === null ? { because: `${shownUrl} answered with something else` } : { models };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return { because: `${shownUrl} did not answer within ${limitMs / 1000} s` };
    if (error instanceof SyntaxError) return { because: `${shownUrl} answered with something else` };
    const code = causeCode(error);
    return { because: `${shownUrl} cannot be reached${code === null ? "" : ` (${code})`}` };
  }
}

/** `ECONNREFUSED` and the like, however deep it lies. */
function causeCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return causeCode(cause) ?? (typeof code === "string" ? code : null);
}
