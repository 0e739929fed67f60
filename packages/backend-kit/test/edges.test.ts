import { describe, expect, it } from "vitest";
import { sendableText, showUrl, tidyBaseUrl, toBase64, toDataUrl, webAmbient } from "../src/index.js";

const rules = { apiPath: "/chat/completions", defaultPath: "/v1" };

describe("tidyBaseUrl", () => {
  it.each([
    ["https://h/v1", "https://h/v1"],
    [" https://h/v1//\n", "https://h/v1"],
    ["https://h/v1/chat/completions/", "https://h/v1"],
    ["HTTPS://H", "https://h/v1"],
    ["https://h:8443/a/b/", "https://h:8443/a/b"],
    ["https://u:p@h/v1#part", "https://h/v1"],
  ])("%j is %s", (text, href) => expect(tidyBaseUrl(text, rules).href).toBe(href));

  it("keeps query and credentials apart from the address", () => {
    expect(tidyBaseUrl("https://u%40x:p%20w@h/v1?api-version=1&a=b", rules)).toEqual({
      href: "https://h/v1",
      query: { "api-version": "1", a: "b" },
      credentials: { user: "u@x", password: "p w" },
    });
  });
});

describe("showUrl", () => {
  it.each([
    ["https://user:hunter2@h:1/v1?api-version=1&key=topsecret#x", "https://h:1/v1?api-version=1&key=…"],
    ["user:hunter2@h/v1", "h/v1"],
    ["//user:hunter2@h/v1?key=topsecret", "//h/v1"],
    ["http://user:hunter2@[broken", "http://[broken"],
    ["127.0.0.1:9911/v1", "127.0.0.1:9911/v1"],
  ])("%s is shown as %s", (url, shown) => expect(showUrl(url)).toBe(shown));
});

describe("sendableText", () => {
  it.each([
    ["größer 大きい 👩‍🚀\n\t", "größer 大きい 👩‍🚀\n\t"],
    ["half \ud83d of it", "half \ufffd of it"],
    ["\ude42", "\ufffd"],
    ["a\0b", "ab"],
  ])("%j", (text, expected) => expect(sendableText(text)).toBe(expected));
});

describe("media as text", () => {
  it("base64 of any length is what others make of it", () => {
    for (const length of [0, 1, 2, 3, 100, 0x5fff, 0x6000, 0x6001, 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) & 0xff);
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    }
  });

  it("an address stays one", () => {
    expect(toDataUrl("image/png", new URL("https://h/a.png"))).toBe("https://h/a.png");
    expect(toDataUrl("image/png", Uint8Array.of(1, 2, 3))).toBe("data:image/png;base64,AQID");
  });
});

describe("webAmbient", () => {
  it("sleeps until a moment, and not at all when aborted", async () => {
    const { clock } = webAmbient();
    const start = clock.monotonic();
    await clock.sleepUntil(start + 5, new AbortController().signal);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(start + 5);
    await expect(clock.sleepUntil(start + 60_000, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
    const stop = new AbortController();
    const sleep = clock.sleepUntil(start + 60_000, stop.signal);
    stop.abort(new Error("now"));
    await expect(sleep).rejects.toThrow("now");
  });

  it("takes what it is given for its own", () => {
    const random = () => 0.5;
    expect(webAmbient({ random }).random).toBe(random);
    expect(webAmbient().ids.next("call")).toMatch(/^call_[0-9a-f]{12}$/);
  });
});
