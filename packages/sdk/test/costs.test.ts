import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import { type SimulatedReply, type SimulatedRequest, type SimulatedUsage, startSimulator } from "@massgen/simulator";
import { expect, it, onTestFinished } from "vitest";
import { prepareRun } from "../src/index.js";

/** An agent of each vendor: what its vendor counts, what that costs, and the price. */
const TEAM = [
  {
    id: "zinnia",
    type: "chatcompletion",
    api: "chat_completions",
    model: "m-chat",
    usage: { inputTokens: 10_000, outputTokens: 1000, cachedTokens: 8000 },
    usd: 0.016,
  },
  {
    id: "yarrow",
    type: "openai",
    api: "responses",
    model: "m-responses",
    usage: { inputTokens: 10_000, outputTokens: 1000, cachedTokens: 8000, reasoningTokens: 900 },
    usd: 0.016,
  },
  { id: "xylia", type: "claude", api: "messages", model: "m-messages", usage: { inputTokens: 1000, outputTokens: 400 }, usd: 0.009 },
  {
    id: "wisteria",
    type: "gemini",
    api: "generate_content",
    model: "m-gemini",
    usage: { inputTokens: 10_000, outputTokens: 2000, cachedTokens: 8000, reasoningTokens: 1500 },
    usd: 0.00584,
  },
] as const;
const openai = { input: 2, cachedInput: 0.5, output: 8 };
const models = {
  "m-chat": openai,
  "m-responses": openai,
  "m-messages": { input: 3, cacheWrite: 3.75, cachedInput: 0.3, output: 15 },
  "m-gemini": { input: 0.3, cachedInput: 0.03, output: 2.5 },
};
const env = { OPENAI_API_KEY: "sk-1234567890", ANTHROPIC_API_KEY: "sk-ant-1234567890", GEMINI_API_KEY: "key-1234567890" };

const call = (name: string, input: Record<string, string>, usage: SimulatedUsage): SimulatedReply => ({
  kind: "message",
  toolCalls: [{ name, input }],
  usage,
});

/** A whole run: answers, votes, a presentation that is sent back once, and the same again; every first request fails once. */
async function play(prices: { readonly [model: string]: (typeof models)["m-messages"] | typeof openai }) {
  const cwd = await mkdtemp(join(tmpdir(), "massgen-costs-"));
  const failed = new Set<string>();
  let judged = 0;
  function respond({ model, messages, tools }: SimulatedRequest): SimulatedReply {
    if (!failed.has(model)) {
      failed.add(model);
      return { kind: "failure", status: 500 };
    }
    const { usage } = TEAM.find((seat) => seat.model === model)!;
    const text = messages.map((message) => message.text).join("\n");
    if (tools.some((tool) => JSON.stringify(tool).includes("restart_orchestration")))
      return judged++ === 0
        ? call("restart_orchestration", { reason: "Thin.", instructions: "More." }, usage)
        : call("submit", { confirmed: "true" }, usage);
    if (text.includes("The team has decided")) return { kind: "message", text: "Use ARC.", usage };
    if (text.includes("<current_answers>")) return call("vote", { agent_id: "agent3", reason: "It adapts." }, usage);
    return call("new_answer", { content: `${model} says ARC.` }, usage);
  }
  const simulator = await startSimulator({ respond });
  onTestFinished(async () => {
    await simulator.close();
    await rm(cwd, { recursive: true, force: true });
  });
  const prepared = await prepareRun({
    question: "Which cache policy?",
    loaded: validateConfig({
      agents: TEAM.map(({ id, type, api, model }) => ({ id, backend: { type, model, base_url: simulator.baseUrl(api), max_retries: 1 } })),
      orchestrator: { seed: 1, coordination: { max_orchestration_restarts: 1 } },
    }),
    env: { ...env, HOME: cwd },
    cwd,
    prices: { asOf: "2026-01-01", source: "test", models: prices },
    logs: { cwd, version: "1" },
  });
  const result = await prepared.start().finished;
  const status = JSON.parse(await readFile(prepared.statusFile ?? "", "utf8"));
  // Calls of those who were overtaken have no usage, and cost nothing that anybody could know of.
  const answered = (model: string): number =>
    simulator.requests.filter((request) => request.model === model && request.status === 200).length;
  return { result, status, answered };
}

it("CO-03: what a run cost is the sum over its agents and attempts, to a millionth; failed calls cost nothing", async () => {
  const { result, status, answered } = await play(models);
  expect(result).toMatchObject({ status: "completed", attempts: 2, winner: "xylia" });
  for (const { id, model, usd } of TEAM) {
    expect(answered(model), id).toBeGreaterThan(1);
    expect(status.agents[id].token_usage.estimated_cost, id).toBeCloseTo(answered(model) * usd, 6);
  }
  const total = TEAM.reduce((sum, { model, usd }) => sum + answered(model) * usd, 0);
  expect(result.usage.estimatedCost).toBeCloseTo(total, 6);
  expect(status.costs.total_estimated_cost).toBeCloseTo(total, 6);
});

it("CO-03: with one model of unknown price the sum is unknown, not what the others cost", async () => {
  const { "m-gemini": _, ...known } = models;
  const { result, status } = await play(known);
  expect(result.usage.estimatedCost).toBeNull();
  expect(status.costs.total_estimated_cost).toBeNull();
  expect(status.agents.wisteria.token_usage.estimated_cost).toBeNull();
  expect(status.agents.zinnia.token_usage.estimated_cost).toBeGreaterThan(0);
});
