import { describe, expect, it } from "vitest";
import { checkedKey, estimateUsage, isLocalKey, mediaKind, mediaNote, readErrorBody } from "../src/index.js";

describe("keys of a backend that are ours", () => {
  it.each(["type", "cwd", "mcp_servers", "enable_web_search", "command_line_timeout", "_private", "max_retries", "agent_id"])(
    "%s stays here",
    (key) => expect(isLocalKey(key)).toBe(true),
  );
  it.each(["temperature", "enable_thinking", "text", "something_new"])("%s is passed on", (key) => expect(isLocalKey(key)).toBe(false));
});

describe("a key for a header", () => {
  it("is trimmed; nothing is no key", () => {
    expect([checkedKey(" k-1\n"), checkedKey("  "), checkedKey(undefined)]).toEqual(["k-1", null, null]);
  });
  it.each(["two words", "schl\u00fcssel", "a\nb"])("%j is refused without being shown", (key) => {
    expect(() => checkedKey(key)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message: expect.not.stringContaining(key) }));
  });
});

describe("the body of an error", () => {
  it("is read to its end, or as far as anybody looks, or as far as it came", async () => {
    const torn = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
      pull: (controller) => controller.error(new Error("torn")),
    });
    expect(await readErrorBody(new Response("all of it"))).toBe("all of it");
    expect(await readErrorBody(new Response(null))).toBe("");
    expect(await readErrorBody(new Response(torn))).toBe("half");
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(50_000).fill(97)) });
    expect(await readErrorBody(new Response(endless))).toHaveLength(100_000);
  });
});

describe("a medium", () => {
  it("is of a kind that vendors name, or of none", () => {
    expect(["image/png", "audio/wav", "video/mp4", "application/pdf", "font/woff", "x"].map(mediaKind)).toEqual([
      "image",
      "audio",
      "video",
      "pdf",
      null,
      null,
    ]);
  });
  it("is told of by type and size where it cannot be shown", () => {
    expect(mediaNote({ type: "media", mediaType: "image/png", data: new Uint8Array(1500) }, "left out")).toBe(
      "[image/png, 2 KB, left out]",
    );
    expect(mediaNote({ type: "media", mediaType: "image/png", data: new URL("https://h/x.png") }, "left out")).toBe(
      "[image/png, left out]",
    );
  });
});

describe("usage nobody told", () => {
  it("is estimated from the texts, and its cost is unknown where the price is", () => {
    const request = {
      messages: [{ role: "user", parts: [{ type: "text", text: "one two three" }] }],
      tools: [],
      toolChoice: "auto",
      maxOutputTokens: null,
      options: {},
    } as const;
    const parts = [
      { type: "reasoning", text: "think a little" },
      { type: "text", text: "four five six" },
    ] as const;
    expect(estimateUsage(request, parts, null)).toEqual({
      inputTokens: 4,
      outputTokens: 8,
      cachedTokens: 0,
      reasoningTokens: 4,
      costUsd: null,
      estimated: true,
    });
    expect(estimateUsage(request, parts, { input: 1e6, output: 0 }).costUsd).toBe(4);
  });
});
