import { describe, expect, it } from "vitest";
import { table } from "./play.js";

const TEAM = ["ada", "bob", "cyd"];
const words = (from: number, to: number): string => Array.from({ length: to - from }, (_, index) => `word${from + index}`).join(" ");

/** A team in which everybody has answered and evaluates. */
function evaluating(ids: readonly string[] = TEAM, change: Parameters<typeof table>[1] = {}) {
  const run = table(ids, change);
  for (const id of ids) run.answer(id, `by ${id}`);
  return run;
}
const won = (run: ReturnType<typeof table>) => run.of("winner_selected")[0];

describe("novelty", () => {
  // 14 of 20 words are shared: exactly 0.70. 15 of 20 or 71 of 100 are more.
  it.each([
    ["EC30: exactly 0.70 is new enough", "balanced", words(0, 17), words(3, 20), true],
    ["EC30: 0.71 is not", "balanced", words(0, 100), words(0, 71), false],
    ["strict allows 0.50", "strict", words(0, 15), words(5, 20), true],
    ["strict refuses more", "strict", words(0, 100), words(0, 51), false],
    ["lenient allows everything but the same text", "lenient", words(0, 100), words(0, 99), true],
    ["case, punctuation and width make no answer new", "balanced", "Use a Cache!", "use, a: ｃａｃｈｅ", false],
    ["two texts without words are alike", "balanced", "?!", "...", false],
    ["a text without words is unlike any other", "balanced", "use a cache", "...", true],
  ] as const)("%s", (_name, novelty, first, second, isAccepted) => {
    const run = table(["ada", "bob"], { novelty });
    run.answer("ada", first);
    expect(run.answer("bob", second)[0]).toMatchObject(
      isAccepted ? { type: "answer_submitted" } : { type: "answer_rejected", code: "answer_novelty" },
    );
  });

  it("EC31: Chinese is split into words: one changed character in a long text is refused, another text is not", () => {
    const long = "缓存策略应当根据读写比例来选择，写穿透适合读多写少的场景，写回适合写入频繁的场景，同时需要考虑失效与一致性问题";
    const run = table(["ada", "bob", "cyd"], { novelty: "balanced" });
    run.answer("ada", long);
    expect(run.answer("bob", long.replace("回", "入"))[0]).toMatchObject({ code: "answer_novelty" });
    expect(run.answer("bob", "数据库索引可以减少查询时间，但会增加存储空间和更新成本")[0]).toMatchObject({ type: "answer_submitted" });
  });

  it("says by how much, of the answer of whom, and the way out; the author's own answer counts too", () => {
    const run = table(["ada", "bob"], { novelty: "balanced" });
    run.answer("ada", words(0, 10));
    run.answer("bob", words(20, 30));
    expect(run.answer("bob", words(20, 29))).toMatchObject([
      { message: "it shares 90 % of its words with the answer of agent2, more than the 70 % allowed; bring something new or vote" },
    ]);
  });

  it("insisting three times is an abstention, and the answer it has stays a candidate", () => {
    const run = table(["ada", "bob"], { novelty: "balanced" });
    run.answer("ada", words(0, 10));
    run.answer("bob", words(20, 30));
    for (let attempt = 0; attempt < 3; attempt++) run.answer("bob", words(20, 29));
    expect(run.agent("bob").standing).toBe("abstained");
    run.vote("ada", "agent2");
    expect(won(run)?.winner).toBe("bob");
  });

  it("is kept with the answer when it is asked for, and not computed otherwise", () => {
    const compared = table(["ada", "bob"], { novelty: "balanced" });
    compared.answer("ada", words(0, 10));
    compared.answer("bob", words(5, 15));
    expect(compared.of("answer_submitted").map((fact) => fact.maxSimilarity)).toEqual([null, 1 / 3]);
    const plain = evaluating(["ada", "bob"]);
    expect(plain.of("answer_submitted").map((fact) => fact.maxSimilarity)).toEqual([null, null]);
  });
});

describe("the weight of a vote", () => {
  it("EC72: weighted by confidence, one sure vote beats two doubtful ones", () => {
    const run = evaluating(TEAM, { votingMethod: "weighted_by_confidence" });
    run.vote("ada", "agent1", 0.9);
    run.vote("bob", "agent2", 0.4);
    run.vote("cyd", "agent2", 0.4);
    expect(won(run)).toMatchObject({ winner: "ada", isTie: false, tally: [{ weight: 0.9 }, { weight: 0.8 }] });
  });

  it.each([
    ["EC73: a percentage", 85, 0.85, false, 0.85],
    ["EC73: none that could be read", null, 0.5, true, 0.5],
    ["no confidence at all still counts a little", 0, 0, false, 0.05],
    ["below zero", -3, 0, false, 0.05],
    ["beyond a percentage", 900, 1, false, 1],
    ["certainty", 1, 1, false, 1],
  ])("%s", (_name, given, confidence, confidenceDefaulted, weight) => {
    const run = evaluating(["ada", "bob"], { votingMethod: "weighted_by_confidence" });
    run.vote("ada", "agent2", given);
    expect(run.of("vote_cast")[0]).toMatchObject({ confidence, confidenceDefaulted, weight });
  });

  it("a stand-in for a confidence is none that was given, so that it breaks no tie", () => {
    const run = evaluating(["ada", "bob"], { votingMethod: "weighted_by_confidence", tieBreak: ["confidence", "latest_answer"] });
    run.vote("ada", "agent2", 0.5);
    run.vote("bob", "agent1");
    expect(won(run)).toMatchObject({ isTie: true, tieBrokenBy: "latest_answer" });
  });

  it("plurality counts heads, whatever confidence was given", () => {
    const run = evaluating(["ada", "bob"]);
    run.vote("ada", "agent2", 0.1);
    expect(run.of("vote_cast")[0]).toMatchObject({ confidence: 0.1, confidenceDefaulted: false, weight: 1 });
  });

  it("a vote for the voter's own answer weighs what selfVoteWeight says", () => {
    const run = evaluating(TEAM, { selfVoteWeight: 0.5 });
    run.vote("ada", "agent1");
    run.vote("bob", "agent3");
    run.vote("cyd", "agent3");
    expect(won(run)).toMatchObject({ winner: "cyd", tally: [{ weight: 1.5 }, { weight: 0.5 }] });
  });
});

describe("convergence", () => {
  it("EC70: two of three agree at 0.6 while the third still improves: the run ends, the third is stopped", () => {
    const run = evaluating(TEAM, { convergenceThreshold: 0.6 });
    run.vote("ada", "agent2");
    const facts = run.vote("bob", "agent2");
    expect(facts.map((fact) => fact.type)).toEqual([
      "vote_cast",
      "converged",
      "agent_cancelled",
      "winner_selected",
      "phase_changed",
      "presentation_started",
    ]);
    expect(facts[1]).toMatchObject({ by: "votes", label: "agent2.1", share: 2 / 3, threshold: 0.6 });
    expect(run.agent("cyd").standing).toBe("cancelled");
  });

  it("nobody is left out of its first round, however clear the votes are", () => {
    const run = table(TEAM, { convergenceThreshold: 0.6, deferVotingUntilAllAnswered: false });
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    expect(run.state.phase).toBe("coordinating");
  });

  it("a winner that is still improving on its answer presents all the same", () => {
    const run = evaluating(TEAM, { convergenceThreshold: 0.6 });
    run.vote("ada", "agent3");
    run.vote("bob", "agent3");
    expect(run.state).toMatchObject({ phase: "presenting", decision: { winner: "cyd" } });
    expect(run.of("agent_cancelled")).toEqual([]);
    expect(run.agent("cyd").standing).toBe("streaming");
  });

  it("ends without any vote when all answers say the same; the newest stands for them", () => {
    const run = table(["ada", "bob"], { convergenceThreshold: 0.9 });
    run.answer("ada", words(0, 100));
    const facts = run.answer("bob", `${words(0, 100)} more`);
    expect(facts.find((fact) => fact.type === "converged")).toMatchObject({ by: "similarity", label: "agent2.1", share: null });
    expect(won(run)).toMatchObject({ winner: "bob", selection: "latest_answer" });
  });

  it("EC71: votes 1:1:1 and two rounds each: exactly one debate; still 1:1:1, and the tie-break decides", () => {
    const run = evaluating(TEAM, { convergenceThreshold: 0.6, maxRounds: 2 });
    const split = () => TEAM.map((id, index) => run.vote(id, `agent${index + 1}`)).at(-1);
    const facts = split();
    expect(facts?.map((fact) => fact.type).slice(0, 2)).toEqual(["vote_cast", "debate_started"]);
    expect(facts?.[1]).toMatchObject({ debate: 1, of: 1, share: 1 / 3, voters: TEAM });
    expect(run.state.votes.filter((vote) => vote.ballot === run.state.ballot)).toEqual([]);
    for (const id of TEAM) expect(run.agent(id)).toMatchObject({ standing: "streaming", kind: "debate", vote: null, round: 2 });
    split();
    expect(run.of("debate_started")).toHaveLength(1);
    expect(run.of("convergence_missed")).toEqual([{ type: "convergence_missed", share: 1 / 3, threshold: 0.6, debates: 1 }]);
    expect(won(run)).toMatchObject({
      winner: "ada",
      isTie: true,
      consensus: "tie_broken",
      tally: [{ weight: 1 }, { weight: 1 }, { weight: 1 }],
    });
  });

  it("a debate may be won by an argument: who changes its mind is counted once", () => {
    const run = evaluating(TEAM, { convergenceThreshold: 0.6 });
    for (const [index, id] of TEAM.entries()) run.vote(id, `agent${index + 1}`);
    run.vote("bob", "agent1");
    run.vote("ada", "agent1");
    expect(run.of("converged")).toMatchObject([{ by: "votes", label: "agent1.1" }]);
    expect(won(run)).toMatchObject({ winner: "ada", tally: [{ label: "agent1.1", weight: 2 }] });
  });

  it("an answer in a debate ends it for the others as any other: they judge it", () => {
    const run = evaluating(TEAM, { convergenceThreshold: 0.6 });
    for (const [index, id] of TEAM.entries()) run.vote(id, `agent${index + 1}`);
    run.answer("ada", "better");
    expect(run.agent("ada")).toMatchObject({ standing: "streaming", kind: "evaluation" });
  });

  it("one round each leaves no room for a debate", () => {
    const run = evaluating(["ada", "bob"], { convergenceThreshold: 1, maxRounds: 1 });
    run.vote("ada", "agent1");
    run.vote("bob", "agent2");
    expect(run.of("debate_started")).toEqual([]);
    expect(run.of("convergence_missed")).toMatchObject([{ debates: 0 }]);
    expect(run.state.phase).toBe("presenting");
  });

  it("after the time limit of a debate the votes before it decide", () => {
    const run = evaluating(TEAM, { convergenceThreshold: 0.6 });
    for (const [index, id] of TEAM.entries()) run.vote(id, `agent${index + 1}`);
    run.timer("timer:orchestrator:orchestrator");
    expect(won(run)).toMatchObject({ selection: "previous_epoch", tally: [{ weight: 1 }, { weight: 1 }, { weight: 1 }] });
    expect(run.of("convergence_missed")).toEqual([]);
  });
});

describe("stagnation", () => {
  const nearly = (n: number): string => `${words(0, 60)} again${n}`;

  it("EC76: after two rounds of the same everybody starts afresh once, then may only vote, and the run ends", () => {
    const run = table(["ada", "bob"], { restartAfterStagnation: 2, fairnessLeadCap: null });
    let answers = 0;
    run.answer("ada", nearly(answers++));
    run.answer("bob", nearly(answers++));
    for (let step = 0; step < 40 && !run.state.answersClosed; step++)
      for (const id of ["ada", "bob"]) {
        run.delivered(id, ...run.state.answers.map((answer) => answer.label));
        if (run.agent(id).standing === "streaming" && !run.state.answersClosed) run.answer(id, nearly(answers++));
      }
    expect(run.of("stagnation_restart")).toHaveLength(1);
    expect(run.of("coordination_round_closed").map((fact) => fact.stagnantInARow)).toEqual([0, 1, 2, 1, 2]);
    expect(run.of("answers_closed")).toEqual([{ type: "answers_closed", because: "stagnation" }]);
    for (const id of ["ada", "bob"]) {
      run.delivered(id, ...run.state.answers.map((answer) => answer.label));
      expect(run.agent(id).tools).toEqual(["vote"]);
      run.vote(id, "agent1");
    }
    expect(run.state.phase).toBe("presenting");
  });

  it("a fresh start takes even agents out of their rounds, and begins rounds of its kind", () => {
    const run = table(["ada", "bob"], { restartAfterStagnation: 1, deferVotingUntilAllAnswered: false });
    run.answer("ada", nearly(1));
    run.answer("bob", nearly(2));
    const before = run.agent("ada").round;
    run.vote("ada", "agent2");
    const facts = run.answer("bob", nearly(3));
    expect(facts.map((fact) => fact.type)).toContain("stagnation_restart");
    expect(facts.find((fact) => fact.type === "stagnation_restart")).toMatchObject({ leading: "agent2.2", voters: [] });
    expect(run.agent("ada")).toMatchObject({ standing: "streaming", kind: "stagnation", round: before + 1 });
    expect(run.agent("bob")).toMatchObject({ standing: "streaming", kind: "stagnation" });
  });

  it("an answer unlike the others, or a share that grows, is no stagnation", () => {
    const run = table(TEAM, { restartAfterStagnation: 1, deferVotingUntilAllAnswered: false });
    for (const id of TEAM) run.answer(id, `entirely ${id} ${words(id.charCodeAt(0), id.charCodeAt(0) + 5)}`);
    for (const id of TEAM) run.delivered(id, ...run.state.answers.map((answer) => answer.label));
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    run.answer("cyd", words(300, 320));
    expect(run.of("coordination_round_closed").map((fact) => fact.stagnantInARow)).toEqual([0, 0]);
  });

  it("a round that brings nothing but agreement is none either", () => {
    const run = table(TEAM, { restartAfterStagnation: 1, deferVotingUntilAllAnswered: false });
    for (const id of TEAM) run.answer(id, nearly(id.charCodeAt(0)));
    const seen = () => TEAM.forEach((id) => void run.delivered(id, ...run.state.answers.map((answer) => answer.label)));
    seen();
    run.answer("cyd", nearly(4));
    seen();
    run.vote("ada", "agent3");
    run.vote("bob", "agent3");
    expect(run.of("coordination_round_closed")).toMatchObject([
      { stagnantInARow: 0, share: 0 },
      { stagnantInARow: 0, share: 2 / 3 },
    ]);
  });

  it("is not acted on where conversations are never restarted", () => {
    const run = table(["ada", "bob"], { restartAfterStagnation: 1, enableRestarts: false });
    run.answer("ada", nearly(1));
    run.answer("bob", nearly(2));
    run.vote("ada", "agent2");
    run.answer("bob", nearly(3));
    expect(run.of("coordination_round_closed")).toEqual([]);
    expect(run.of("restart_completed")).toEqual([]);
  });
});

describe("answer now", () => {
  const now = { type: "answer_now_requested", reason: "in a hurry" } as const;

  it("asks every running round to wrap up at once, and nothing more while a first answer is to come", () => {
    const run = table(TEAM);
    run.answer("ada", "a");
    expect(run.send(now)).toEqual([{ ...now, agents: ["bob", "cyd"] }]);
    expect(TEAM.map((id) => run.agent(id).softTimeout)).toEqual([false, true, true]);
    expect(run.send(now)).toEqual([]);
  });

  it("makes everybody vote only once all have an answer, also who is in the middle of a round", () => {
    const run = evaluating(TEAM);
    expect(run.send(now).map((fact) => fact.type)).toEqual(["answer_now_requested", "answers_closed"]);
    expect(run.answer("ada", "one more")).toMatchObject([{ code: "tool_unavailable" }]);
    for (const id of TEAM) run.vote(id, "agent1");
    expect(run.state).toMatchObject({ phase: "presenting", decision: { winner: "ada" } });
  });

  it("closes with the last first answer, and later rounds are for voting only", () => {
    const run = table(TEAM);
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.send(now);
    const facts = run.answer("cyd", "c");
    expect(facts.filter((fact) => fact.type === "answers_closed")).toEqual([{ type: "answers_closed", because: "answer_now" }]);
    for (const id of TEAM) expect(run.agent(id)).toMatchObject({ kind: "vote_only", tools: ["vote"] });
  });

  it("leaves no room for debates", () => {
    const run = evaluating(["ada", "bob"], { convergenceThreshold: 1 });
    run.send(now);
    run.vote("ada", "agent1");
    run.vote("bob", "agent2");
    expect(run.of("debate_started")).toEqual([]);
    expect(run.state.phase).toBe("presenting");
  });

  it("means nothing before and after coordination", () => {
    const run = evaluating(["ada", "bob"]);
    run.vote("ada", "agent1");
    run.vote("bob", "agent1");
    expect(run.send(now)).toEqual([]);
  });
});
