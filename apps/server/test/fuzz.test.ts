import { scriptedTeam, step } from "@massgen/simulator";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

const good = {
  model: "massgen",
  stream: false,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Time?" }] },
    { role: "assistant", content: null, tool_calls: [{ id: "call_a", type: "function", function: { name: "clock", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "call_a", content: "noon" },
    { role: "user", content: "Sure?" },
  ],
  tools: [{ type: "function", function: { name: "clock", parameters: { type: "object", properties: {} } } }],
  tool_choice: "auto",
};

/** A good request with one value anywhere in it replaced by something else, or gone. */
const mutated = fc.tuple(fc.nat(), fc.jsonValue(), fc.boolean()).map(([at, value, isGone]) => {
  const copy = structuredClone(good) as unknown;
  const places: (readonly [holder: Record<string, unknown>, key: string])[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const [holder, key] = places[at % places.length]!;
  if (isGone) delete holder[key];
  else holder[key] = value;
  return JSON.stringify(copy);
});
const body = fc.oneof(
  { weight: 6, arbitrary: mutated },
  { weight: 2, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.tuple(fc.constant(JSON.stringify(good)), fc.nat(400)).map(([text, end]) => text.slice(0, end)) },
);
const url = fc.oneof(
  { weight: 6, arbitrary: fc.constant("/v1/chat/completions") },
  { weight: 1, arbitrary: fc.constantFrom("/chat/completions", "/api/runs", "/v1/models", "/health", "/api/runs/x/cancel") },
  { weight: 1, arbitrary: fc.webPath().map((path) => `/${path}`) },
);
const header = fc.string({ unit: "grapheme-ascii", maxLength: 80 });
const headers = fc.record({
  "content-type": fc.oneof({ weight: 5, arbitrary: fc.constant("application/json") }, header),
  "x-request-id": header,
  "x-massgen-trace": header,
  authorization: header,
  "last-event-id": header,
});

describe("whatever is sent", () => {
  it("is answered without a fault of ours, a path or a key, 10,000 times", { timeout: 120_000 }, async () => {
    // No seats: what is good enough for a run is refused at the last step.
    const served = await serve(scriptedTeam({}), ["ada"], { maxConcurrent: 0, env: { OPENAI_API_KEY: "sk-canary-0123456789" } });
    open.push(served);
    let faults = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("POST", "POST", "POST", "GET", "PUT", "DELETE"),
        url,
        headers,
        body,
        async (method, path, sent, payload) => {
          const hasBody = method === "POST" || method === "PUT";
          const reply = await served.server.app.inject({
            method: method as "POST",
            url: path,
            headers: sent,
            ...(hasBody ? { payload } : {}),
          });
          if (reply.statusCode === 500) faults += 1;
          expect(reply.statusCode).not.toBe(500);
          expect(reply.body).not.toContain(served.folder);
          expect(reply.body).not.toContain("canary");
          if (reply.statusCode >= 400) expect(reply.json()).toMatchObject({ error: { message: expect.any(String) } });
        },
      ),
      { numRuns: 10_000 },
    );
    expect(faults).toBe(0);
    expect(served.logLines).toEqual([]);
    expect(served.simulator.requests).toEqual([]);
  });

  it("any text of a user reaches the models as it is, and their answer the user", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), async (text) => {
        fc.pre(text.trim() !== "");
        const served = await serve(scriptedTeam({ "ada-model": [step.text(`said: ${text}`)] }), ["ada"], { keepLogs: false });
        try {
          const payload = { messages: [{ role: "user", content: text }], stream: false };
          const reply = await served.server.app.inject({ method: "POST", url: "/v1/chat/completions", payload });
          expect(reply.statusCode).toBe(200);
          expect(reply.json().choices[0].message.content).toBe(`said: ${text}`.trim());
          expect(JSON.stringify(served.simulator.requests[0]?.body)).toContain(JSON.stringify(text.trim()).slice(1, -1));
        } finally {
          await served.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});
