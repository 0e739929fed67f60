import { describe, expect, it } from "vitest";
import { createStandIns, redirectToSimulator, type StandIn } from "../src/index.js";
import { ask, type ChatBody, functionTool } from "./chat-client.js";
import { openSimulators } from "./open-simulators.js";
import { roundBody } from "./team-prompts.js";

const start = openSimulators();
const team: readonly StandIn[] = [
  { agent: "ada", model: "m" },
  { agent: "bob", model: "m" },
];

describe("stand-ins", () => {
  it("know two agents on one model apart by the header of their requests", async () => {
    const simulator = await start({ respond: createStandIns(team) });
    const [ada, bob] = await Promise.all(
      team.map(({ agent }) => ask(simulator, roundBody("m", "Why?", []), { "x-simulated-agent": agent })),
    );
    expect(ada!.calls[0]!.input).toMatchObject({ content: expect.stringMatching(/^Simulated answer, draft A/) });
    expect(bob!.calls[0]!.input).toMatchObject({ content: expect.stringMatching(/^Simulated answer, draft B/) });
  });

  it("deliver their part once and then say that it is done", async () => {
    const simulator = await start({ respond: createStandIns(team) });
    const tools = ["new_answer", "stop"].map((name) => functionTool(name));
    const body = (shown: string): ChatBody => ({
      model: "m",
      tools,
      messages: [
        {
          role: "user",
          content: `<original_message>\nWhy?\n</original_message>\n\n${shown}\n\nYou may call \`new_answer\` or \`stop\`.`,
        },
      ],
    });
    const first = await ask(simulator, body(""), { "x-simulated-agent": "ada" });
    expect(first.calls.map(({ name }) => name)).toEqual(["new_answer"]);
    const { content } = first.calls[0]!.input as { readonly content: string };
    const after = await ask(simulator, body(`<answer from="agent1">\n${content}\n</answer>`), { "x-simulated-agent": "ada" });
    expect(after.calls).toMatchObject([{ name: "stop", input: { status: "complete", summary: expect.stringContaining("simulated") } }]);
  });
});

describe("a fetch that goes to the simulator", () => {
  const body = JSON.stringify(roundBody("m", "Why?", []));

  it.each([
    ["https://api.openai.com/v1/chat/completions", "authorization", "Bearer key-1", "chat_completions"],
    ["https://me.openai.azure.com/openai/deployments/d/chat/completions?api-version=1", "api-key", "key-1", "chat_completions"],
    ["https://api.x.ai/v1/responses", "authorization", "Bearer key-1", "responses"],
    ["https://api.anthropic.com/v1/messages", "x-api-key", "key-1", "messages"],
    [
      "https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent?alt=sse",
      "x-goog-api-key",
      "key-1",
      "generate_content",
    ],
  ])("takes what goes to %s, under the name of its agent and without the key", async (url, header, key, api) => {
    const simulator = await start({ respond: createStandIns(team), lenient: true });
    const seen: Headers[] = [];
    const carry: typeof fetch = (input, init) => {
      seen.push(new Headers(init?.headers));
      return fetch(input, init);
    };
    const redirected = redirectToSimulator(simulator, { carry, agentOf: (given) => (given === "key-1" ? "bob" : null) });
    const response = await redirected(url, { method: "POST", headers: { [header]: key }, body });
    expect(response.status).toBe(200);
    await response.text();
    expect(simulator.requests).toMatchObject([{ api, agent: "bob" }]);
    expect(seen[0]!.get(header)).toBeNull();
  });

  it.each(["https://api.openai.com/v1/files", "https://example.org/", "https://api.anthropic.com/v1/messages/batches"])(
    "refuses what asks no model, as %s, and says that the run is simulated",
    async (url) => {
      const simulator = await start({ respond: createStandIns(team) });
      const redirected = redirectToSimulator(simulator, { carry: fetch, agentOf: () => null });
      await expect(redirected(url, { method: "POST", body })).rejects.toThrow(/simulated: nothing is asked of/);
      expect(simulator.requests).toEqual([]);
    },
  );
});
