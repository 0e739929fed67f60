import { isIP } from "node:net";
import { MassgenError } from "@massgen/contracts";
import type { MassgenServer } from "@massgen/server";
import type { Io } from "../io.js";

/** How long requests under way may take after the first signal to stop. */
const GRACE_MS = 10_000;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Told the address once it listens; what it rejects with ends the server. */
  readonly ready: (address: string) => Promise<void>;
}

/** Listens until a signal stops it, then takes no more and waits for what is under way. */
export async function listenUntilInterrupted(server: MassgenServer, { host, port, ready }: Listening, io: Io): Promise<void> {
  io.allowSlowEnd(2 * GRACE_MS);
  const address = await server.listen({ host, port }).catch((error: unknown) => {
    throw cannotListen(error, host, port);
  });
  io.err.write(`massgen server listening on ${address}\n`);
  try {
    await ready(address);
    await interrupted(io.interrupt);
    io.err.write("massgen server is stopping\n");
  } finally {
    await server.close(GRACE_MS);
  }
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EADDRINUSE")
    return new MassgenError("CONFIG_INVALID", `Port ${port} on ${host} is in use.`, {
      exitCode: 1,
      hint: "Stop what listens there, or take another with --port; --port 0 finds a free one.",
      cause: error,
    });
  if (code === "EADDRNOTAVAIL" || code === "EACCES" || code === "ENOTFOUND")
    return new MassgenError("CONFIG_INVALID", `The server cannot listen on ${host}:${port} (${code}).`, { exitCode: 1, cause: error });
  return error;
}

const interrupted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
