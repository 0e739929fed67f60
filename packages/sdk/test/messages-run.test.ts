import { MassgenError } from "@massgen/contracts";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../src/index.js";

async function openTeam(script: Parameters<typeof scriptedTeam>[0], more: Readonly<Record<string, unknown>> = {}) {
  const simulator = await startSimulator({ respond: scriptedTeam(script) });
  onTestFinished(() => simulator.close());
  const backend = (model: string) => ({ type: "claude", model, base_url: simulator.baseUrl("messages"), max_retries: 0, ...more });
  const agents = [
    { id: "ada", backend: backend("claude-opus-5-5") },
    { id: "bob", backend: backend("claude-sonnet-4-5") },
  ];
  return { simulator, options: { config: { agents }, env: { ANTHROPIC_API_KEY: "sk-ant-1234567890" } } };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent.
type Body = any;
const marksIn = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;

describe("a team over the Messages API", () => {
  it("decides together, brings its thoughts back, and keeps every rule of the vendor", async () => {
    const { simulator, options } = await openTeam(
      {
        "claude-opus-5-5": [
          step.vote("agent9"),
          {
            do: "reply",
            reply: { kind: "message", reasoning: "LRU ages well.", toolCalls: [{ name: "new_answer", input: { content: "Use LRU." } }] },
          },
          {
            do: "reply",
            reply: { kind: "message", reasoning: "Let me see.", toolCalls: [{ name: "vote", input: { agent_id: "agent9", reason: "?" } }] },
          },
          step.vote("agent2", "adapts"),
        ],
        "claude-sonnet-4-5": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
      },
      { reasoning: { effort: "low" }, max_tokens: 9000 },
    );
    const result = await run("Which cache policy?", options);
    expect(result).toMatchObject({ status: "completed", winner: "bob", finalAnswer: "ARC it is." });
    expect(simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
    expect(new Set(simulator.requests.map(({ api }) => api))).toEqual(new Set(["messages"]));
    const bodies = (model: string): Body[] => simulator.requests.filter((entry) => entry.model === model).map(({ body }) => body);
    for (const body of bodies("claude-opus-5-5"))
      expect(body).toMatchObject({ max_tokens: 9000, thinking: { type: "adaptive" }, output_config: { effort: "low" } });
    for (const body of bodies("claude-sonnet-4-5")) expect(body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2048 } });
    const thoughts = bodies("claude-opus-5-5").flatMap((body) => body.messages.flatMap(({ content }: Body) => content));
    expect(thoughts.filter(({ type }: Body) => type === "thinking")).toContainEqual({
      type: "thinking",
      thinking: "Let me see.",
      signature: expect.stringMatching(/./),
    });
  });

  it("keeps tools and system text the same in every request, and marks them for the cache four times at most", async () => {
    const { simulator, options } = await openTeam({
      "claude-opus-5-5": [step.vote("agent9"), step.answer("Use LRU."), step.vote("agent2")],
      "claude-sonnet-4-5": [step.answer("Use ARC."), step.vote("agent2"), step.text("ARC it is.")],
    });
    await run("Which cache policy?", options);
    const bodies = simulator.requests.map(({ body }) => body as Body);
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(new Set(bodies.map(({ system }) => JSON.stringify(system))).size).toBe(1);
    for (const body of bodies) {
      expect([marksIn(body.tools), marksIn(body.system)]).toEqual([1, 1]);
      expect(marksIn(body)).toBeGreaterThanOrEqual(3);
      expect(marksIn(body)).toBeLessThanOrEqual(4);
    }
    // Behind the last answer shown, before what changes from round to round.
    const evaluating = bodies.filter((body) => JSON.stringify(body.messages).includes("<answer from="));
    expect(evaluating.length).toBeGreaterThan(0);
    for (const { messages } of evaluating) {
      const shown = messages[0].content.findLast((block: Body) => block.text.includes("</answer>") && !block.text.includes("You may call"));
      expect(shown?.cache_control).toEqual({ type: "ephemeral" });
    }
  });

  it("names agents, variable and way out when the key is missing, before any request", async () => {
    const { simulator, options } = await openTeam({});
    const error = await run("Why?", { ...options, env: {} }).catch((reason: unknown) => reason);
    expect(MassgenError.is(error, "MISSING_API_KEY") && error.message).toContain(
      'Agent "ada" (Claude) needs an API key: set ANTHROPIC_API_KEY.',
    );
    expect(simulator.requests).toEqual([]);
  });
});
