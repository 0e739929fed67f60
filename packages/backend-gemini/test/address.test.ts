import { describe, expect, it } from "vitest";
import { createGemini } from "../src/index.js";
import { openBench } from "./turns.js";

const PATH = "models/replay-model:streamGenerateContent?alt=sse";

describe("base_url (NW-03)", () => {
  it.each([
    ["", `/v1beta/${PATH}`],
    ["/", `/v1beta/${PATH}`],
    ["/v1beta", `/v1beta/${PATH}`],
    ["/v1beta/", `/v1beta/${PATH}`],
    ["/v1alpha", `/v1alpha/${PATH}`],
    ["/v1beta/models", `/v1beta/${PATH}`],
    ["/v1beta/models/gemini-2.5-flash:generateContent", `/v1beta/${PATH}`],
    ["/gateway/google", `/gateway/google/v1beta/${PATH}`],
    ["/gateway/google/v1/", `/gateway/google/v1/${PATH}`],
    ["  ", `/v1beta/${PATH}`],
    ["/v1beta?team=blue", `/v1beta/${PATH}&team=blue`],
  ])("%j asks %s", async (written, url) => {
    const { server } = await openBench([{ recording: "whole-answer.sse" }]);
    const { turn } = await openBench([], { baseUrl: `${server.origin}${written}` });
    await turn();
    expect(server.requests.map((request) => request.url)).toEqual([url]);
  });

  it("a user and a password in it serve where there is no key, and are never shown", async () => {
    const { server } = await openBench([{ status: 403, json: {} }]);
    const baseUrl = server.origin.replace("//", "//ann:secret-word@");
    const { turn } = await openBench([], { baseUrl, apiKey: "" });
    const { closing } = await turn();
    expect(server.requests[0]?.headers["authorization"]).toBe(`Basic ${btoa("ann:secret-word")}`);
    expect(server.requests[0]?.headers).not.toHaveProperty("x-goog-api-key");
    expect(JSON.stringify(closing)).not.toContain("secret-word");
  });

  it("Google's address for OpenAI's API is Google's address", async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = (input) => {
      asked.push(String(input));
      return Promise.resolve(new Response("{}", { status: 401 }));
    };
    const baseUrl = "https://generativelanguage.googleapis.com/v1beta/openai/";
    const { turn } = await openBench([], { baseUrl, ambient: { fetch } });
    await turn();
    expect(asked).toEqual([`https://generativelanguage.googleapis.com/v1beta/${PATH}`]);
  });

  it.each(["", "localhost:1", "ftp://x"])("an address that is none is refused at once: %j", (baseUrl) => {
    expect(() => createGemini({ model: "m", baseUrl })).toThrow(/base_url/);
  });

  it("a key that fits into no header is refused without showing it", () => {
    expect(() => createGemini({ model: "m", apiKey: "a b" })).toThrow(/^The API key holds/);
  });
});
