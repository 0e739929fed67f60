import { createChatCompletions } from "@massgen/backend-chat-completions";
import { coordinate } from "@massgen/core";
import { expect, it } from "vitest";
import { steadyTeam } from "../src/fake-vendor/default-agents.js";
import { AGENT_HEADER, openHttpVendor } from "../src/fake-vendor/http-vendor.js";
import type { ScriptedAgent } from "../src/fake-vendor/script.js";

async function play(team: readonly ScriptedAgent[]) {
  const vendor = await openHttpVendor(team, { timeScale: 0.001 });
  try {
    const agents = team.map(({ id, model }) => ({
      id,
      backend: createChatCompletions({
        model,
        apiKey: "bench",
        baseUrl: vendor.baseUrl("chat_completions"),
        headers: { [AGENT_HEADER]: id },
      }),
    }));
    const outcome = await coordinate({ question: "Which cache policy fits?", agents }).outcome;
    return { outcome, requests: [...vendor.requests] };
  } finally {
    await vendor.close();
  }
}

it("over real HTTP the same script makes the same calls, and the ledger has them", { timeout: 30_000 }, async () => {
  const team = steadyTeam({ size: 3, answers: 1 });
  const { outcome, requests } = await play(team);
  expect(outcome.status).toBe("completed");
  expect(requests).toHaveLength(7);
  for (const { id } of team) expect(requests.filter((request) => request.agent === id).length).toBeGreaterThanOrEqual(2);
  expect(requests.every((request) => request.status === 200 && request.violations.length === 0 && !request.clientLeft)).toBe(true);
});

it("over real HTTP a stream that breaks and a refusal to be repeated cost one request each", { timeout: 30_000 }, async () => {
  const [first, second, third] = steadyTeam({ size: 3, answers: 1 }) as [ScriptedAgent, ScriptedAgent, ScriptedAgent];
  const answer = second.script({ call: 0, answered: 0, shown: [], presents: false });
  if (answer.does !== "answer") throw new Error("the script begins with an answer");
  const { outcome, requests } = await play([
    first,
    { ...second, script: (view) => (view.call === 0 ? { does: "cut", at: 0.9, of: answer } : second.script(view)) },
    { ...third, script: (view) => (view.call === 0 ? { does: "fail", status: 429, afterMs: 0, retryAfterMs: 1 } : third.script(view)) },
  ]);
  expect(outcome.status).toBe("completed");
  expect(requests.map((request) => request.status).filter((status) => status === 429)).toHaveLength(1);
  expect(requests).toHaveLength(9);
});
