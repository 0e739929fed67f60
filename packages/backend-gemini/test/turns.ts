import { type Bench, benchOf } from "@massgen/testing/node";
import { onTestFinished } from "vitest";
import { createGemini, type GeminiOptions } from "../src/index.js";
import { openReplayServer, type Reply } from "./replay-server.js";

export { answered, type Bench, collect, deskTools, ended, failed, KEY, question, turnRequest } from "@massgen/testing/node";

export async function openBench(replies: readonly Reply[], options: Partial<GeminiOptions> = {}): Promise<Bench> {
  const server = await openReplayServer(...replies);
  onTestFinished(() => server.close());
  return benchOf(server, (bench) => createGemini({ baseUrl: server.origin, ...bench, ...options }));
}
