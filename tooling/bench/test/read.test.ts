import { nodeFetch } from "@massgen/sdk";
import { startSimulator } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeProse } from "../src/fake-vendor/prose.js";
import { APIS, openBackend } from "../src/read/apis.js";
import { rawReaders, readByHand, sdkReaders, textOf } from "../src/read/floor.js";
import { readTurn } from "../src/read/read-turn.js";
import { recordReply, replayed, replaying } from "../src/read/recorded-reply.js";

describe.each(APIS)("reading %s", (api) => {
  const text = writeProse(60, "answer");

  it("ours, the SDK's iterator and the floor read the same answer", async () => {
    const vendor = await startSimulator({
      respond: () => ({ kind: "message", text, pace: { firstTokenMs: 0, tokensPerSecond: 0, tokensPerEvent: 1 } }),
    });
    onTestFinished(() => vendor.close());
    const place = { baseUrl: vendor.baseUrl(api), model: "bench", fetch: nodeFetch({}) };
    expect([(await readTurn(openBackend(api, place))).text, await sdkReaders[api](place)(), await rawReaders[api](place)()]).toEqual([
      text,
      text,
      text,
    ]);
  });

  it("a recorded reply is read again as it was, an event for each token", async () => {
    const { events, turn } = await recordReply(api, { kind: "message", text });
    expect(events.length).toBeGreaterThanOrEqual(60);
    const again = await readTurn(openBackend(api, { baseUrl: "http://127.0.0.1:9/v1", model: "bench", fetch: replaying(events) }));
    expect([turn.text, again.text, await readByHand(replayed(events), textOf[api])]).toEqual([text, text, text]);
  });

  it("so is a recorded call", async () => {
    const { events, turn } = await recordReply(api, { kind: "message", toolCalls: [{ name: "save", input: { content: text } }] });
    const again = await readTurn(openBackend(api, { baseUrl: "http://127.0.0.1:9/v1", model: "bench", fetch: replaying(events) }));
    expect([turn.call, again.call]).toEqual([JSON.stringify({ content: text }), JSON.stringify({ content: text })]);
  });
});
