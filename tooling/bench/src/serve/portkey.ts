import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../peers/find-peer.js";
import { type Listening, startListening } from "./listening.js";

export const PORTKEY: Peer = { name: "@portkey-ai/gateway", version: "1.15.2", program: "build/start-server.js" };

/**
 * Says where it listens, as our servers do, and keeps it on loopback: the gateway itself takes every address of the machine.
 * And it writes into the headers of what `fetch` gave it, which Node refuses, so that every stream ended as "TypeError:
 * immutable" (github.com/Portkey-AI/gateway/issues/1389): it gets headers it may write to. The body is not touched.
 */
const PRELOAD = `
import { Server } from "node:net";
const { listen } = Server.prototype;
Server.prototype.listen = function (_port, _host, ...rest) {
  this.once("listening", () => console.log("listening on http://127.0.0.1:" + this.address().port));
  return listen.call(this, 0, "127.0.0.1", ...rest);
};
const { fetch, Response } = globalThis;
globalThis.fetch = async (...asked) => {
  const reply = await fetch(...asked);
  return new Response(reply.body, { status: reply.status, statusText: reply.statusText, headers: reply.headers });
};
`;

/** Without its console, which would keep what passes. */
export function startPortkey(program: string, folder: string): Promise<Listening> {
  const preload = join(folder, "preload.mjs");
  writeFileSync(preload, PRELOAD);
  return startListening({ args: ["--import", preload, program, "--headless"], cwd: folder, env: { NODE_ENV: "production" } });
}

/** Whose API stands behind it, and where. */
export const portkeyHeaders = (vendor: string): Readonly<Record<string, string>> => ({
  "x-portkey-provider": "openai",
  "x-portkey-custom-host": vendor,
  authorization: "Bearer bench",
});
