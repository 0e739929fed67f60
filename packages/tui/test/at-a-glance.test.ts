import { visibleWidth } from "@earendil-works/pi-tui";
import type { BudgetLimits, RunEvent } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { createStyle, frameRows, press, type ScreenState } from "../src/index.js";
import { folded, played, until } from "./play.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: pictures are reviewed without colours
const COLOURS = /\u001b\[[\d;]*m/g;
const picture = (state: ScreenState, columns = 120, rows = 34): string =>
  frameRows(state, { columns, rows }, createStyle("dark"))
    .map((row) => row.replaceAll(COLOURS, "").trimEnd())
    .join("\n");
const pressed = (state: ScreenState, ...keys: readonly string[]): ScreenState => keys.reduce((now, key) => press(now, key).state, state);

/** The same run, in which these facts come next. */
function then(state: ScreenState, ...facts: readonly object[]): ScreenState {
  const at = state.nowMs + (state.recordAheadMs ?? 0) + 1000;
  return folded(
    facts.map((fact, index) => ({ at, decision: 0, closes: true, ...fact, seq: state.view.lastSeq + 1 + index }) as unknown as RunEvent),
    state,
  );
}

describe("rounds", () => {
  it("say how long they have been going on by the clock of the screen, and how long they took once they are over", async () => {
    const events = await played(["ada", "bob"]);
    const working = folded(until(events, "round_started"));
    expect(picture({ ...working, nowMs: working.nowMs + 12_300 })).toMatch(/▸ ada .* round 0 · 12\.3 s/);
    expect(picture({ ...working, nowMs: working.nowMs - 5_000 })).toContain("round 0 · 0.0 s");
    const voted = folded(until(events, "vote_cast"));
    const ended = voted.view.agents.get("ada")?.newestRound?.endedAt ?? null;
    expect(ended).not.toBeNull();
    expect(picture({ ...voted, nowMs: voted.nowMs + 99_000 })).toMatch(/ada .*round 1 · 0\.0 s/);
    expect(picture({ ...voted, nowMs: voted.nowMs + 99_000 })).toMatch(/bob .*round 1 · 1 min 39 s/);
  });

  it("do not lag when a fact comes late", async () => {
    const working = folded(until(await played(["ada", "bob"]), "round_started"));
    const later = { ...working, nowMs: working.nowMs + 12_300 };
    const at = working.nowMs + (working.recordAheadMs ?? 0) + 2_000;
    const late = folded(
      [
        { type: "answer_now_requested", reason: "a person", agents: [], at, seq: later.view.lastSeq + 1, decision: 9, closes: true },
      ] as never,
      later,
    );
    expect(picture(late)).toMatch(/▸ ada .* round 0 · 12\.3 s/);
  });

  it("stand above the stream where the rows of agents have no room for them", async () => {
    const state = folded(until(await played(["ada", "bob"]), "round_started"));
    expect(picture(state, 60, 15)).toContain("ada · model-of-1 · round 0 · 0.0 s");
  });
});

describe("panes", () => {
  it("that are not wanted give their room to the stream (ui.live_timeline, ui.show_agent_cards)", async () => {
    const state = folded(await played(["ada", "bob"]));
    const bare = { ...state, panes: { timeline: false, agents: false } };
    for (const [columns, rows] of [
      [120, 34],
      [80, 24],
      [60, 15],
    ] as const) {
      expect(picture(bare, columns, rows)).not.toMatch(/What happened|▸ ada/);
      expect(picture(bare, columns, rows)).toContain("ada · model-of-1");
    }
    expect(picture({ ...state, panes: { timeline: false, agents: true } })).toMatch(/▸ ada/);
    expect(picture({ ...state, panes: { timeline: true, agents: false } })).toMatch(/What happened/);
  });
});

describe("budgets", () => {
  const limits: BudgetLimits = {
    maxTotalTokens: 10_000,
    maxTotalCostUsd: null,
    maxLlmCalls: null,
    maxAgentTokens: 4_000,
    maxAgentCostUsd: null,
    maxRoundCostUsd: null,
    warnAt: 0.8,
    reserveForFinal: 0,
  };

  it.each([
    [10_000, 4_000, /budget of ada \d+ %/],
    [3_000, null, /budget \d+ %/],
    [0, null, /budget 100 %/],
  ])(
    "of %s tokens, %s an agent: the one that is nearest to its end is in sight, all of them beside the cost",
    async (total, agent, near) => {
      const state = then(folded(until(await played(["ada", "bob"]), "vote_cast")), {
        type: "budget_set",
        limits: { ...limits, maxTotalTokens: total, maxAgentTokens: agent },
      });
      const { spending } = state.view.state;
      expect(spending.tokens).toBeGreaterThan(0);
      expect(picture(state)).toMatch(near);
      const cost = picture(pressed(state, "c"));
      expect(cost).toMatch(/the run\s+[█░]{12}\s+\d+ % {2}[\d,]+ tokens of [\d,]+ tokens/);
      expect(/ada\s+[█░]{12}/.test(cost)).toBe(agent !== null);
    },
  );

  it("are not spoken of where none is set, and in words once they are used up", async () => {
    const state = folded(until(await played(["ada", "bob"]), "vote_cast"));
    expect(picture(state)).not.toContain("budget");
    expect(picture(pressed(state, "c"))).not.toContain("budget");
    const over = { type: "budget_exceeded", agent: null, scope: "run", unit: "tokens", used: 2, limit: 1, consequence: "run_ends" };
    expect(picture(then(state, { type: "budget_set", limits }, over))).toContain("budget used up");
  });
});

describe("what an answer changed", () => {
  const twice = async (before: string, after: string): Promise<ScreenState> => {
    const events = await played(["ada", "bob"], (agent) => ({
      answer: agent === "ada" ? before : "Something else.",
      reason: "it is good",
    }));
    const answer = events.find((event) => event.type === "answer_submitted" && event.agent === "ada");
    return then(folded(until(events, "vote_cast", 2)), { ...answer, label: "agent1.2", content: after, round: 1 });
  };

  it("is shown against the answer of the same agent before it", async () => {
    const state = await twice("Use LRU.\nIt is simple.\nDone.", "Use ARC.\nIt is simple.\nDone.");
    const changes = picture(pressed(state, "b", "x"));
    expect(changes).toMatch(/agent1\.2, changed from agent1\.1 \(3 of 3\)/);
    expect(changes).toMatch(/- Use LRU\.\s*│\s*\n.*\+ Use ARC\.\s*│\s*\n.* {2}It is simple\./);
    expect(picture(pressed(state, "b", "x", "x"))).toMatch(/Answer agent1\.2[\s\S]*Use ARC\./);
    // The answer stepped to is shown in the same way, and the first of an agent has nothing before it.
    expect(picture(pressed(state, "b", "x", "left"))).toMatch(/agent2\.1, changed from nothing[\s\S]*It is the first\./);
    expect(picture(pressed(await twice("The same.", "The same."), "b", "x"))).toContain("Nothing changed.");
  });

  it("keeps its signs where a line is longer than the window", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const rows = picture(pressed(await twice(words, `${words} more`), "b", "x"), 80, 40).split("\n");
    const withWords = rows.filter((row) => row.includes("word"));
    expect(withWords.length).toBeGreaterThan(10);
    for (const row of withWords) expect(row).toMatch(/^│ [-+] /);
  });

  it("TT-01: commands nothing and breaks no row, whatever the answers hold", async () => {
    const evil =
      "漢字👩‍👩‍👧‍👦 שלום e\u0301 a\u001b]0;owned\u0007\u001b[2J\u009b31m\u001b]8;;http://evil\u001b\\x\u001b]8;;\u001b\\\r\u202e ";
    const state = pressed(await twice(evil.repeat(9), `${evil.repeat(8)}\n@@ -1 +1 @@\n--- a\n+++ b\n${evil}`), "b", "x");
    for (const columns of [20, 60, 141]) {
      const frame = frameRows(state, { columns, rows: 24 }, createStyle("dark"));
      for (const row of frame) expect({ row, fits: visibleWidth(row) <= columns }).toEqual({ row, fits: true });
      expect(frame.join("\n").replaceAll(COLOURS, "")).not.toMatch(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
      );
    }
  });

  it("is not waited for when two long texts have nothing in common", async () => {
    const text = (seed: string): string => Array.from({ length: 20_000 }, (_, index) => `${seed}${index}`).join("\n");
    expect(picture(pressed(await twice(text("a"), text("b")), "b", "x"))).toContain("They differ too much to be compared.");
  });
});
