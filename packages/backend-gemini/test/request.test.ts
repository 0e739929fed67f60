import { readFileSync } from "node:fs";
import type { Message, ToolSpec } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { bodyOf, withParams } from "./build-body.js";
import { deskTools, ended, openBench, question } from "./turns.js";

const png = { type: "media", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) } as const;
const pngData = { mimeType: "image/png", data: "AQID" };

describe("a request", () => {
  it("has contents, system instruction, tools and thoughts, and nothing else", async () => {
    expect(await bodyOf({ tools: deskTools.slice(0, 2) })).toEqual({
      contents: [{ role: "user", parts: [{ text: "What is on the desk?" }] }],
      systemInstruction: { parts: [{ text: "You have a desk." }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: "mcp__desk__lookup",
              description: "Looks something up.",
              parametersJsonSchema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
            },
            { name: "mcp__desk__now", description: "Tells the time." },
          ],
        },
      ],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    });
  });

  it("goes to the streaming method of its model, with the key in its header and nothing of the machine", async () => {
    const { turn, server } = await openBench([{ recording: "whole-answer.sse" }], { headers: { "x-team": "blue" } });
    await turn();
    const [request] = server.requests;
    expect([request?.method, request?.url]).toEqual(["POST", "/v1beta/models/replay-model:streamGenerateContent?alt=sse"]);
    expect(request?.headers).toMatchObject({ "x-goog-api-key": "replay-key-not-secret-0000", "x-team": "blue" });
    expect(request?.headers).not.toHaveProperty("authorization");
    const fromFetch = ["host", "connection", "accept", "accept-language", "accept-encoding", "sec-fetch-mode", "content-length"];
    expect(
      Object.keys(request?.headers ?? {})
        .filter((name) => !fromFetch.includes(name))
        .sort(),
    ).toEqual(["content-type", "user-agent", "x-goog-api-client", "x-goog-api-key", "x-team"]);
    expect(request?.headers["user-agent"]).toMatch(/^google-genai-sdk\/[\d.]+ gl-node\/web$/);
  });

  it("leaves the caller's tools and history as they were", async () => {
    const tools = structuredClone(deskTools);
    await bodyOf({ tools });
    expect(tools).toEqual(deskTools);
  });
});

describe("history", () => {
  const call = (callId: string, q: string) => ({ type: "tool_call", callId, tool: "mcp__desk__lookup", input: { q } }) as const;
  const text = (words: string) => ({ type: "text", text: words }) as const;

  it("text, thoughts, two calls, an image and an error: each in its place, in call order", async () => {
    const { turn, server } = await openBench([{ recording: "parallel-calls-with-ids.sse" }, { recording: "whole-answer.sse" }], {
      model: "gemini-3-flash-preview",
    });
    const first = await turn();
    const messages: readonly Message[] = [
      ...question,
      ended(first).message,
      {
        role: "tool",
        results: [
          { callId: "fc-2", output: { parts: [text("no such desk")], isError: true } },
          { callId: "fc-1", output: { parts: [text("a lamp"), png], isError: false } },
        ],
      },
    ];
    await turn({ messages });
    expect(server.requests[1]?.body.contents[2]).toEqual({
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "fc-1",
            name: "mcp__desk__lookup",
            response: { result: "a lamp\n[image/png, 1 KB, attached]" },
            parts: [{ inlineData: pngData }],
          },
        },
        { functionResponse: { id: "fc-2", name: "mcp__desk__lookup", response: { error: "no such desk" } } },
      ],
    });
    expect(server.broken).toEqual([]);
  });

  it("models before Gemini 3 get the images of results in a content behind them", async () => {
    const { turn, server } = await openBench([{ recording: "call-without-arguments.sse" }, { recording: "whole-answer.sse" }], {
      model: "gemini-2.5-flash",
    });
    const first = await turn();
    const results = first.calls.map(({ callId }) => ({ callId, output: { parts: [png], isError: false } }));
    await turn({ messages: [...question, ended(first).message, { role: "tool", results }] });
    expect(server.requests[1]?.body.contents.slice(2)).toEqual([
      { role: "user", parts: [{ functionResponse: { name: "mcp__desk__now", response: { result: "[image/png, 1 KB, shown below]" } } }] },
      { role: "user", parts: [{ text: "From the result of mcp__desk__now:" }, { inlineData: pngData }] },
    ]);
  });

  it("what another vendor's model called is told in words", async () => {
    const messages: readonly Message[] = [
      ...question,
      {
        role: "assistant",
        parts: [{ type: "reasoning", text: "hm", opaque: { adapter: "chat-completions" } }, text("I look."), call("c1", "lamp")],
      },
      { role: "tool", results: [{ callId: "c1", output: { parts: [text("lit")], isError: false } }] },
      { role: "user", parts: [text("And?")] },
    ];
    expect((await bodyOf({ messages })).contents.slice(1)).toEqual([
      { role: "model", parts: [{ text: "I look." }, { text: '[Called the tool mcp__desk__lookup with {"q":"lamp"}]' }] },
      { role: "user", parts: [{ text: "[Result of the tool mcp__desk__lookup]\nlit" }] },
      { role: "user", parts: [{ text: "And?" }] },
    ]);
  });

  it("an interrupted call is answered, and half a character is no reason to be refused", async () => {
    const { turn, server } = await openBench([{ recording: "parallel-calls-with-ids.sse" }, { recording: "whole-answer.sse" }]);
    const first = await turn();
    await turn({ messages: [...question, ended(first).message, { role: "user", parts: [text("Go on \ud83d.\0")] }] });
    expect(server.broken).toEqual([]);
    expect(server.requests[1]?.body.contents[2].parts[0].functionResponse.response.error).toContain("interrupted");
    expect(server.requests[1]?.body.contents[3].parts).toEqual([{ text: "Go on \ufffd." }]);
  });

  it("begins with the user, and the model's neighbouring messages are one", async () => {
    const messages: readonly Message[] = [
      { role: "assistant", parts: [text("One.")] },
      { role: "assistant", parts: [text("Two.")] },
    ];
    expect((await bodyOf({ messages })).contents).toEqual([
      { role: "user", parts: [{ text: "Continue." }] },
      { role: "model", parts: [{ text: "One." }, { text: "Two." }] },
    ]);
    expect((await bodyOf({ messages: [{ role: "system", text: "Be brief." }] })).contents).toHaveLength(1);
  });

  it("media go in; what Gemini cannot read becomes a note", async () => {
    const parts = [
      text("Look:"),
      png,
      { type: "media", mediaType: "application/pdf", data: new URL("https://example.org/a.pdf") },
      { type: "media", mediaType: "image/gif", data: new Uint8Array(2048) },
    ] as const;
    expect((await bodyOf({ messages: [{ role: "user", parts }] })).contents[0].parts).toEqual([
      { text: "Look:" },
      { inlineData: pngData },
      { fileData: { fileUri: "https://example.org/a.pdf", mimeType: "application/pdf" } },
      { text: "[image/gif, 2 KB, left out: this model does not take it]" },
    ]);
  });
});

describe("tools", () => {
  const named = (name: string): ToolSpec => ({ name, description: name, input: { type: "object", properties: {} } });

  it("SC-01: every name is one Gemini accepts, unique, and comes back as the tool's own", async () => {
    const names = [
      "files.read",
      "files_read",
      `${"a".repeat(70)}1`,
      `${"a".repeat(70)}2`,
      "9lives",
      "_9lives",
      "read file",
      "查询",
      "查找",
      "a/b:c",
      "-dash",
    ];
    const { turn, server } = await openBench([{ recording: "whole-answer.sse" }]);
    await turn({ tools: names.map(named) });
    expect(server.broken).toEqual([]);
    const sent: readonly string[] = server.requests[0]?.body.tools[0].functionDeclarations.map(({ name }: { name: string }) => name);
    expect(new Set(sent).size).toBe(names.length);
    expect(sent[1]).toBe("files_read");
    for (const [index, name] of sent.entries()) {
      const called = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ functionCall: { name } }] }, finishReason: "STOP" }] })}\n\n`;
      server.script({ text: called });
      expect((await turn({ tools: names.map(named) })).calls).toMatchObject([{ tool: names[index] }]);
    }
  });

  it("SC-02: eleven tools with awkward schemas are all offered, and keep what can be kept", async () => {
    const tools = JSON.parse(readFileSync(new URL("fixtures/awkward-tools.json", import.meta.url), "utf8")) as readonly ToolSpec[];
    const { turn, server } = await openBench([{ recording: "whole-answer.sse" }]);
    await turn({ tools });
    expect(server.broken).toEqual([]);
    const declared = server.requests[0]?.body.tools[0].functionDeclarations;
    expect(declared.map(({ name, description }: { name: string; description: string }) => [name, description])).toEqual(
      tools.map(({ name, description }) => [name, description]),
    );
    const schemaOf = (name: string) => declared.find((tool: { name: string }) => tool.name.endsWith(name)).parametersJsonSchema;
    expect(schemaOf("keyword_names")).toEqual(tools.find(({ name }) => name.endsWith("keyword_names"))?.input);
    expect(schemaOf("type_list").properties).toMatchObject({
      mode: { type: "string", enum: ["fast"] },
      level: { type: "integer", enum: [1, 2, 3] },
      tag: { enum: ["x"] },
    });
    expect(schemaOf("ghost_required").required).toEqual(["a"]);
  });

  it.each([
    ["auto", undefined],
    ["none", { functionCallingConfig: { mode: "NONE" } }],
    ["required", { functionCallingConfig: { mode: "ANY" } }],
    [{ tool: "mcp__desk__now" }, { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["mcp__desk__now"] } }],
  ] as const)("tool choice %j becomes %j", async (toolChoice, toolConfig) => {
    const body = await bodyOf({ toolChoice });
    expect(body.toolConfig).toEqual(toolConfig);
    expect(body.tools[0].functionDeclarations).toHaveLength(3);
  });

  it("a user's own calling mode holds where the turn has no wish of its own", async () => {
    expect((await withParams({ function_calling_mode: "ANY" })).toolConfig).toEqual({ functionCallingConfig: { mode: "ANY" } });
    expect((await withParams({ tool_choice: "none" })).toolConfig).toEqual({ functionCallingConfig: { mode: "NONE" } });
    const body = await bodyOf({ toolChoice: "none" }, { params: { function_calling_mode: "ANY" } });
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: "NONE" } });
  });

  it("Google's own tools stand beside functions from Gemini 3 on", async () => {
    const body = await bodyOf({ tools: deskTools.slice(1, 2) }, { params: { enable_web_search: true, enable_code_execution: true } });
    expect(body.tools).toEqual([{ functionDeclarations: [expect.anything()] }, { googleSearch: {} }, { codeExecution: {} }]);
    expect(body.toolConfig).toEqual({ includeServerSideToolInvocations: true });
  });

  it("before Gemini 3 functions win as long as they may be called, which is said once", async () => {
    const { turn, server } = await openBench([{ recording: "whole-answer.sse" }], {
      model: "gemini-2.5-flash",
      params: { enable_web_search: true },
    });
    const warnings = async (toolChoice: "auto" | "none") => {
      const [start] = (await turn({ toolChoice })).events;
      return start?.type === "turn_start" ? start.warnings : null;
    };
    expect(await warnings("auto")).toEqual([expect.stringContaining("google_search_retrieval")]);
    expect(await warnings("auto")).toEqual([]);
    expect(await warnings("none")).toEqual([]);
    expect(server.requests.map(({ body }) => body.tools.map((tool: object) => Object.keys(tool)[0]))).toEqual([
      ["functionDeclarations"],
      ["functionDeclarations"],
      ["googleSearch"],
    ]);
  });
});

describe("parameters", () => {
  it.each([
    [{ max_tokens: 100 }, { maxOutputTokens: 100 }],
    [
      { temperature: 0.5, top_p: 0.9, top_k: 40 },
      { temperature: 0.5, topP: 0.9, topK: 40 },
    ],
    [{ stop: "END" }, { stopSequences: ["END"] }],
    [{ stop: ["A", "B"] }, { stopSequences: ["A", "B"] }],
    [
      { seed: 7, presence_penalty: 1 },
      { seed: 7, presencePenalty: 1 },
    ],
    [{ some_new_field: { a: 1 } }, { someNewField: { a: 1 } }],
    [{ temperature: null, parallel_tool_calls: true, text: {}, enable_x: true, cwd: "w", gemini_backoff_jitter: 1, _own: 1 }, undefined],
  ])("%j becomes %j", async (params, generation) => {
    expect((await withParams(params)).generationConfig ?? undefined).toEqual(generation ?? {});
  });

  it("safety settings, cached content and an extra body stand in the body itself", async () => {
    const body = await withParams({
      safety_settings: { HARM_CATEGORY_HARASSMENT: "BLOCK_NONE" },
      cached_content: "cachedContents/x",
      temperature: 0.5,
      extra_body: { labels: { team: "blue" }, generationConfig: { temperature: 0.1, audioTimestamp: true } },
    });
    expect(body).toMatchObject({
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
      cachedContent: "cachedContents/x",
      labels: { team: "blue" },
      generationConfig: { temperature: 0.1, audioTimestamp: true },
    });
    expect((await withParams({ safety_settings: [{ category: "C", threshold: "T" }] })).safetySettings).toEqual([
      { category: "C", threshold: "T" },
    ]);
  });

  it("the turn's own limit and options win", async () => {
    const body = await bodyOf({ maxOutputTokens: 9, options: { temperature: 1 } }, { params: { max_tokens: 5, temperature: 0 } });
    expect(body.generationConfig).toMatchObject({ maxOutputTokens: 9, temperature: 1 });
  });

  it.each([
    ["gemini-2.0-flash", { reasoning: { effort: "high" } }, undefined],
    ["gemini-2.5-flash", {}, { includeThoughts: true }],
    ["gemini-2.5-flash", { reasoning: { effort: "medium" } }, { includeThoughts: true, thinkingBudget: 8192 }],
    ["gemini-2.5-flash", { reasoning: { effort: "none" } }, { includeThoughts: false, thinkingBudget: 0 }],
    ["gemini-2.5-pro", { reasoning: { effort: "none" } }, { includeThoughts: true, thinkingBudget: 128 }],
    ["gemini-2.5-flash", { reasoning: { budget_tokens: 77 } }, { includeThoughts: true, thinkingBudget: 77 }],
    ["gemini-3-flash-preview", { reasoning: { effort: "minimal" } }, { includeThoughts: true, thinkingLevel: "MINIMAL" }],
    ["gemini-3.1-pro-preview", { reasoning: { effort: "minimal" } }, { includeThoughts: true, thinkingLevel: "LOW" }],
    ["gemini-flash-latest", { reasoning: { effort: "xhigh" } }, { includeThoughts: true, thinkingLevel: "HIGH" }],
    [
      "gemini-3-flash-preview",
      { thinking_config: { thinking_budget: 5 }, reasoning: { effort: "low" } },
      { includeThoughts: true, thinkingBudget: 5 },
    ],
    ["gemini-3-flash-preview", { include_thoughts: false }, { includeThoughts: false }],
    ["replay-model", { thinking: true }, { includeThoughts: true }],
    ["replay-model", {}, undefined],
  ] as const)("%s with %j thinks by %j", async (model, params, thinking) => {
    expect((await withParams(params, model)).generationConfig?.thinkingConfig).toEqual(thinking);
  });

  it("a schema for the answer is sent where no call may be made, and before Gemini 3 without the functions", async () => {
    const params = { output_schema: { type: "object", properties: { a: { type: "string" } } } };
    expect((await bodyOf({}, { params })).generationConfig).not.toHaveProperty("responseJsonSchema");
    const shaped = { responseMimeType: "application/json", responseJsonSchema: params.output_schema };
    const gemini3 = await bodyOf({ toolChoice: "none" }, { params });
    expect(gemini3).toMatchObject({ generationConfig: shaped, toolConfig: { functionCallingConfig: { mode: "NONE" } } });
    const gemini2 = await bodyOf({ toolChoice: "none" }, { params, model: "gemini-2.5-flash" });
    expect(gemini2).toMatchObject({ generationConfig: shaped });
    expect(gemini2).not.toHaveProperty("tools");
  });

  it("equal histories make equal beginnings: a longer one only adds contents", async () => {
    const more: readonly Message[] = [...question, { role: "user", parts: [{ type: "text", text: "More." }] }];
    const [short, long] = [await bodyOf(), await bodyOf({ messages: more })];
    expect({ ...long, contents: long.contents.slice(0, short.contents.length) }).toEqual(short);
  });
});
