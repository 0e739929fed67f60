import type { SimulatedApi, Simulator } from "@massgen/simulator";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../src/index.js";

interface Seat {
  readonly id: string;
  readonly type: string;
  readonly api: SimulatedApi;
  readonly model: string;
}

/** One agent per API family. Ids and models are words that no prompt contains by chance. */
const TEAM: readonly Seat[] = [
  { id: "zinnia", type: "chatcompletion", api: "chat_completions", model: "gpt-oss-120b" },
  { id: "yarrow", type: "openai", api: "responses", model: "gpt-5-mini" },
  { id: "xylia", type: "claude", api: "messages", model: "claude-sonnet-4-5" },
  { id: "wisteria", type: "gemini", api: "generate_content", model: "gemini-2.5-flash" },
];
const SECOND_MODEL: Readonly<Record<string, string>> = {
  chatcompletion: "qwen3-32b",
  openai: "gpt-4.1",
  claude: "claude-haiku-4-5",
  gemini: "gemini-2.0-flash-exp",
};
const QUESTION = "Which cache policy fits a read-heavy service?";
const env = { OPENAI_API_KEY: "sk-1234567890", ANTHROPIC_API_KEY: "sk-ant-1234567890", GEMINI_API_KEY: "key-1234567890" };

async function ask(seats: readonly Seat[], script: Parameters<typeof scriptedTeam>[0]) {
  const simulator = await startSimulator({ respond: scriptedTeam(script) });
  onTestFinished(() => simulator.close());
  const agents = seats.map(({ id, type, api, model }) => ({
    id,
    backend: { type, model, base_url: simulator.baseUrl(api), max_retries: 0 },
  }));
  return { simulator, result: await run(QUESTION, { config: { agents }, env }) };
}

/** Nothing that the vendors refuse, nothing that tells an agent who the others are. */
function expectCleanLedger({ requests }: Simulator, seats: readonly Seat[]): void {
  expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
  expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200));
  for (const seat of seats) {
    const own = requests.filter(({ model }) => model === seat.model);
    expect(new Set(own.map(({ api }) => api)), seat.id).toEqual(new Set([seat.api]));
    const text = JSON.stringify(own.map(({ body }) => body)).toLowerCase();
    expect(text, seat.id).toContain(QUESTION.toLowerCase());
    for (const other of seats.filter(({ id }) => id !== seat.id)) {
      expect(text, seat.id).not.toContain(other.id);
      expect(text, seat.id).not.toContain(other.model);
    }
  }
}

describe("a team of four, one agent per API family", () => {
  it("finishes with a shared decision, keeps every vendor's rules, and nobody learns who the others are", async () => {
    const { simulator, result } = await ask(TEAM, {
      "gpt-oss-120b": [step.answer("Use LRU."), step.vote("agent3", "adapts")],
      // Refused once, so that a call and its result go back over every API.
      "gpt-5-mini": [step.answer("Use LFU."), step.vote("agent9"), step.vote("agent3", "checked")],
      "claude-sonnet-4-5": [step.answer("Use ARC."), step.vote("agent9"), step.vote("agent3", "mine")],
      "gemini-2.5-flash": [step.answer("Use FIFO."), step.vote("agent9"), step.vote("agent1", "simpler")],
    });
    expect(result).toMatchObject({
      status: "completed",
      exitCode: 0,
      winner: "xylia",
      winnerLabel: "agent3.1",
      voteResults: { vote_counts: { xylia: 3, zinnia: 1 } },
      decision: { winner: "xylia" },
    });
    expect(result.finalAnswer).toBeTruthy();
    expect(result.answers.map(({ agentId, content }) => [agentId, content]).toSorted()).toEqual([
      ["wisteria", "Use FIFO."],
      ["xylia", "Use ARC."],
      ["yarrow", "Use LFU."],
      ["zinnia", "Use LRU."],
    ]);
    expectCleanLedger(simulator, TEAM);
    // Each was shown all four answers before it voted.
    for (const { model } of TEAM) {
      const texts = simulator.requests.filter((entry) => entry.model === model).map(({ canonicalText }) => canonicalText);
      const showsAll = (text: string): boolean =>
        ["Use LRU.", "Use LFU.", "Use ARC.", "Use FIFO."].every((answer) => text.includes(answer));
      expect(texts.some(showsAll), model).toBe(true);
    }
  });

  it.each(TEAM)("$type alone answers the same question", async (seat) => {
    const { simulator, result } = await ask([seat], { [seat.model]: [step.text("Use ARC.")] });
    expect(result).toMatchObject({ status: "completed", winner: seat.id, finalAnswer: "Use ARC." });
    expectCleanLedger(simulator, [seat]);
  });

  it.each(TEAM)("two of $type decide the same question together", async (seat) => {
    const seats = [seat, { ...seat, id: "verbena", model: SECOND_MODEL[seat.type] ?? "" }];
    const { simulator, result } = await ask(seats, {
      [seats[0]!.model]: [step.answer("Use LRU."), step.vote("agent2", "adapts")],
      [seats[1]!.model]: [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
    });
    expect(result).toMatchObject({
      status: "completed",
      winner: "verbena",
      finalAnswer: "ARC it is.",
      voteResults: { vote_counts: { verbena: 2 } },
    });
    expectCleanLedger(simulator, seats);
  });
});
