import { MassgenError } from "@massgen/contracts";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../src/index.js";

async function openTeam(script: Parameters<typeof scriptedTeam>[0], more: Readonly<Record<string, unknown>> = {}) {
  const simulator = await startSimulator({ respond: scriptedTeam(script) });
  onTestFinished(() => simulator.close());
  const backend = (type: string, model: string) => ({ type, model, base_url: simulator.baseUrl("responses"), max_retries: 0, ...more });
  const agents = [
    { id: "ada", backend: backend("openai", "gpt-5-mini") },
    { id: "bob", backend: backend("grok", "grok-4") },
  ];
  return { simulator, options: { config: { agents }, env: { OPENAI_API_KEY: "sk-1234567890", XAI_API_KEY: "xai-1234567890" } } };
}

describe("a team over the Responses API", () => {
  it("of OpenAI and xAI decides together, and every request keeps the vendor's rules", async () => {
    const { simulator, options } = await openTeam(
      {
        "gpt-5-mini": [
          // Its thoughts come back encrypted in the request that says "no such answer".
          step.vote("agent9"),
          {
            do: "reply",
            reply: { kind: "message", reasoning: "LRU ages well.", toolCalls: [{ name: "new_answer", input: { content: "Use LRU." } }] },
          },
          step.vote("agent2", "adapts"),
        ],
        "grok-4": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
      },
      { reasoning: { effort: "low" }, text: { verbosity: "low" }, temperature: 0.3, organization: "org-1" },
    );
    const result = await run("Which cache policy?", options);
    expect(result).toMatchObject({ status: "completed", winner: "bob", finalAnswer: "ARC it is." });
    expect(simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
    expect(new Set(simulator.requests.map(({ api }) => api))).toEqual(new Set(["responses"]));
    const bodies = (model: string) => simulator.requests.filter((entry) => entry.model === model).map(({ body }) => body);
    // OpenAI's reasoning models take no temperature; xAI's do.
    for (const body of bodies("gpt-5-mini"))
      expect(body).toMatchObject({
        store: false,
        reasoning: { effort: "low", summary: "auto" },
        text: { verbosity: "low" },
        instructions: expect.any(String),
      });
    expect(bodies("gpt-5-mini").some((body) => "temperature" in (body as object))).toBe(false);
    for (const body of bodies("grok-4")) expect(body).toMatchObject({ temperature: 0.3, include: ["reasoning.encrypted_content"] });
    // Tool definitions are the same in every request of an agent.
    const tools = bodies("grok-4").map((body) => JSON.stringify((body as { tools?: unknown }).tools));
    expect(new Set(tools).size).toBe(1);
  });

  it("names agent, variable and way out when a key is missing, before any request", async () => {
    const { simulator, options } = await openTeam({});
    const error = await run("Why?", { ...options, env: { OPENAI_API_KEY: "sk-1234567890" } }).catch((reason: unknown) => reason);
    expect(MassgenError.is(error, "MISSING_API_KEY") && error.message).toContain('Agent "bob" (Grok) needs an API key: set XAI_API_KEY.');
    expect(simulator.requests).toEqual([]);
  });
});
