import { describe, expect, it } from "vitest";
import { answered, ended, openBench } from "./turns.js";

const chunk = (...parts: readonly object[]): string => `data: ${JSON.stringify({ candidates: [{ content: { parts } }] })}\n\n`;
const stop = (fields: object = {}, usageMetadata: object = {}): string =>
  `data: ${JSON.stringify({ candidates: [{ finishReason: "STOP", ...fields }], usageMetadata })}\n\n`;

describe("Google's own tools", () => {
  const code = { executableCode: { language: "PYTHON", code: "print(6*7)", id: "x1" }, thoughtSignature: "s1" };
  const ran = { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n", id: "x1" } };

  it("code that Google runs is told as a call of the backend, and goes back as it came", async () => {
    const { turn, server } = await openBench([{ text: chunk(code) + chunk(ran, { text: "It is 42." }) + stop() }]);
    const first = await turn();
    expect(first.events.filter(({ type }) => type === "tool_call" || type === "tool_result")).toEqual([
      { type: "tool_call", callId: "x1", tool: "code_execution", input: { language: "PYTHON", code: "print(6*7)" }, executedBy: "backend" },
      { type: "tool_result", callId: "x1", output: { parts: [{ type: "text", text: "42\n" }], isError: false } },
    ]);
    expect(ended(first)).toMatchObject({ reason: "stop" });
    expect(ended(first).message.parts.some(({ type }) => type === "tool_call")).toBe(false);
    await turn({ messages: answered({ ...first, calls: [] }, "") });
    expect(server.requests[1]?.body.contents[1].parts).toEqual([code, ran, { text: "It is 42." }]);
  });

  it("code that failed is an error", async () => {
    const { turn } = await openBench([
      {
        text:
          chunk({ executableCode: { code: "1/0" } }, { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "ZeroDivisionError" } }) +
          stop(),
      },
    ]);
    const results = (await turn()).events.filter(({ type }) => type === "tool_result" || type === "tool_call");
    expect(results).toMatchObject([{ callId: "call_000001" }, { callId: "call_000001", output: { isError: true } }]);
  });

  it("a search is told with its queries and sources", async () => {
    const groundingMetadata = { webSearchQueries: ["tide"], groundingChunks: [{ web: { title: "Tides", uri: "https://t.example" } }] };
    const { turn } = await openBench([{ text: chunk({ text: "Low at six." }) + stop({ groundingMetadata }) }]);
    expect((await turn()).events.filter(({ type }) => type === "tool_call" || type === "tool_result")).toMatchObject([
      { tool: "google_search_retrieval", input: { queries: ["tide"] }, executedBy: "backend" },
      { output: { parts: [{ type: "text", text: "Tides https://t.example" }], isError: false } },
    ]);
  });

  it("a search beside functions goes back with its signature", async () => {
    const call = { toolCall: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["x"] } }, thoughtSignature: "s" };
    const response = { toolResponse: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", response: { search_suggestions: "…" } } };
    const mine = { functionCall: { id: "f1", name: "mcp__desk__now", args: {} }, thoughtSignature: "s2" };
    const { turn, server } = await openBench([{ text: chunk(call, response) + chunk(mine) + stop() }]);
    const first = await turn();
    expect(first.calls.map(({ tool, executedBy }) => [tool, executedBy])).toEqual([
      ["google_search_retrieval", "backend"],
      ["mcp__desk__now", "host"],
    ]);
    await turn({ messages: answered({ ...first, calls: first.calls.filter(({ executedBy }) => executedBy === "host") }, "noon") });
    expect(server.requests[1]?.body.contents[1].parts).toEqual([call, response, mine]);
    expect(server.broken).toEqual([]);
  });
});

describe("parts", () => {
  it("an image the model made is in the message, and goes back", async () => {
    const { turn, server } = await openBench([
      { text: chunk({ inlineData: { mimeType: "image/png", data: "AQID" }, thoughtSignature: "s" }) + stop() },
    ]);
    const first = await turn();
    expect(ended(first).message.parts).toContainEqual({ type: "media", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) });
    await turn({ messages: answered(first, "") });
    expect(server.requests[1]?.body.contents[1].parts).toEqual([
      { inlineData: { mimeType: "image/png", data: "AQID" }, thoughtSignature: "s" },
    ]);
  });

  it("a thought with a signature goes back, one without does not", async () => {
    const { turn, server } = await openBench([
      { text: chunk({ text: "Hm. ", thought: true }, { text: "So.", thought: true, thoughtSignature: "s" }, { text: "Yes." }) + stop() },
    ]);
    const first = await turn();
    expect(first).toMatchObject({ reasoning: "Hm. So.", text: "Yes." });
    await turn({ messages: answered(first, "") });
    expect(server.requests[1]?.body.contents[1].parts).toEqual([{ text: "So.", thought: true, thoughtSignature: "s" }, { text: "Yes." }]);
  });

  it.each([
    ["text that is JSON", '{"q":"x"}', { q: "x" }, false],
    ["text that is none", "{oops", {}, true],
    ["a list", ["x"], {}, true],
    ["null", null, {}, false],
  ])("arguments may come as %s", async (_, args, input, isWrong) => {
    const { turn } = await openBench([{ text: chunk({ functionCall: { name: "mcp__desk__lookup", args } }) + stop() }]);
    const [call] = (await turn()).calls;
    expect(call).toMatchObject({ tool: "mcp__desk__lookup", input });
    expect(call?.inputError !== undefined).toBe(isWrong);
  });

  it("a call without a name is handed out as one nobody can run", async () => {
    const { turn } = await openBench([{ text: chunk({ functionCall: { args: {} } }) + stop() }]);
    expect((await turn()).calls).toMatchObject([{ tool: "unnamed_tool", inputError: "The call has no tool name." }]);
  });

  it("only the first candidate counts", async () => {
    const two = {
      candidates: [
        { index: 1, content: { parts: [{ text: "No" }] } },
        { index: 0, content: { parts: [{ text: "Yes" }] } },
      ],
    };
    const { turn } = await openBench([{ text: `data: ${JSON.stringify(two)}\n\n${stop()}` }]);
    expect((await turn()).text).toBe("Yes");
  });
});

describe("usage and cost (CO-03)", () => {
  const prices = (price: { input: number; output: number; cachedInput?: number }) => ({
    asOf: "2026-11-30",
    source: "test",
    models: { "replay-model": price },
  });

  it.each([
    [
      "thoughts are beside the answer and billed as output",
      [
        {
          promptTokenCount: 10_000,
          cachedContentTokenCount: 8000,
          candidatesTokenCount: 500,
          thoughtsTokenCount: 1500,
          totalTokenCount: 12_000,
        },
      ],
      { input: 0.3, cachedInput: 0.03, output: 2.5 },
      { inputTokens: 10_000, outputTokens: 2000, cachedTokens: 8000, reasoningTokens: 1500, costUsd: 0.00584 },
    ],
    [
      "chunks carry running totals",
      [
        { promptTokenCount: 1000, candidatesTokenCount: 10, totalTokenCount: 1010 },
        { promptTokenCount: 1000, candidatesTokenCount: 200, totalTokenCount: 1200 },
      ],
      { input: 0.3, output: 2.5 },
      { inputTokens: 1000, outputTokens: 200, costUsd: 0.0008 },
    ],
    [
      "what a late chunk leaves out stays as it was",
      [
        { promptTokenCount: 1000, cachedContentTokenCount: 400, thoughtsTokenCount: 50 },
        { promptTokenCount: 1000, candidatesTokenCount: 150 },
      ],
      { input: 1, cachedInput: 0.5, output: 1 },
      { inputTokens: 1000, outputTokens: 200, cachedTokens: 400, costUsd: 0.001 },
    ],
    [
      "what Google's tools read is input; an answer that is not counted is what the total leaves",
      [{ promptTokenCount: 10, toolUsePromptTokenCount: 5, totalTokenCount: 22 }],
      { input: 1, output: 1 },
      { inputTokens: 15, outputTokens: 7, costUsd: 0.000022 },
    ],
  ])("%s", async (_, usages, price, expected) => {
    const text = usages
      .map((usageMetadata, index) => (index === usages.length - 1 ? stop({}, usageMetadata) : stopless(usageMetadata)))
      .join("");
    const { turn } = await openBench([{ text }], { prices: prices(price) });
    const { usage } = ended(await turn());
    const { costUsd, ...tokens } = expected;
    expect(usage).toMatchObject(tokens);
    expect(usage?.costUsd).toBeCloseTo(costUsd, 10);
    expect(usage).not.toHaveProperty("estimated");
  });

  it("an unknown price is unknown, not nothing", async () => {
    const { turn } = await openBench([{ text: stop({}, { promptTokenCount: 1, candidatesTokenCount: 1 }) }]);
    expect(ended(await turn()).usage?.costUsd).toBeNull();
  });

  it("a retried call is counted once per answer that came", async () => {
    const { turn } = await openBench([{ status: 500, json: {} }, { recording: "whole-answer.sse" }]);
    expect(ended(await turn()).usage).toMatchObject({ inputTokens: 120, outputTokens: 8 });
  });
});

function stopless(usageMetadata: object): string {
  return `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: "x" }] } }], usageMetadata })}\n\n`;
}
