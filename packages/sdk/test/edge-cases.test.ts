import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import type { JsonValue, Recorded } from "@massgen/contracts";
import { type Respond, type SimulatedRequest, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareRun, readRunLog } from "../src/index.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-edge-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Played {
  readonly exitCode: number;
  readonly records: readonly Recorded[];
  readonly requests: readonly SimulatedRequest[];
  readonly votes: ReturnType<typeof JSON.parse>;
  readonly status: ReturnType<typeof JSON.parse>;
  readonly decision: ReturnType<typeof JSON.parse>;
}

/** A whole run over HTTP. The order of the configuration is not that of the alphabet. */
async function play(
  respond: Respond,
  ids: readonly string[] = ["zeta_one", "alpha_two"],
  onEvent?: (event: Recorded) => void,
): Promise<Played> {
  const requests: SimulatedRequest[] = [];
  const simulator = await startSimulator({
    respond: (request) => {
      requests.push(request);
      return respond(request);
    },
  });
  const prepared = await prepareRun({
    question: "Which cache?",
    loaded: validateConfig({
      agents: ids.map((id) => ({
        id,
        backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions") },
      })),
    }),
    env: {},
    logs: { cwd: await mkdtemp(join(folder, "run-")), version: "1" },
    modulesFrom: [folder],
    onEvent: (event) => {
      if ("seq" in event) onEvent?.(event);
    },
  });
  const { exitCode } = await prepared.start().finished;
  expect(simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
  await simulator.close();
  const log = prepared.logDirectory ?? "";
  const json = async (name: string): Promise<ReturnType<typeof JSON.parse>> => JSON.parse(await readFile(join(log, name), "utf8"));
  return {
    exitCode,
    requests,
    records: await readRunLog(log),
    votes: await json("vote.json"),
    status: await json("status.json"),
    decision: await json("decision.json"),
  };
}

const of = <T extends Recorded["type"]>(records: readonly Recorded[], type: T): readonly Extract<Recorded, { type: T }>[] =>
  records.filter((record): record is Extract<Recorded, { type: T }> => record.type === type);

/** Whole runs: a busy machine takes seconds for the first one alone. */
const PATIENCE = { timeout: 30_000 };

describe("a run as its files tell it", PATIENCE, () => {
  it("EC06: a vote for one's own answer counts, and is told as one", async () => {
    const { votes, decision, records } = await play(
      scriptedTeam({
        "zeta_one-model": [step.answer("Use LRU."), step.vote("agent1", "Mine.")],
        "alpha_two-model": [step.answer("Use ARC."), step.vote("agent1", "Clear.")],
      }),
    );
    expect(votes.vote_counts).toEqual({ zeta_one: 2 });
    expect(decision.matrix).toContainEqual(expect.objectContaining({ voter: "zeta_one", self_vote: true, counted: true }));
    expect(of(records, "vote_cast").map(({ agent, target }) => [agent, target])).toContainEqual(["zeta_one", "zeta_one"]);
  });

  it("EC69: a vendor that is busy once is asked again by the adapter, which is on record, and no agent fails", async () => {
    const busy = { kind: "failure", status: 429, headers: { "retry-after": "0" } } as const;
    const { exitCode, records } = await play(
      scriptedTeam({
        "zeta_one-model": [{ do: "reply", reply: busy }, step.answer("Use LRU."), step.vote("agent1", "Mine.")],
        "alpha_two-model": [step.answer("Use ARC."), step.vote("agent1", "Clear.")],
      }),
    );
    expect(exitCode).toBe(0);
    expect(of(records, "agent_failed")).toEqual([]);
    expect(of(records, "llm_call").filter(({ status }) => status === "retrying")).toMatchObject([
      { agent: "zeta_one", message: expect.stringContaining("429") },
    ]);
  });
});

describe("votes that do not count (CO-01)", PATIENCE, () => {
  const zetas = [step.answer("Answer from B."), step.vote("agent1", "B."), step.vote("agent1", "B.")];
  const call = (name: string, input: JsonValue): { readonly name: string; readonly input: JsonValue } => ({ name, input });
  const vote = (target: string) => call("vote", { agent_id: target, reason: "Because." });
  const calls = (...toolCalls: readonly { readonly name: string; readonly input: JsonValue }[]) =>
    ({ do: "reply", reply: { kind: "message", toolCalls } }) as const;
  const good = [step.answer("Answer from A."), step.vote("agent1", "B.")] as const;

  it("CO-01 tie: one vote each, and the first of the configuration wins", async () => {
    const { votes, exitCode } = await play(
      scriptedTeam({ "zeta_one-model": zetas, "alpha_two-model": [good[0], step.vote("agent2", "A.")] }),
    );
    expect(exitCode).toBe(0);
    expect(votes).toMatchObject({ winner: "zeta_one", is_tie: true, tie_broken_by: "registration_order", total_votes: 2 });
  });

  it.each([
    ["vote-unknown", [good[0], calls(vote("agent9")), good[1]], /agent1.*agent2/],
    ["vote-real-name", [good[0], calls(vote("zeta_one")), good[1]], /agent1.*agent2/],
    ["vote-twice", [good[0], calls(vote("agent1"), vote("agent2")), good[1]], /vote/],
    ["vote-and-answer", [good[0], calls(vote("agent1"), call("new_answer", { content: "Another." })), good[1]], /new_answer/],
    ["no-tool", [step.text("I think LRU."), good[0], good[1]], null],
    ["unknown-tool", [calls(call("publish", { text: "x" })), good[0], good[1]], /publish/],
    ["vote-too-early", [calls(vote("agent1")), good[0], good[1]], /new_answer/],
  ] as const)(
    "CO-01 %s: nothing of it is counted, the agent is told, and its next try is two votes for zeta_one",
    async (_name, alphas, told) => {
      const { exitCode, votes, status, records, requests } = await play(
        scriptedTeam({ "zeta_one-model": zetas, "alpha_two-model": alphas }),
      );
      expect(exitCode).toBe(0);
      expect(votes).toMatchObject({ winner: "zeta_one", vote_counts: { zeta_one: 2 }, total_votes: 2 });
      expect(status.results.votes).toEqual(votes.vote_counts_by_label);
      expect(of(records, "answer_submitted").filter(({ agent }) => agent === "alpha_two")).toHaveLength(1);
      const own = requests.filter(({ agent }) => agent === "alpha_two-model");
      expect(own.length).toBeLessThanOrEqual(4);
      const place = alphas.findIndex((one) => one !== good[0] && one !== good[1]);
      const body = (own[place + 1]?.body ?? {}) as { readonly messages?: readonly { readonly role: string; readonly content: unknown }[] };
      const messages = body.messages ?? [];
      const results = messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.stringify(content));
      if (told !== null) expect(results.join("\n")).toMatch(told);
      else expect(messages.at(-1)?.role).toBe("user");
    },
  );

  it("CO-01 stale: an identical answer is refused, a better one voids the vote before it, and that voter is asked again", async () => {
    let voted = (): void => {};
    const vote = new Promise<void>((resolve) => {
      voted = resolve;
    });
    const team = scriptedTeam({
      "zeta_one-model": [zetas[0]!, zetas[0]!, step.answer("Answer from B, better in every respect."), step.vote("agent1", "B.")],
      "alpha_two-model": [good[0], step.vote("agent2", "Mine."), good[1], good[1]],
    });
    const { exitCode, votes, records } = await play(
      async (request) => {
        if (request.agent === "zeta_one-model" && request.index === 2) await vote;
        return team(request);
      },
      undefined,
      (event) => {
        if (event.type === "vote_cast") voted();
      },
    );
    expect(exitCode).toBe(0);
    expect(of(records, "answer_rejected")).toMatchObject([{ agent: "zeta_one", code: "answer_duplicate" }]);
    expect(of(records, "vote_invalidated")).toMatchObject([{ voters: ["alpha_two"], byLabel: "agent1.2" }]);
    expect(votes).toMatchObject({ winner: "zeta_one", vote_counts_by_label: { "agent1.2": 2 }, total_votes: 2 });
  });

  it("CO-01 numbers-shift: a vote for what was not shown is never one for whoever answers next", async () => {
    const { exitCode, votes, status, records } = await play(
      scriptedTeam({
        "zeta_one-model": zetas,
        "alpha_two-model": [...good],
        "mid_three-model": [calls(vote("agent1")), calls(vote("agent1")), calls(vote("agent1"))],
      }),
      ["zeta_one", "alpha_two", "mid_three"],
    );
    expect(exitCode).toBe(0);
    expect(of(records, "vote_cast").filter(({ agent }) => agent === "mid_three")).toEqual([]);
    expect(status.agents.mid_three.status).toBe("error");
    expect(votes).toMatchObject({ winner: "zeta_one", vote_counts: { zeta_one: 2 } });
  });
});
