import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { hashKey, keyRing, type ServerOptions } from "../src/index.js";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});
async function serving(
  respond: Respond,
  ids: readonly string[],
  change?: Partial<ServerOptions>,
): Promise<{ readonly served: Served; readonly openai: (key?: string) => OpenAI }> {
  const served = await serve(respond, ids, change);
  open.push(served);
  return { served, openai: (apiKey = "none") => new OpenAI({ baseURL: `${served.url}/v1`, apiKey, maxRetries: 0 }) };
}
const twoAgents = (): Respond =>
  scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
    "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
  });
const clock = { type: "function", name: "clock", parameters: { type: "object", properties: {} }, strict: false } as const;

describe("POST /v1/responses with the official client", () => {
  it("answers with text, trace and usage", async () => {
    const { openai } = await serving(twoAgents(), ["ada", "bob"]);
    const response = await openai().responses.create({ model: "massgen", input: "Which cache?", instructions: "Be brief." });
    expect(response.output_text).toBe("ARC it is.");
    expect(response.status).toBe("completed");
    expect(response.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(response.usage?.total_tokens).toBeGreaterThan(0);
  });

  it("streams events that its reader puts together to the same", async () => {
    const { openai } = await serving(twoAgents(), ["ada", "bob"]);
    const stream = openai().responses.stream({ model: "massgen", input: "Which cache?" });
    const types = new Set<string>();
    const numbers: number[] = [];
    for await (const event of stream) {
      types.add(event.type);
      numbers.push(event.sequence_number);
    }
    const final = await stream.finalResponse();
    expect(final.output_text).toBe("ARC it is.");
    expect(numbers).toEqual(numbers.map((_, index) => index));
    for (const type of ["response.created", "response.reasoning_summary_text.delta", "response.output_text.delta", "response.completed"])
      expect(types).toContain(type);
  });

  it("goes on from an earlier response, for who has it and nobody else", async () => {
    const keys = keyRing(["a", "b"].map((name) => ({ name, hash: hashKey(`${name}-key`) })));
    const { served, openai } = await serving(scriptedTeam({ "solo-model": [step.text("Noted: blue."), step.text("Blue.")] }), ["solo"], {
      keys,
    });
    const first = await openai("a-key").responses.create({ model: "massgen", input: "My colour is blue." });
    const next = { model: "massgen", input: "Which?", previous_response_id: first.id };
    await expect(openai("b-key").responses.create(next)).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
    expect((await openai("a-key").responses.create(next)).output_text).toBe("Blue.");
    expect(served.simulator.requests.at(-1)?.canonicalText).toMatch(/My colour is blue\..*Noted: blue\..*Which\?/s);
  });

  it.each([false, true])("hands calls of functions to the client and takes their results, streamed: %s", async (streamed) => {
    const respond = scriptedTeam({ "solo-model": [step.tool("clock", { zone: "UTC" }), step.text("It is noon.")] });
    const { openai } = await serving(respond, ["solo"]);
    const ask = { model: "massgen", input: "Time?", tools: [clock] };
    const first = streamed ? await openai().responses.stream(ask).finalResponse() : await openai().responses.create(ask);
    const call = first.output.find((item) => item.type === "function_call");
    expect(call).toMatchObject({ name: "clock", arguments: '{"zone":"UTC"}' });
    const input = [{ type: "function_call_output" as const, call_id: call?.type === "function_call" ? call.call_id : "", output: "noon" }];
    const second = await openai().responses.create({ model: "massgen", previous_response_id: first.id, input, tools: [clock] });
    expect(second.output_text).toBe("It is noon.");
  });

  it("says what it does not take", async () => {
    const { openai } = await serving(twoAgents(), ["ada", "bob"]);
    const ask = (more: object) =>
      openai().responses.create({ model: "massgen", input: "x", ...more } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
    await expect(ask({ tools: [{ type: "web_search" }] })).rejects.toMatchObject({ status: 400, code: "unsupported_tool" });
    await expect(ask({ input: [] })).rejects.toMatchObject({ status: 400, code: "no_user_message" });
    await expect(ask({ input: [{ role: "user", content: [{ type: "input_image", image_url: "data:," }] }] })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("input_image"),
    });
    await expect(ask({ tools: [{ ...clock, name: "vote" }] })).rejects.toMatchObject({ status: 400, code: "tool_name_conflict" });
  });

  it("a run that comes to nothing is a failed response in the stream, an error object without", async () => {
    const { openai } = await serving(() => ({ kind: "failure", status: 400 }), ["ada", "bob"]);
    await expect(openai().responses.create({ model: "massgen", input: "x" })).rejects.toMatchObject({ status: 502 });
    const stream = await openai().responses.create({ model: "massgen", input: "x", stream: true });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.at(-1)).toBe("response.failed");
  });
});
