import { readFileSync } from "node:fs";
import type { AgentCard, Recorded } from "@massgen/contracts";

/**
 * Whole runs as their facts, frozen in `fixtures/runs`: views must show them the same whatever the rules of today would
 * make of the same claims.
 *
 * | run | |
 * |---|---|
 * | `voidedVotes` | three agents; an answer voids a vote, another vote comes too late, and in the end two of three agree |
 * | `tie` | two agents that both like their own answer best; the presentation breaks |
 * | `failures` | one agent fails for good, one fails twice, the third carries the run alone |
 * | `cancelled`, `cancelledEarly`, `cancelledInPresentation` | the user leaves after one answer, before any, after the decision |
 * | `timeout` | time is up after an answer that voided the only vote: the vote of the older epoch decides |
 * | `single` | one agent, one conversation |
 * | `salvaged` | nobody submitted anything; the last words of one of them are kept |
 * | `nothing` | nobody said anything at all |
 */
export const RUNS = [
  "voidedVotes",
  "tie",
  "failures",
  "cancelled",
  "cancelledInPresentation",
  "cancelledEarly",
  "timeout",
  "single",
  "salvaged",
  "nothing",
] as const;
export type RunName = (typeof RUNS)[number];

export function frozenRun(name: RunName): readonly Recorded[] {
  const text = readFileSync(new URL(`fixtures/runs/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line): Recorded => JSON.parse(line));
}

const NAMES = ["agent_a", "研究者", "оля", "محمد", "日本", "zoë", "😀 smiley", "agent_h", "agent_i", "agent_j"];

/** `count` agents, all of whom vote for the first; names and texts in several scripts. */
export function team(count: number): readonly Recorded[] {
  const cards = Array.from(
    { length: count },
    (_, place): AgentCard => ({ id: NAMES[place % NAMES.length]!, anon: `agent${place + 1}`, backend: "openai", model: `m${place}` }),
  );
  const labels = cards.map(({ anon }) => `${anon}.1` as const);
  const records: Recorded[] = [];
  let at = Date.UTC(2026, 0, 2, 9, 15, 29, 880);
  const say = (fact: object): void => {
    const seq = records.length + 1;
    at += 1_000;
    records.push({ seq, at, runId: "20260102_101529_k7q2mz", decision: seq, closes: true, ...fact } as Recorded);
  };
  say({ type: "run_started", question: "缓存策略比较 👩‍💻: which one?\nWith examples.", agents: cards, seed: 1, mode: "voting" });
  say({ type: "phase_changed", from: "preparing", to: "coordinating" });
  for (const { id } of cards) say({ type: "round_started", agent: id, round: 0, kind: "initial", shown: [], tools: ["new_answer"] });
  for (const [place, { id }] of cards.entries()) {
    const content = place % 2 === 0 ? `策略 ${place}: 写穿透，读取快，简单可靠，适合大多数场景` : `Strategy ${place} 🚀`;
    say({
      type: "answer_submitted",
      agent: id,
      round: 0,
      label: labels[place]!,
      content,
      fingerprint: "",
      supersedes: null,
      salvaged: false,
      snapshot: null,
      maxSimilarity: null,
    });
  }
  for (const { id } of cards) {
    say({ type: "restart_completed", agent: id, round: 1 });
    say({ type: "round_started", agent: id, round: 1, kind: "evaluation", shown: labels, tools: ["new_answer", "vote"] });
  }
  for (const [place, { id }] of cards.entries()) {
    const reason = place % 2 === 0 ? "最完整的答案，覆盖失效问题" : "The most complete one";
    say({
      type: "vote_cast",
      agent: id,
      round: 1,
      target: NAMES[0],
      targetLabel: "agent1.1",
      reason,
      confidence: null,
      confidenceDefaulted: false,
      weight: 1,
      coerced: false,
      options: labels,
    });
  }
  const tally = [{ label: "agent1.1", weight: count }];
  const selected = { consensus: "unanimous", selection: "votes", isTie: false, tieBrokenBy: null, tieBreakTrace: [] };
  say({ type: "winner_selected", winner: NAMES[0], label: "agent1.1", tally, ...selected });
  say({ type: "phase_changed", from: "coordinating", to: "presenting" });
  say({ type: "presentation_started", agent: NAMES[0], label: "agent1.1", round: 2 });
  say({ type: "presentation_finished", agent: NAMES[0], content: "最终答案", fallback: null, partial: "" });
  say({ type: "phase_changed", from: "presenting", to: "finished" });
  say({ type: "run_finished", status: "completed", winner: NAMES[0], message: null });
  return records;
}
