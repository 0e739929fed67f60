import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Command } from "../harness/run-process.js";

/** The least a process on node can do. */
export const bareNode: Command = { args: ["-e", "0"] };

/** The adapter's own copy of the SDK, so that floor and ours load the same files. */
export function findSdk(): string {
  const adapter = fileURLToPath(new URL("../../../../packages/backend-chat-completions/package.json", import.meta.url));
  return pathToFileURL(createRequire(adapter).resolve("openai")).href.replace(/index\.js$/, "index.mjs");
}

/** The shortest program on the SDK, as it comes, that streams one answer to stdout. */
export const shortestSdkScript = (sdk: string, baseUrl: string, question: string): string => `
import { OpenAI } from ${JSON.stringify(sdk)};
const client = new OpenAI({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: "bench" });
const messages = [{ role: "user", content: ${JSON.stringify(question)} }];
for await (const chunk of await client.chat.completions.create({ model: "bench-model", messages, stream: true }))
  process.stdout.write(chunk.choices[0]?.delta?.content ?? "");
`;
