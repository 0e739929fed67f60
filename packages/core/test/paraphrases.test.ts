import type { TurnRequest } from "@massgen/contracts";
import { fail, newAnswer, type Turn, text, vote } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { readVerdicts, readWordings } from "../src/planning/read-wordings.js";
import { factsOf, runTeam, type Script, type TeamOptions, textOf } from "./support/run-team.js";

const isAsked = (request: TurnRequest): boolean => textOf(request).startsWith("Say a task in other words");
const compares = (request: TurnRequest): boolean => textOf(request).startsWith("Compare other wordings");

type Answering = Extract<Script, (...args: never) => unknown>;

/** Rewords when asked, answers once, votes for the first answer, presents. */
const member =
  (wordings: Turn): Answering =>
  (request) => {
    if (isAsked(request)) return wordings;
    if (request.toolChoice === "none") return text("the result");
    return textOf(request).includes("<current_answers>") ? vote("agent1", "good") : newAnswer(`answer ${textOf(request).length}`);
  };

const play = (ada: Turn, bob: Turn = text("{}"), options: TeamOptions = {}) =>
  runTeam({ ada: member(ada), bob: member(bob) }, { policy: { paraphrases: 3, paraphraseThreshold: null }, ...options });

describe("a team with other wordings of its question", () => {
  it("gives each agent its own, after the message itself and apart from it", async () => {
    const { facts, backends, outcome } = await play(
      text('{"wordings": ["Pick a policy </paraphrase> now", "Which eviction rule?"]}'),
      undefined,
      {
        agents: { ada: { instructions: "SECRET" } },
      },
    );
    const [asked] = backends["ada"]!.requests.filter(isAsked);
    expect(asked).toMatchObject({ tools: [], toolChoice: "none" });
    // Two agents need no third wording.
    expect(textOf(asked!)).toContain('{"wordings": ["…", "…"]}');
    expect(textOf(asked!)).not.toContain("SECRET");
    expect(backends["bob"]!.requests.some(isAsked)).toBe(false);
    const [adas, bobs] = ["ada", "bob"].map((id) => textOf(backends[id]!.requests.find((request) => !isAsked(request))!));
    expect(adas).toMatch(
      /<original_message>\nWhich cache policy fits\?\n<\/original_message>[\s\S]*<paraphrase>\nPick a policy [\s\S]* now\n<\/paraphrase>/,
    );
    expect(adas!.split("</paraphrase>")).toHaveLength(2);
    expect(bobs).toContain("<paraphrase>\nWhich eviction rule?\n</paraphrase>");
    expect(bobs).not.toContain("Pick a policy");
    expect(outcome.status).toBe("completed");
    expect(factsOf(facts, "run_started")).toMatchObject([{ question: "Which cache policy fits?" }]);
  });

  it("presents an answer to the message itself", async () => {
    const { backends } = await play(text('{"wordings": ["Which eviction rule?"]}'));
    const presenting = backends["ada"]!.requests.filter((request) => request.toolChoice === "none" && !isAsked(request));
    expect(presenting).toHaveLength(1);
    expect(textOf(presenting[0]!)).not.toContain("<paraphrase>");
  });

  it("asks the next one when a backend fails, and works with the message alone when nobody's reply can be read", async () => {
    const { facts, backends, outcome } = await play(fail("backend_fatal"), text("I would rather not."));
    expect(factsOf(facts, "paraphrasing_started").map(({ agent }) => agent)).toEqual(["ada", "bob"]);
    expect(factsOf(facts, "question_paraphrased")).toMatchObject([{ agent: null, failure: expect.stringContaining("could not be read") }]);
    expect(backends["bob"]!.requests.map(textOf).join("")).not.toContain("<paraphrase>");
    expect(outcome.finalAnswer).not.toBeNull();
  });
});

describe("a team that compares other wordings with its question", () => {
  const WORDINGS = '{"wordings": ["Pick a policy", "Write a cache"]}';
  const reword = member(text(WORDINGS));
  const compared = (verdict: Turn) =>
    runTeam(
      { ada: (request, index) => (compares(request) ? verdict : reword(request, index)), bob: member(text("{}")) },
      { policy: { paraphrases: 2, paraphraseThreshold: 0.85 } },
    );

  it("drops what asks for something else", async () => {
    const verdicts = '{"verdicts": [{"same": true, "confidence": 0.9}, {"same": false, "confidence": 0.9}]}';
    const { facts, backends } = await compared(text(verdicts));
    const [asked] = backends["ada"]!.requests.filter(compares);
    expect(asked).toMatchObject({ tools: [], toolChoice: "none" });
    expect(textOf(asked!)).toMatch(
      /<original_message>\nWhich cache policy fits\?[\s\S]*<paraphrase number="2">\nWrite a cache\n<\/paraphrase>/,
    );
    expect(factsOf(facts, "question_paraphrased")).toMatchObject([{ wordings: ["Pick a policy"], dropped: ["Write a cache"] }]);
    expect(backends["bob"]!.requests.map(textOf).join("")).not.toContain("Write a cache");
  });

  it("works with the message alone when the comparison cannot be read", async () => {
    const { facts, outcome } = await compared(text('{"verdicts": [{"same": true, "confidence": 0.9}]}'));
    expect(factsOf(facts, "question_paraphrased")).toMatchObject([{ agent: null, failure: expect.stringContaining("could not be read") }]);
    expect(outcome.finalAnswer).not.toBeNull();
  });

  it("asks the next one, from the beginning, when the backend fails at the comparison", async () => {
    const { facts } = await compared(fail("backend_fatal"));
    expect(factsOf(facts, "paraphrasing_started").map(({ agent }) => agent)).toEqual(["ada", "bob"]);
  });
});

describe("reading verdicts", () => {
  it.each([
    ['{"verdicts": [{"same": true, "confidence": 1}]}', [{ isSame: true, confidence: 1 }]],
    ['Well: {"verdicts": [{"same": false, "confidence": 0, "why": "x"}]}', [{ isSame: false, confidence: 0 }]],
  ])("%s", (reply, verdicts) => expect(readVerdicts(reply, 1)).toEqual(verdicts));

  it.each([
    '{"verdicts": []}',
    '{"verdicts": [{"same": "yes", "confidence": 1}]}',
    '{"verdicts": [{"same": true, "confidence": 90}]}',
    '{"verdicts": [{"same": true}]}',
    '{"verdicts": [null]}',
    "",
  ])("none: %s", (reply) => expect(readVerdicts(reply, 1)).toBeNull());
});

describe("reading wordings", () => {
  it.each([
    ['{"wordings": ["a", "b"]}', ["a", "b"]],
    ['Sure!\n```json\n{"wordings": ["a {x}"]}\n```', ["a {x}"]],
    ['{not} {"wordings": []} {"more": 1}', []],
  ])("%s", (reply, wordings) => expect(readWordings(reply)).toEqual(wordings));

  it.each(["", "a", '["a"]', '{"wordings": "a"}', '{"wordings": [1]}', "null"])("none: %s", (reply) =>
    expect(readWordings(reply)).toBeNull(),
  );
});
