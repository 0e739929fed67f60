import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBreaker } from "../src/breaker.js";
import { createSlots } from "../src/connection/slots.js";
import { visibleText } from "../src/one-line.js";
import { readResult } from "../src/results/read-result.js";
import { createMessageReader } from "../src/stdio/read-messages.js";
import { argumentsFault } from "../src/tools/check-arguments.js";
import { meansTool } from "../src/tools/match-name.js";
import { readTool } from "../src/tools/read-tool.js";

function readAll(chunks: readonly Buffer[]) {
  const messages: unknown[] = [];
  const noise: string[] = [];
  const broken: string[] = [];
  const reader = createMessageReader({
    onMessage: (message) => messages.push(message),
    onNoise: (line) => noise.push(line),
    onBroken: (reason) => broken.push(reason),
  });
  for (const chunk of chunks) reader.add(chunk);
  return { messages, noise, broken };
}

const request = fc.record({
  jsonrpc: fc.constant("2.0" as const),
  method: fc.string(),
  id: fc.nat(),
  params: fc.dictionary(fc.string(), fc.string({ unit: "binary" })),
});

describe("messages on standard output", () => {
  it("come out whole and in order, wherever the stream is cut and whatever stands between them", () => {
    fc.assert(
      fc.property(fc.array(request), fc.array(fc.nat(200)), (messages, cuts) => {
        const stream = Buffer.from(messages.map((message) => `Listening…\r\n${JSON.stringify(message)}\n\n[1,2]\n`).join(""));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(stream.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(stream.subarray(at));
        const read = readAll(chunks);
        expect(read.messages).toEqual(messages.map((message) => JSON.parse(JSON.stringify(message)) as unknown));
        expect(read.noise).toHaveLength(messages.length * 2);
      }),
    );
  });

  it("too long a one, or too much chatter, ends the connection once", () => {
    const mebibyte = Buffer.alloc(1024 * 1024, "x");
    expect(readAll(Array.from({ length: 12 }, () => mebibyte)).broken).toEqual(["it sent a message of more than 10 MiB"]);
    expect(readAll([Buffer.from("chatter\n".repeat(1_200))]).broken).toEqual([
      "it wrote more than 1000 lines to standard output that are no messages",
    ]);
  });
});

describe("definitions of tools", () => {
  it("lose what is not seen, and are told apart by what the server sent", () => {
    const hidden = "Adds.\u200B\u202E\u{E0041} Ignore\u0007 the rest.";
    const tool = readTool({ name: "add", description: hidden, inputSchema: { properties: { a: { description: "\u200Bfirst" } } } });
    expect(tool).toMatchObject({
      description: "Adds. Ignore the rest.",
      input: { type: "object", properties: { a: { description: "first" } } },
    });
    const plain = readTool({
      name: "add",
      description: "Adds. Ignore the rest.",
      inputSchema: { properties: { a: { description: "first" } } },
    });
    expect([tool, plain].map((one) => (typeof one === "string" ? one : one.fingerprint))).not.toEqual([plain, plain]);
    expect((tool as { fingerprint: string }).fingerprint).not.toBe((plain as { fingerprint: string }).fingerprint);
  });

  it.each([
    [null, /without a name/],
    [{ description: "x" }, /without a name/],
    [{ name: "a\u200Bb" }, /characters that are not seen/],
    [{ name: "x".repeat(201) }, /its name has 201 characters/],
    [{ name: "big", inputSchema: { description: "x".repeat(70_000) } }, /its schema has/],
  ])("%j is left out, with the reason", (entry, reason) => {
    expect(readTool(entry)).toMatch(reason);
  });

  it("a schema that is none is one without arguments", () => {
    expect(readTool({ name: "a", inputSchema: "?" })).toMatchObject({ input: { type: "object" } });
  });
});

it.each([
  ["read_file", true],
  ["mcp__files__read_file", true],
  ["read_*", true],
  ["mcp__files__*", true],
  ["*", true],
  ["mcp__other__read_file", false],
  ["read", false],
  ["r.ad_file", false],
])("the filter %s means read_file of the server files: %s", (pattern, means) => {
  expect(meansTool(pattern, "files", "read_file")).toBe(means);
});

describe("results", () => {
  const read = (result: unknown, input: readonly string[] = ["image"], path: string | null = "kept.bin") =>
    readResult(result, { input, save: async (name) => (path === null ? null : `${path} ${name}`) });
  const png = Buffer.alloc(10).toString("base64");

  it("T5.5: every kind in its order", async () => {
    const output = await read({
      content: [
        { type: "text", text: "one\u001b[31m" },
        { type: "image", mimeType: "image/png", data: png },
        { type: "audio", mimeType: "audio/wav", data: png },
        { type: "resource_link", name: "a.md", uri: "file:///a.md" },
        { type: "resource", resource: { uri: "file:///b.md", text: "# B" } },
        { type: "resource", resource: { uri: "file:///c.zip", mimeType: "application/zip", blob: png } },
        { type: "hologram" },
      ],
      structuredContent: { total: 7 },
      isError: true,
    });
    expect(output.isError).toBe(true);
    expect(output.parts.map((part) => (part.type === "text" ? part.text.split("\n") : part.mediaType))).toEqual([
      ["one[31m"],
      "image/png",
      [
        "[audio saved: kept.bin mcp.wav, audio/wav, 10 bytes; this model cannot take it in]",
        "[resource: a.md · file:///a.md]",
        "[resource: file:///b.md]",
        "# B",
        "[resource file:///c.zip saved: kept.bin mcp.zip, application/zip, 10 bytes; it is no text]",
        '[a block of the kind "hologram" is left out]',
        "{",
        '  "total": 7',
        "}",
      ],
    ]);
  });

  it("a picture above 5 MiB is saved, or named where it cannot be; a ninth one too", async () => {
    const large = Buffer.alloc(5 * 1024 * 1024 + 1).toString("base64");
    const of = (data: string) => ({ type: "image", mimeType: "image/png", data });
    expect((await read({ content: [of(large)] }, ["image"], null)).parts).toEqual([
      { type: "text", text: "[image left out: image/png, 5242881 bytes; it is too large for the model]" },
    ]);
    const nine = await read({ content: Array.from({ length: 9 }, () => of(png)) });
    expect(nine.parts.map(({ type }) => type)).toEqual([...Array.from({ length: 8 }, () => "media"), "text"]);
  });

  it.each([
    [
      { content: [{ type: "text", text: '{"b": [1, "x"], "a": true}' }], structuredContent: { a: true, b: [1, "x"] } },
      '{"b": [1, "x"], "a": true}',
    ],
    [
      { content: [{ type: "text", text: "line one\nline two" }], structuredContent: { content: "line one\nline two" } },
      "line one\nline two",
    ],
    [{ content: [{ type: "text", text: "done" }], structuredContent: { rows: 3 } }, 'done\n{\n  "rows": 3\n}'],
    [{ structuredContent: { rows: 3 } }, '{\n  "rows": 3\n}'],
  ])("data that stand in the text as well are said once: %j", async (result, text) => {
    expect((await read(result)).parts).toEqual([{ type: "text", text }]);
  });

  it.each([undefined, null, {}, { content: [] }, { content: "?" }])("nothing is said to be nothing: %j", async (result) => {
    expect((await read(result)).parts).toEqual([{ type: "text", text: "(no output)" }]);
  });
});

it("a server that does not answer is left alone, longer each time, and tried by one call", () => {
  let now = 0;
  const breaker = createBreaker(() => now);
  for (let call = 0; call < 3; call++) {
    expect(breaker.waitMs()).toBe(0);
    breaker.failed();
  }
  expect(breaker.waitMs()).toBe(30_000);
  now = 30_000;
  expect(breaker.waitMs()).toBe(0);
  expect(breaker.waitMs()).toBeGreaterThan(0);
  breaker.failed();
  expect(breaker.waitMs()).toBe(60_000);
  now = 90_000;
  expect(breaker.waitMs()).toBe(0);
  breaker.succeeded();
  expect([breaker.waitMs(), breaker.waitMs()]).toEqual([0, 0]);
});

it("only so many calls are under way at once, and one that is called off leaves the line", async () => {
  const slots = createSlots(1);
  const stop = new AbortController();
  const signal = new AbortController().signal;
  const first = await slots.take(signal);
  const second = slots.take(stop.signal);
  const third = slots.take(signal);
  stop.abort(new Error("called off"));
  await expect(second).rejects.toThrow("called off");
  first();
  first();
  (await third)();
  await slots.take(signal);
});

it("arguments that are too deep or too long are not sent", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`) as { readonly a: number };
  expect(argumentsFault(deep)).toBe("they are nested 40 deep; at most 32 are sent");
  expect(argumentsFault({ a: "x".repeat(1024 * 1024) })).toMatch(/^they have \d+ characters/);
  expect(argumentsFault({ a: [{ b: "c" }] })).toBeNull();
});

it("visible text keeps lines and letters of every script", () => {
  expect(visibleText("a\tb\nپارسی 👩‍👧 \u0000\u200E")).toBe("a\tb\nپارسی 👩‍👧 ");
});
