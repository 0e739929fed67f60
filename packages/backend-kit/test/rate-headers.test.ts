import type { BackendEvent } from "@massgen/contracts";
import { testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { type AttemptEvent, pacedAmbient, runTurn, type TurnOptions } from "../src/index.js";
import { readRateReset } from "../src/rate-headers.js";

const now = Date.parse("2026-01-01T00:00:00Z");

describe("headers of a vendor's limits", () => {
  it.each<[string, Record<string, string>, number | null]>([
    ["nothing", {}, null],
    ["some left", { "x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "1s" }, null],
    ["no requests", { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms" }, 120],
    ["no tokens", { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s" }, 360_000],
    ["fractions", { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.5604s" }, 179_561],
    ["a number alone", { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2.5" }, 2500],
    [
      "of two, the longer",
      {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "3s",
      },
      3000,
    ],
    [
      "one used up, the other not",
      {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-remaining-tokens": "9",
        "x-ratelimit-reset-tokens": "3s",
      },
      1000,
    ],
    ["nonsense", { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon" }, null],
    ["no time", { "x-ratelimit-remaining-requests": "0" }, null],
    [
      "Anthropic",
      { "anthropic-ratelimit-input-tokens-remaining": "0", "anthropic-ratelimit-input-tokens-reset": "2026-01-01T00:00:07Z" },
      7000,
    ],
    [
      "by the vendor's clock",
      {
        date: "Thu, 01 Jan 2026 00:00:05 GMT",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:07Z",
      },
      2000,
    ],
    ["over already", { "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2025-12-31T23:59:59Z" }, null],
    ["OpenRouter", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now + 9000) }, 9000],
    ["seconds since 1970, which nobody promised", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000) }, null],
  ])("%s", (_, headers, waitMs) => {
    expect(readRateReset(new Headers(headers), now)).toBe(waitMs);
  });
});

describe("a turn after a response that used up the limit", () => {
  const end: AttemptEvent = {
    type: "turn_end",
    reason: "stop",
    message: { role: "assistant", parts: [] },
    usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, reasoningTokens: 0, costUsd: null },
  };
  /** A vendor whose first response says so. */
  function open(reset: string, more: Readonly<Record<string, string>> = {}) {
    let asked = 0;
    const spent = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": reset, ...more };
    const { clock, ...rest } = testAmbient({ fetch: async () => new Response("", { headers: asked++ === 0 ? spent : {} }) });
    const ambient = pacedAmbient({ clock, ...rest });
    async function turn(options: Partial<TurnOptions> = {}): Promise<readonly BackendEvent[]> {
      const events: BackendEvent[] = [];
      const attempt: TurnOptions["attempt"] = async () => {
        await ambient.fetch("http://vendor");
        return (async function* () {
          yield end;
        })();
      };
      const signal = new AbortController().signal;
      for await (const event of runTurn({ model: "m", who: "Vendor (m)", attempt, ambient, signal, ...options })) events.push(event);
      return events;
    }
    return { clock, turn, asked: () => asked };
  }

  it("waits until it resets and says so; the wait is no silence, and the turn after it does not wait", async () => {
    const { clock, turn, asked } = open("20s");
    await turn();
    const second = turn({ limits: { silenceMs: 1000 } });
    await clock.settle();
    await clock.advance(19_999);
    expect(asked()).toBe(1);
    await clock.advance(1);
    expect(await second).toEqual([
      {
        type: "turn_start",
        model: "m",
        warnings: ["The rate limit of Vendor (m) is used up: the request waits 20 s (until 2026-01-01 00:00:20 UTC)."],
      },
      end,
    ]);
    await turn();
    expect(asked()).toBe(3);
  });

  it("does not wait when that is more than a minute away", async () => {
    const { turn, asked } = open("60001ms");
    await turn();
    await turn();
    expect(asked()).toBe(2);
  });

  it("does not wait twice when the vendor also says retry-after", async () => {
    const { turn, asked } = open("2s", { "retry-after": "1" });
    await turn();
    await turn();
    expect(asked()).toBe(2);
  });

  it("ends its wait when it is cancelled, without asking", async () => {
    const { clock, turn, asked } = open("2s");
    await turn();
    const controller = new AbortController();
    const second = turn({ signal: controller.signal });
    await clock.settle();
    controller.abort();
    expect((await second).at(-1)).toMatchObject({ type: "turn_failed", failure: { message: expect.stringContaining("cancelled") } });
    expect(asked()).toBe(1);
  });
});
