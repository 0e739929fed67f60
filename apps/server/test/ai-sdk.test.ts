import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { generateText, jsonSchema, streamText, tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});
async function modelOf(respond: Respond, ids: readonly string[]) {
  const served = await serve(respond, ids);
  open.push(served);
  return createOpenAICompatible({ name: "massgen", baseURL: `${served.url}/v1` })("massgen");
}
const twoAgents = (): Respond =>
  scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
    "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
  });

describe("the AI SDK's provider for what is compatible with OpenAI", () => {
  it("generates text with the trace as reasoning", async () => {
    const { text, reasoningText, usage, finishReason } = await generateText({
      model: await modelOf(twoAgents(), ["ada", "bob"]),
      prompt: "Which?",
    });
    expect(text).toBe("ARC it is.");
    expect(reasoningText).toContain("voted for agent2.1");
    expect(usage.totalTokens).toBeGreaterThan(0);
    expect(finishReason).toBe("stop");
  });

  it("streams reasoning, then text", async () => {
    const { fullStream } = streamText({ model: await modelOf(twoAgents(), ["ada", "bob"]), prompt: "Which?" });
    const types: string[] = [];
    let text = "";
    for await (const part of fullStream) {
      if (part.type === "error") throw part.error;
      if (types.at(-1) !== part.type) types.push(part.type);
      if (part.type === "text-delta") text += part.text;
    }
    expect(text).toBe("ARC it is.");
    expect(types.indexOf("reasoning-delta")).toBeLessThan(types.indexOf("text-delta"));
  });

  it("runs tools of its own and sends their results", async () => {
    const model = await modelOf(scriptedTeam({ "solo-model": [step.tool("clock", { zone: "UTC" }), step.text("It is noon.")] }), ["solo"]);
    const clock = tool({
      description: "The time in a zone.",
      inputSchema: jsonSchema<{ zone: string }>({ type: "object", properties: { zone: { type: "string" } } }),
      execute: ({ zone }) => Promise.resolve(`noon in ${zone}`),
    });
    const { steps, text } = await generateText({ model, prompt: "Time?", tools: { clock }, stopWhen: ({ steps: all }) => all.length >= 2 });
    expect(steps[0]?.toolCalls).toMatchObject([{ toolName: "clock", input: { zone: "UTC" } }]);
    expect(text).toBe("It is noon.");
  });
});
