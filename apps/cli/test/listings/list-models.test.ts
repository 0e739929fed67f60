import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { askModels } from "../../src/listings/ask-models.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

let folder = "";
const open: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-models-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
  await rm(folder, { recursive: true, force: true });
});

async function massgen(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const fake = fakeIo({ cwd: folder, env });
  const code = await runCli(argv, fake.io, createSession());
  return { code, out: fake.out(), err: fake.err() };
}

async function simulate(models: readonly string[]) {
  const simulator = await startSimulator({ respond: () => ({ kind: "mute" }), models });
  open.push(() => simulator.close());
  return simulator;
}

/** A server on loopback; gives its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address where nobody listens. */
async function nobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe("--list-models", () => {
  it.each([
    ["openai", "responses", { OPENAI_API_KEY: "k" }],
    ["claude", "messages", { ANTHROPIC_API_KEY: "k" }],
    ["gemini", "generate_content", { GEMINI_API_KEY: "k" }],
    ["ollama", "chat_completions", {}],
  ] as const)("asks the server of %s, each in its own way", async (type, api, env) => {
    const simulator = await simulate(["m-2", "m-1"]);
    expect(await massgen(["--list-models", type, "--base-url", simulator.baseUrl(api)], env)).toEqual({
      code: 0,
      out: `${type}/m-1\n${type}/m-2\n`,
      err: "",
    });
  });

  it("without a key it shows the built-in list, and says so", async () => {
    const { code, out, err } = await massgen(["--list-models", "anthropic"]);
    expect(code).toBe(0);
    expect(out.split("\n")).toContain("claude/claude-opus-4-6");
    expect(err).toBe("massgen: note: Claude was not heard: there is no key: set ANTHROPIC_API_KEY. This is the built-in list.\n");
  });

  it("a local server that does not run is named with its address", async () => {
    const address = await nobody();
    expect(await massgen(["--list-models", "ollama", "--base-url", address])).toEqual({
      code: 0,
      out: "",
      err: `massgen: note: Ollama was not heard: ${address}/v1/models cannot be reached (ECONNREFUSED). There is no built-in list.\n`,
    });
  });

  it("as JSON it says who was heard", async () => {
    const simulator = await simulate(["m"]);
    const { out, err } = await massgen(["--list-models", "--json", "--base-url", simulator.baseUrl("chat_completions")]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual([{ provider: "chatcompletion", source: "server", note: null, models: ["m"] }]);
  });

  it("a provider nobody knows: exit 1 with the types there are", async () => {
    const { code, out, err } = await massgen(["--list-models", "opnai"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("is no backend type");
  });

  it("names of a server reach the terminal as text only", async () => {
    const address = await serve((_, response) => response.end(JSON.stringify({ data: [{ id: "a\u001b[31m\nb" }] })));
    expect((await massgen(["--list-models", "ollama", "--base-url", address])).out).toBe("ollama/a␛[31m b\n");
  });

  it("what a server says of a refusal, with the key in it, is not repeated", async () => {
    const address = await serve((request, response) => {
      response.statusCode = 401;
      response.end(`bad key ${request.headers.authorization}`);
    });
    const { err, out } = await massgen(["--list-models", "groq", "--base-url", address], { GROQ_API_KEY: "gsk-very-secret" });
    expect(err).toContain(`${address}/v1/models answered with status 401`);
    expect(err + out).not.toContain("secret");
  });
});

describe("asking for models", () => {
  const request = (address: string) => ({ url: address, shownUrl: address, headers: { "x-api-key": "k" } });
  const never = new AbortController().signal;

  it("takes no longer than its limit", async () => {
    const address = await serve(() => {});
    expect(await askModels(request(address), { signal: never, limitMs: 40 })).toEqual({
      because: `${address} did not answer within 0.04 s`,
    });
  });

  it("does not carry the key to another server", async () => {
    let isAsked = false;
    const other = await serve((_, response) => {
      isAsked = true;
      response.end("{}");
    });
    const address = await serve((_, response) => {
      response.writeHead(302, { location: other }).end();
    });
    expect(await askModels(request(address), { signal: never })).toHaveProperty("because");
    expect(isAsked).toBe(false);
  });

  it.each(["<html>", "{}", ""])("a reply of %j is no list", async (body) => {
    const address = await serve((_, response) => response.end(body));
    expect(await askModels(request(address), { signal: never })).toEqual({ because: `${address} answered with something else` });
  });

  it("ends with the program", async () => {
    const address = await serve(() => {});
    const stop = new AbortController();
    const asked = askModels(request(address), { signal: stop.signal });
    stop.abort(new Error("interrupted"));
    await expect(asked).rejects.toThrow("interrupted");
  });
});

describe("--list-backends", () => {
  it("shows each provider, the state of its key and whether it works today; never a key", async () => {
    const env = { OPENAI_API_KEY: "sk-very-secret" };
    const { code, out, err } = await massgen(["--list-backends"], env);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^openai +OpenAI +gpt-5\.4 +OPENAI_API_KEY +set +- +yes$/m);
    expect(out).toMatch(/^claude +Claude +claude-opus-4-6 +ANTHROPIC_API_KEY +missing +- +yes$/m);
    expect(out).toMatch(/^ag2 .*not yet$/m);
    const json = await massgen(["--list-backends", "--json"], env);
    expect(JSON.parse(json.out)[0]).toEqual({
      type: "openai",
      aliases: [],
      name: "OpenAI",
      defaultModel: "gpt-5.4",
      keyVariables: ["OPENAI_API_KEY"],
      key: "set",
      local: false,
      supported: true,
    });
    expect(out + json.out).not.toContain("secret");
  });
});
