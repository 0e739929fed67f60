import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createChatCompletions } from "../src/index.js";
import { collect, failed, openBench, turnRequest } from "./turns.js";

/** An address where nobody listens. */
async function nobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}

async function ask(id: string, baseUrl: string, more: Partial<Parameters<typeof createChatCompletions>[0]> = {}) {
  const backend = createChatCompletions({ id, model: "m", baseUrl, ...more });
  return collect(backend.stream(turnRequest(), new AbortController().signal));
}

describe("a local server that does not run", () => {
  it.each([
    ["ollama", "Ollama", "Start it with `ollama serve`."],
    ["lmstudio", "LM Studio", "Start it in its Developer tab, or with `lms server start`."],
    ["vllm", "vLLM", "Start it with `vllm serve <model>`."],
    ["sglang", "SGLang", "Start it with `python -m sglang.launch_server --model-path <model>`."],
    ["inference", "vLLM/SGLang", "Start it with `vllm serve <model>`."],
  ])("%s: the address and how to start it, at once", async (id, name, start) => {
    const baseUrl = await nobody();
    const result = await ask(id, baseUrl);
    expect(result.retries).toEqual([]);
    expect(failed(result).failure).toMatchObject({
      kind: "backend_fatal",
      message: expect.stringContaining(`${name} is not running: nothing answers at ${baseUrl}. ${start} If it runs elsewhere`),
    });
  });

  it("one that has answered before may be starting again: it is asked again", async () => {
    const { server, ambient } = await openBench([{ recording: "whole-answer.sse" }]);
    let isGone = false;
    const refused = new TypeError("fetch failed", { cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }) });
    const reach: typeof fetch = (input, init) => (isGone ? Promise.reject(refused) : ambient.fetch(input, init));
    const backend = createChatCompletions({
      id: "ollama",
      model: "m",
      baseUrl: server.url,
      maxRetries: 0,
      ambient: { ...ambient, fetch: reach },
    });
    const turn = () => collect(backend.stream(turnRequest(), new AbortController().signal));
    expect((await turn()).text).not.toBe("");
    isGone = true;
    expect(failed(await turn()).failure).toMatchObject({
      kind: "backend_transient",
      message: expect.stringContaining("Is Ollama running there?"),
    });
  });

  it("neither user nor password of the address are shown", async () => {
    const baseUrl = (await nobody()).replace("http://", "http://user:hunter2@");
    expect(JSON.stringify(await ask("ollama", baseUrl))).not.toMatch(/hunter2|user:/);
  });

  it("a connection that breaks in another way is tried again, and the hint is there too", async () => {
    const reset = (): Promise<Response> =>
      Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) }));
    const { failure } = failed(await ask("ollama", "http://localhost:11434/v1", { maxRetries: 0, ambient: { fetch: reset } }));
    expect(failure.kind).toBe("backend_transient");
    expect(failure.message).toContain("Is Ollama running there? Start it with `ollama serve`.");
  });

  it("a vendor that refuses a connection is tried again, without advice on starting it", async () => {
    const { failure } = failed(await ask("groq", await nobody(), { apiKey: "k", maxRetries: 0 }));
    expect(failure.kind).toBe("backend_transient");
    expect(failure.message).not.toMatch(/Start it/);
  });
});
