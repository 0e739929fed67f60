import { type SampleRun, sampleRun } from "./sample-run.js";

const WRITE_THROUGH = "Write-through keeps reads fast and simple.\n\nWrites pay for it: every one goes to the store at once.";
const WRITE_BACK = "Write-back absorbs bursts of writes; a crash may lose what has not been written yet.";
const BOTH = "Write-through where losing a write is unacceptable, write-back with a journal elsewhere. Invalidate by version, not by time.";

/** Three agents: an answer voids a vote, another vote comes too late, and in the end two of three agree. */
export function voidedVotes(): SampleRun {
  const run = sampleRun(["ada", "bob", "cleo"]);
  run.at(41.8).call("ada", 41).spend("ada", 1_210, 640, 0.0031).tool("ada", "mcp__files__read_file").answer("ada", WRITE_THROUGH);
  run.at(57.2).call("bob", 56).spend("bob", 1_210, 810, 0.0142).answer("bob", WRITE_BACK);
  run.at(63).tool("cleo", "mcp__files__read_file", false);
  run.at(70.4).call("cleo", 69).spend("cleo", 1_215, 700, 0.0009).answer("cleo", `${WRITE_THROUGH} Or so.`);
  run.at(83).call("ada", 12).spend("ada", 3_350, 90, 0.0044).vote("ada", "agent2", "Names the risk of a crash");
  run.at(84).say({
    type: "nothing_offered",
    agent: "bob",
    round: 1,
    code: "no_tool_calls",
    tool: null,
    detail: "the response ends without calling a tool",
    text: "I think…",
  });
  run.at(92.5).call("cleo", 22).spend("cleo", 3_350, 760, 0.0016).answer("cleo", BOTH);
  run.at(96).call("bob", 25).spend("bob", 3_350, 120, 0.0104).vote("bob", "agent1", "Simplest to run");
  run.at(104).call("bob", 8).spend("bob", 4_300, 70, 0.0122).vote("bob", "agent3", "Covers invalidation,\nwhich both others omit");
  run.at(109.3).call("ada", 16).spend("ada", 4_300, 80, 0.0052).vote("ada", "Agent 3", "Joins both and says when to use which");
  run.at(112).call("cleo", 19).spend("cleo", 4_300, 60, 0.0011).vote("cleo", "agent2", "Mine leans on its point about crashes");
  run.at(131.3).call("cleo", 19).spend("cleo", 4_600, 900, 0.0021);
  return run.present(`# Two caching strategies\n\n${BOTH}\n\nIn short: measure, then choose.`);
}

/** Two agents that both like their own answer best. */
export function tie(): SampleRun {
  const run = sampleRun(["ada", "bob"]);
  run.at(10).spend("ada", 900, 200, 0.002).answer("ada", "Use LRU.");
  run.at(12).spend("bob", 900, 210, null).answer("bob", "Use LFU.");
  run.at(20).vote("ada", "agent1", "Simpler");
  run.at(22).vote("bob", "agent2", "");
  return run.at(30).say({ type: "presentation_failed", agent: "ada", why: "error", partial: "Use L" });
}

/** One agent fails for good, one fails twice, the third carries the run alone. */
export function failures(): SampleRun {
  const run = sampleRun(["ada", "bob", "cleo"]);
  run.at(0.4).call("ada", 0.3, { ok: false, message: "401" });
  run.fail("ada", "backend_fatal", 'Backend "openai" refused the key (status 401): Incorrect API key provided.');
  run.at(3).fail("bob", "backend_transient", 'Backend "claude" answered with status 500 four times.');
  run.at(7).fail("bob", "backend_transient", 'Backend "claude" answered with status 500 four times.', "I would");
  run.at(15).spend("cleo", 800, 300, 0.001).answer("cleo", "Use LRU, and measure.");
  run.at(21).spend("cleo", 1_100, 40, 0.0006).vote("cleo", "agent3", "It is complete");
  return run.at(33).spend("cleo", 1_300, 320, 0.0012).present("Use LRU, and measure before you tune.");
}

/** The user leaves while one of two has answered. */
export function cancelled(): SampleRun {
  const run = sampleRun(["ada", "bob"]);
  run.at(9).spend("ada", 700, 220, 0.001).answer("ada", "Use LRU.");
  return run.at(14).say({ type: "cancel_requested", reason: "SIGINT", texts: { bob: "I would say LF" } });
}

/** The user leaves after the decision, while the winner presents. */
export function cancelledInPresentation(): SampleRun {
  const run = sampleRun(["ada", "bob"]);
  run.at(9).answer("ada", "Use LRU.").at(10).answer("bob", "Use LFU.");
  run.at(15).vote("ada", "agent2", "Better hit rate").at(16).vote("bob", "agent2", "Better hit rate");
  return run.at(20).say({ type: "cancel_requested", reason: "SIGTERM", texts: { bob: "In the e" } });
}

/** Nobody has answered when the user leaves. */
export function cancelledEarly(): SampleRun {
  return sampleRun(["ada", "bob"]).at(2).say({ type: "cancel_requested", reason: "SIGINT", texts: {} });
}

/** Time is up after an answer that voided the only vote: the vote of the older epoch decides. */
export function timeout(): SampleRun {
  const run = sampleRun(["ada", "bob"], {
    policy: {
      limits: { orchestratorMs: 60_000, initialRoundMs: null, subsequentRoundMs: null, roundGraceMs: 120_000, presentationMs: 600_000 },
    },
  });
  run.at(9).answer("ada", "Use LRU.").at(10).answer("bob", "Use LFU.");
  run.at(15).vote("ada", "agent2", "Better hit rate");
  run.at(40).answer("bob", "Use LFU with ageing.");
  return run.at(60).say({ type: "timer_fired", timer: "timer:orchestrator:orchestrator", texts: { ada: "Hm" } });
}

/** One agent, one conversation. */
export function single(): SampleRun {
  return sampleRun(["ada"], { mode: "single" }).at(8).spend("ada", 500, 300, 0.001).answer("ada", "Use LRU.");
}

/** Nobody submitted anything; the last words of one of them are kept. */
export function salvaged(): SampleRun {
  const run = sampleRun(["ada", "bob"]);
  run.at(5).fail("ada", "backend_fatal", "no such model");
  return run.at(9).fail("bob", "protocol", "three responses without a tool call", "Use LRU, I think.");
}

/** Nobody said anything at all. */
export function nothing(): SampleRun {
  return sampleRun(["ada", "bob"]).at(1).fail("ada", "backend_fatal", "401").at(2).fail("bob", "backend_fatal", "401");
}

/** `count` agents, all of whom vote for the first; names and texts in several scripts. */
export function team(count: number): SampleRun {
  const names = ["agent_a", "研究者", "оля", "محمد", "日本", "zoë", "😀 smiley", "agent_h", "agent_i", "agent_j"];
  const ids = Array.from({ length: count }, (_, place) => names[place % names.length]!);
  const run = sampleRun(ids, { question: "缓存策略比较 👩‍💻: which one?\nWith examples." });
  for (const [place, id] of ids.entries())
    run.at(5 + place).answer(id, place % 2 === 0 ? `策略 ${place}: 写穿透，读取快，简单可靠，适合大多数场景` : `Strategy ${place} 🚀`);
  for (const [place, id] of ids.entries())
    run.at(30 + place).vote(id, "agent1", place % 2 === 0 ? "最完整的答案，覆盖失效问题" : "The most complete one");
  return run.at(60).present("最终答案");
}

export const sampleRuns = {
  voidedVotes,
  tie,
  failures,
  cancelled,
  cancelledInPresentation,
  cancelledEarly,
  timeout,
  single,
  salvaged,
  nothing,
} as const;
