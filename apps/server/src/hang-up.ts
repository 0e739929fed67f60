import type { ServerResponse } from "node:http";

/** Aborted when the client goes before it has its reply, or when the server gives up on running requests. */
export function hangUpSignal(raw: ServerResponse, stopping: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
  const gone = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished) gone.abort(new Error("the client hung up"));
  };
  raw.on("close", onClose);
  if (raw.destroyed) onClose();
  return { signal: AbortSignal.any([gone.signal, stopping]), release: () => raw.off("close", onClose) };
}
