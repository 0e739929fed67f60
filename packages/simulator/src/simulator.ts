import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerRequest, type ServerState } from "./answer-request.js";
import type { LedgerEntry } from "./ledger.js";
import type { SimulatorOptions } from "./options.js";
import type { SimulatedApi } from "./request.js";
import { wireOf } from "./wire/routes.js";

export interface Simulator {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** What a client of this API takes as its base URL. */
  baseUrl(api: SimulatedApi): string;
  /** Every request to a model, in order of arrival. */
  readonly requests: readonly LedgerEntry[];
  /** Destroys open connections and frees the port. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a server on loopback that stands in for model vendors at the wire. Rejects when the port is taken.
 * It keeps the process alive until `close`.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const state: ServerState = { options, requests: [], counts: new Map(), startedAtSeconds: Math.floor(Date.now() / 1000) };
  // No listener may reject: `answerRequest` turns every failure into a response.
  const http = createServer((request, response) => void answerRequest(request, response, state));
  // A model may think for minutes, and a kept connection must not close under the next request.
  http.requestTimeout = 0;
  http.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let closed: Promise<void> | null = null;
  return {
    url,
    baseUrl: (api) => url + wireOf(api).basePath,
    requests: state.requests,
    close() {
      closed ??= new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      });
      return closed;
    },
  };
}
