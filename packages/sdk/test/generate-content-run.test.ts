import { MassgenError } from "@massgen/contracts";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../src/index.js";

async function openTeam(script: Parameters<typeof scriptedTeam>[0], more: Readonly<Record<string, unknown>> = {}) {
  const simulator = await startSimulator({ respond: scriptedTeam(script) });
  onTestFinished(() => simulator.close());
  const backend = (model: string) => ({ type: "gemini", model, base_url: simulator.baseUrl("generate_content"), max_retries: 0, ...more });
  const agents = [
    { id: "ada", backend: backend("gemini-3-flash-preview") },
    { id: "bob", backend: backend("gemini-2.5-flash") },
  ];
  return { simulator, options: { config: { agents }, env: { GEMINI_API_KEY: "key-1234567890" } } };
}

describe("a team over the Gemini API", () => {
  it("decides together, and every request keeps Google's rules, signatures included", async () => {
    const { simulator, options } = await openTeam(
      {
        "gemini-3-flash-preview": [
          // Its signed call goes back in the request that says "no such answer".
          step.vote("agent9"),
          {
            do: "reply",
            reply: { kind: "message", reasoning: "LRU ages well.", toolCalls: [{ name: "new_answer", input: { content: "Use LRU." } }] },
          },
          step.vote("agent2", "adapts"),
        ],
        "gemini-2.5-flash": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
      },
      { reasoning: { effort: "low" }, temperature: 0.3 },
    );
    const result = await run("Which cache policy?", options);
    expect(result).toMatchObject({ status: "completed", winner: "bob", finalAnswer: "ARC it is." });
    expect(simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
    expect(new Set(simulator.requests.map(({ api }) => api))).toEqual(new Set(["generate_content"]));
    const bodies = (model: string) => simulator.requests.filter((entry) => entry.model === model).map(({ body }) => body);
    for (const body of bodies("gemini-3-flash-preview"))
      expect(body).toMatchObject({
        generationConfig: { temperature: 0.3, thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" } },
      });
    for (const body of bodies("gemini-2.5-flash"))
      expect(body).toMatchObject({ generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } } });
    expect(JSON.stringify(bodies("gemini-3-flash-preview"))).toContain("thoughtSignature");
    const tools = bodies("gemini-2.5-flash").map((body) => JSON.stringify((body as { tools?: unknown }).tools));
    expect(new Set(tools).size).toBe(1);
  });

  it("fails with Google's reason when every answer is stopped for safety", async () => {
    const blocked = { do: "reply", reply: { kind: "message", text: "To begin", finish: "refusal" } } as const;
    const { options } = await openTeam({ "gemini-3-flash-preview": [blocked], "gemini-2.5-flash": [blocked] });
    const error = await run("Why?", options).catch((reason: unknown) => reason);
    expect(MassgenError.is(error, "RUN_FAILED") && error.message).toContain("SAFETY");
  });

  it("names agent, variables and way out when a key is missing, before any request", async () => {
    const { simulator, options } = await openTeam({});
    const error = await run("Why?", { ...options, env: {} }).catch((reason: unknown) => reason);
    expect(MassgenError.is(error, "MISSING_API_KEY") && error.message).toContain(
      'Agent "ada" (Gemini) needs an API key: set GOOGLE_API_KEY or GEMINI_API_KEY.',
    );
    expect(simulator.requests).toEqual([]);
  });
});
