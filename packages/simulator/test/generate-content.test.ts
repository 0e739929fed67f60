import type { JsonValue } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import type { SimulatedReply, SimulatedRequest, Simulator } from "../src/index.js";
import { lintGenerateContent } from "../src/wire/lint-generate-content.js";
import { openSimulators } from "./open-simulators.js";

type Fields = { readonly [key: string]: JsonValue };
const start = openSimulators();
const PATH = "/v1beta/models/m:streamGenerateContent";
const question: Fields = { role: "user", parts: [{ text: "Hi" }] };
const call = (fields: Fields = {}): Fields => ({ functionCall: { name: "look", args: {}, ...fields } });
const response = (fields: Fields = {}): Fields => ({ functionResponse: { name: "look", response: { result: "found" }, ...fields } });
const model = (...parts: readonly Fields[]): Fields => ({ role: "model", parts });
const user = (...parts: readonly Fields[]): Fields => ({ role: "user", parts });

const post = (simulator: Simulator, path: string, body: Fields = {}): Promise<Response> =>
  fetch(`${simulator.baseUrl("generate_content")}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": "secret-1234" },
    body: JSON.stringify({ contents: [question], ...body }),
  });

interface Answer {
  readonly candidates: readonly { readonly content: { readonly parts: readonly Fields[] }; readonly finishReason?: string }[];
  readonly usageMetadata?: Fields;
}

async function ask(simulator: Simulator, body: Fields = {}): Promise<readonly Answer[]> {
  const answer = await post(simulator, `${PATH}?alt=sse`, body);
  if (!answer.ok) throw new Error(await answer.text());
  const events = (await answer.text()).split("\r\n\r\n").filter((event) => event !== "");
  return events.map((event) => JSON.parse(event.replace(/^data: /, "")) as Answer);
}

const partsOf = (chunks: readonly Answer[]): readonly Fields[] => chunks.flatMap(({ candidates }) => candidates[0]?.content.parts ?? []);
const textOf = (chunks: readonly Answer[], thought: boolean): string =>
  partsOf(chunks)
    .filter((part) => (part["thought"] === true) === thought && typeof part["text"] === "string")
    .map((part) => part["text"])
    .join("");

describe("a reply of generateContent", () => {
  const reply: SimulatedReply = {
    kind: "message",
    reasoning: "Think 🤔 first.",
    text: 'Ein Satz, 一个句子.\n\n- "quoted"\n',
    toolCalls: [
      { name: "new_answer", input: { content: "A } \\ 😀", deep: { a: [1] } } },
      { name: "vote", input: {} },
    ],
    usage: { inputTokens: 100, outputTokens: 30, reasoningTokens: 10, cachedTokens: 60 },
  };
  const calls = [
    {
      functionCall: { id: "fc_1_0", name: "new_answer", args: { content: "A } \\ 😀", deep: { a: [1] } } },
      thoughtSignature: "c2ltdWxhdGVk",
    },
    { functionCall: { id: "fc_1_1", name: "vote", args: {} } },
  ];
  const usage = {
    promptTokenCount: 100,
    candidatesTokenCount: 20,
    totalTokenCount: 130,
    cachedContentTokenCount: 60,
    thoughtsTokenCount: 10,
  };

  it.each([
    ["at once", undefined],
    ["token by token", { firstTokenMs: 0, tokensPerSecond: 100_000 }],
    ["several tokens a packet and an event", { firstTokenMs: 1, tokensPerSecond: 100_000, tokensPerPacket: 7, tokensPerEvent: 3 }],
  ])("says the same when streamed %s, with each call in one piece", async (_, pace) => {
    const simulator = await start({ respond: () => reply, ...(pace === undefined ? {} : { pace }) });
    const chunks = await ask(simulator);
    expect([textOf(chunks, false), textOf(chunks, true)]).toEqual([reply.text, reply.reasoning]);
    expect(partsOf(chunks).filter((part) => part["functionCall"] !== undefined)).toEqual(calls);
    expect(chunks.at(-1)).toMatchObject({ candidates: [{ finishReason: "STOP" }], usageMetadata: usage });
  });

  it("says the same when not streamed", async () => {
    const simulator = await start({ respond: () => reply });
    const answer = (await (await post(simulator, "/v1beta/models/m:generateContent")).json()) as Answer;
    expect(answer.candidates[0]?.content.parts.slice(2)).toEqual(calls);
    expect(answer).toMatchObject({ candidates: [{ finishReason: "STOP" }], usageMetadata: usage });
  });

  it.each([
    ["length", "MAX_TOKENS"],
    ["refusal", "SAFETY"],
  ] as const)("that ends by %s says %s", async (finish, word) => {
    const simulator = await start({ respond: () => ({ kind: "message", text: "x", finish }) });
    expect((await ask(simulator)).at(-1)?.candidates[0]?.finishReason).toBe(word);
  });

  it("that fails is Google's error object", async () => {
    const simulator = await start({ respond: () => ({ kind: "failure", status: 429 }) });
    expect(await (await post(simulator, PATH)).json()).toMatchObject({ error: { code: 429, status: "RESOURCE_EXHAUSTED" } });
  });
});

describe("a request of generateContent", () => {
  it("is read as the model sees it, with the model of the path", async () => {
    const seen: SimulatedRequest[] = [];
    const simulator = await start({
      respond: (request) => {
        seen.push(request);
        return { kind: "message", text: "ok" };
      },
    });
    const look = { name: "look", description: "Looks.", parametersJsonSchema: { type: "object", properties: { q: { type: "string" } } } };
    await post(simulator, "/v1beta/models/gemini-3-flash%20x:generateContent", {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      tools: [{ functionDeclarations: [look] }, { googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["look"] } },
      contents: [
        question,
        model(
          { text: "hm", thought: true },
          { text: "I look." },
          { ...call({ args: { q: "x" } }), thoughtSignature: "s" },
          call({ id: "b" }),
        ),
        user(response(), response({ id: "b", response: { error: "gone" } })),
        user({ text: "And?" }),
      ],
    });
    expect(seen[0]).toMatchObject({
      api: "generate_content",
      model: "gemini-3-flash x",
      system: "Be brief.",
      tools: ["look"],
      toolSchemas: { look: look.parametersJsonSchema },
      toolChoice: { tool: "look" },
      stream: false,
      messages: [
        { role: "user", text: "Hi" },
        {
          role: "assistant",
          text: "I look.",
          toolCalls: [
            { id: "call_1_0", name: "look", arguments: '{"q":"x"}' },
            { id: "b", name: "look", arguments: "{}" },
          ],
        },
        { role: "tool", text: "found", toolCallId: "call_1_0" },
        { role: "tool", text: "gone", toolCallId: "b" },
        { role: "user", text: "And?" },
      ],
    });
    expect(seen[0]?.headers["x-goog-api-key"]).toBe("…1234");
  });

  it("that breaks a rule gets a 400; models are listed as Google lists them", async () => {
    const simulator = await start({ respond: () => ({ kind: "message", text: "ok" }), models: ["m"] });
    const refused = await post(simulator, PATH, { contents: [] });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { status: "INVALID_ARGUMENT" } }]);
    const models = await (await fetch(`${simulator.baseUrl("generate_content")}/v1beta/models`)).json();
    expect(models).toMatchObject({ models: [{ name: "models/m", supportedGenerationMethods: ["generateContent", "countTokens"] }] });
  });
});

describe("rules of generateContent", () => {
  const tool = (fields: Fields): Fields => ({ contents: [question], tools: [{ functionDeclarations: [{ name: "look", ...fields }] }] });
  const schema = (fields: Fields): Fields => tool({ parametersJsonSchema: { type: "object", properties: { p: fields } } });
  const dialect = (fields: Fields): Fields => tool({ parameters: { type: "OBJECT", properties: { p: fields } } });
  const talk = (...contents: readonly Fields[]): Fields => ({ contents: [question, ...contents] });
  const signed = (part: Fields): Fields => ({ ...part, thoughtSignature: "s" });
  const gemini3 = "/v1beta/models/gemini-3-flash-preview:streamGenerateContent";

  it.each<[string, Fields, string?]>([
    ["a plain question", { contents: [question] }],
    [
      "a schema with numbers and texts to choose from",
      schema({
        anyOf: [
          { type: "integer", enum: [1] },
          { type: "string", enum: ["a"] },
        ],
      }),
    ],
    ["Google's own dialect", dialect({ type: "ARRAY", items: { type: "STRING", enum: ["a"] } })],
    ["two calls without ids, both answered", talk(model(call(), call()), user(response(), response()))],
    ["a call with an id", talk(model(call({ id: "a" })), user(response({ id: "a" })))],
    ["parallel calls of which the first is signed", talk(model(signed(call()), call()), user(response(), response())), gemini3],
    ["an unsigned call of an earlier turn", talk(model(call()), user(response()), question), gemini3],
    ["a signature on an empty text", talk(model({ text: "", thoughtSignature: "s" }))],
  ])("are kept by %s", (_, body, path = PATH) => {
    expect(lintGenerateContent(body, path)).toEqual([]);
  });

  it.each<[string, string, Fields, string?]>([
    ["no contents", "no contents", { contents: [] }],
    ["empty tools", "an empty list of tools", { contents: [question], tools: [] }],
    ["tool name the vendor refuses", "a digit in front", tool({ name: "9lives" })],
    [
      "tool name is not unique",
      "two of one name",
      { contents: [question], tools: [{ functionDeclarations: [{ name: "a" }, { name: "a" }] }] },
    ],
    ["parameters and parametersJsonSchema together", "both kinds of schema", tool({ parameters: {}, parametersJsonSchema: {} })],
    ["enum of booleans, nulls or empty texts", "a boolean choice", schema({ enum: [true] })],
    ["enum of booleans, nulls or empty texts", "an empty choice", schema({ type: "string", enum: [""] })],
    ["array schema without items", "a bare array", schema({ type: ["array", "null"] })],
    ["schema keyword the vendor refuses", "a foreign keyword", dialect({ type: "STRING", additionalProperties: false })],
    ["type is a list", "two types", dialect({ type: ["STRING", "NULL"] })],
    ["enum of something that is no text", "numbers in the dialect", dialect({ type: "INTEGER", enum: ["1"] })],
    ["object schema with empty properties", "an empty object", dialect({ type: "OBJECT", properties: {} })],
    ["required names no property", "a ghost", dialect({ type: "OBJECT", properties: { a: {} }, required: ["b"] })],
    [
      "allowedFunctionNames names no function",
      "a forced ghost",
      { ...tool({}), toolConfig: { functionCallingConfig: { allowedFunctionNames: ["x"] } } },
    ],
    ["unknown role", "an assistant", talk({ role: "assistant", parts: [{ text: "x" }] })],
    ["content without parts", "an empty content", talk(model())],
    ["part without data", "a bare signature", talk(model({ thoughtSignature: "s" }))],
    ["call that is not the model's", "a user's call", talk(user(call()), user(response()))],
    [
      "number of function responses differs from number of function calls",
      "a missing response",
      talk(model(call(), call()), user(response())),
    ],
    ["function response without the id of its call", "a lost id", talk(model(call({ id: "a" })), user(response()))],
    ["function response without its call", "an orphan", talk(user(response()))],
    ["function call is missing a thought_signature", "an unsigned call", talk(model(call()), user(response())), gemini3],
  ])("%s: %s", (rule, _, body, path = PATH) => {
    expect(lintGenerateContent(body, path).map((violation) => violation.rule)).toContain(rule);
  });
});
