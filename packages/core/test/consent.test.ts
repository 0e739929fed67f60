import type { ActivityFact, Approval, HumanBroker, HumanRequest } from "@massgen/contracts";
import { runVirtual, testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { type ConsentQuestion, createConsent } from "../src/tools/consent.js";

const push: ConsentQuestion = {
  agent: "ada",
  tool: "execute_command",
  input: { command: "git push" },
  rule: "command:git-push",
  why: '"git push" sends commits to a server.',
};

/** Asks one after another; gives the answers, what the person was asked, and the record. */
async function ask(questions: readonly ConsentQuestion[], human: HumanBroker | null, signal = new AbortController().signal) {
  const ambient = testAmbient();
  const facts: ActivityFact[] = [];
  const consent = createConsent(human, ambient);
  const answers: (string | null)[] = [];
  const all = async (): Promise<void> => {
    for (const question of questions) answers.push(await consent.ask(question, { signal, report: (fact) => facts.push(fact) }));
  };
  await runVirtual(ambient.clock, all());
  return { answers, facts, tookMs: ambient.clock.monotonic() };
}

function person(...replies: readonly Approval[]): HumanBroker & { readonly asked: HumanRequest[] } {
  const asked: HumanRequest[] = [];
  return {
    asked,
    ask: (request) => {
      asked.push(request);
      return Promise.resolve(replies[asked.length - 1] ?? "deny");
    },
  };
}

describe("consent", () => {
  it("is a person's, asked with the whole call and put on record", async () => {
    const human = person("allow_once", "deny");
    const { answers, facts } = await ask([push, push], human);
    expect(answers).toEqual([null, "a person refused"]);
    expect(human.asked[0]).toMatchObject({
      kind: "tool_approval",
      agent: "ada",
      prompt: 'execute_command {"command":"git push"}: "git push" sends commits to a server. (command:git-push)',
    });
    expect(facts.map(({ type }) => type)).toEqual(["request_opened", "request_closed", "request_opened", "request_closed"]);
    expect(facts[1]).toMatchObject({ requestId: human.asked[0]?.id, by: "person", reply: "allow_once" });
  });

  it("for the run covers the same rule, tool and agent, and nothing else", async () => {
    const human = person("allow_run", "deny", "deny");
    const { answers } = await ask([push, push, { ...push, agent: "bob" }, { ...push, rule: "hook guard.mjs" }], human);
    expect(answers).toEqual([null, null, "a person refused", "a person refused"]);
    expect(human.asked).toHaveLength(3);
  });

  it.each<[string, HumanBroker | null, string]>([
    ["there is nobody", null, "nobody is there to be asked"],
    ["the broker fails", { ask: () => Promise.reject(new Error("no terminal")) }, "nobody is there to be asked"],
    ["the answer is none", { ask: () => Promise.resolve("yes" as Approval) }, "a person refused"],
    ["no answer comes", { ask: () => new Promise(() => {}) }, "nobody answered within 120 s"],
  ])("is not there where %s", async (_what, human, text) => {
    expect((await ask([push], human)).answers).toEqual([text]);
  });

  it("is not waited for beyond the round", async () => {
    const round = new AbortController();
    const human: HumanBroker = {
      ask: () => {
        round.abort();
        return new Promise(() => {});
      },
    };
    const { answers, facts, tookMs } = await ask([push], human, round.signal);
    expect({ answers, tookMs }).toEqual({ answers: ["nobody is there to be asked"], tookMs: 0 });
    expect(facts.at(-1)).toMatchObject({ type: "request_closed", by: "policy", reply: "deny" });
  });

  it("is not to be had by asking for ever: after ten questions in a minute the rest is refused", async () => {
    const human = person(...Array.from({ length: 20 }, () => "allow_once" as const));
    const { answers } = await ask(
      Array.from({ length: 12 }, () => push),
      human,
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(10);
    expect(answers.at(-1)).toBe("more than 10 questions were asked within a minute");
  });

  it("counts what it cannot show", async () => {
    const human = person("deny");
    await ask([{ ...push, input: { command: `git push ${"x".repeat(5000)}` } }], human);
    expect(human.asked[0]?.prompt).toMatch(/ … and 3\d{3} characters more: /);
  });
});
