import { type Bench, benchOf } from "@massgen/testing/node";
import { onTestFinished } from "vitest";
import { createOpenAI, type OpenAIOptions } from "../src/index.js";
import { openReplayServer, type Reply } from "./replay-server.js";

export { answered, type Bench, collect, deskTools, ended, failed, KEY, question, turnRequest } from "@massgen/testing/node";

export async function openBench(replies: readonly Reply[], options: Partial<OpenAIOptions> = {}): Promise<Bench> {
  const server = await openReplayServer(...replies);
  onTestFinished(() => server.close());
  return benchOf(server, (bench) => createOpenAI({ baseUrl: server.url, ...bench, ...options }));
}
