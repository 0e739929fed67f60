import type { Delta } from "@massgen/contracts";
import { type AgentState, type Effect, initialState, type RunState, type Signal } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { createMailbox } from "../src/coordinator/mailbox.js";
import { createCrew } from "../src/coordinator/reconcile.js";
import { createRunningTexts } from "../src/coordinator/running-texts.js";
import type { Work } from "../src/index.js";

const round = (number: number, unseen: readonly `agent${number}.${number}`[] = []): Effect => ({
  kind: "run_round",
  id: `round:${number}:ada`,
  agent: "ada",
  round: number,
  inputs: { unseen, tools: ["vote"], wrapUp: false, hardTimeout: false },
});
const timer = (sinceSeq: number): Effect => ({
  kind: "timer",
  id: "timer:soft:0:ada",
  limit: "soft",
  agent: "ada",
  sinceSeq,
  afterMs: 5,
  scaled: null,
  inputs: null,
});

/** A crew whose works wait until they are told to end. */
function crew() {
  const mailbox = createMailbox();
  const begun: Work[] = [];
  const timers: AbortSignal[] = [];
  const ended: string[] = [];
  const emitted: Delta[] = [];
  const ends: (() => void)[] = [];
  let roundSeq = 1;
  const state = (): RunState => ({ ...initialState, agents: { ada: { roundSeq } as AgentState } });
  const subject = createCrew({
    executor: {
      execute(work) {
        begun.push(work);
        return new Promise((resolve) => ends.push(resolve));
      },
    },
    mailbox,
    state,
    emit: (delta) => emitted.push(delta),
    timer(effect, signal): Promise<Signal> {
      timers.push(signal);
      return new Promise((resolve) => ends.push(() => resolve({ type: "timer_fired", timer: effect.id, texts: {} })));
    },
    ended: (effect) => ended.push(effect.id),
    isClosing: () => false,
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { subject, mailbox, begun, timers, ended, emitted, ends, settle, beginAnew: () => (roundSeq += 1) };
}

describe("running work and called-for work", () => {
  it("starts what is missing once, and hands changed inputs to what runs", () => {
    const { subject, begun } = crew();
    subject.reconcile([round(0)]);
    subject.reconcile([round(0, ["agent2.1"])]);
    expect(begun).toHaveLength(1);
    expect(begun[0]?.inputs()).toMatchObject({ unseen: ["agent2.1"] });
    expect(begun[0]?.signal.aborted).toBe(false);
  });

  it("ends what is no longer called for; its deltas are dropped", () => {
    const { subject, begun, ended, emitted } = crew();
    subject.reconcile([round(0)]);
    begun[0]?.emit({ type: "notice", level: "info", agent: "ada", message: "before" });
    subject.reconcile([]);
    begun[0]?.emit({ type: "notice", level: "info", agent: "ada", message: "after" });
    expect(begun[0]?.signal.aborted).toBe(true);
    expect(ended).toEqual(["round:0:ada"]);
    expect(emitted).toMatchObject([{ message: "before" }]);
    expect(subject.isBusy()).toBe(false);
  });

  it("begins a round anew when it was started again under the same number", () => {
    const { subject, begun, beginAnew } = crew();
    subject.reconcile([round(0)]);
    beginAnew();
    subject.reconcile([round(0)]);
    expect(begun.map((work) => work.signal.aborted)).toEqual([true, false]);
  });

  it("begins a timer anew when its schedule changed, and not otherwise", () => {
    const { subject, timers } = crew();
    subject.reconcile([timer(1)]);
    subject.reconcile([timer(1)]);
    subject.reconcile([timer(7)]);
    expect(timers.map((signal) => signal.aborted)).toEqual([true, false]);
  });

  it("a timer that fired, and work whose end was judged, are in flight no longer and are not started again", async () => {
    const { subject, mailbox, ends, settle, begun, timers } = crew();
    subject.reconcile([round(0), timer(1)]);
    expect(subject.isBusy()).toBe(true);
    for (const end of ends) end();
    await settle();
    expect(subject.isBusy()).toBe(true);
    const letters = [mailbox.take(), mailbox.take()];
    expect(letters.map((letter) => letter?.signal.type).toSorted()).toEqual(["round_failed", "timer_fired"]);
    for (const letter of letters) letter?.judged([]);
    subject.reconcile([round(0), timer(1)]);
    expect(subject.isBusy()).toBe(false);
    expect([begun.length, timers.length]).toEqual([1, 1]);
  });

  it("is settled when all work ever started has come to its end", async () => {
    const { subject, ends, settle } = crew();
    subject.reconcile([round(0)]);
    subject.abortAll();
    let isSettled = false;
    const settled = subject.settled().then(() => {
      isSettled = true;
    });
    await settle();
    expect(isSettled).toBe(false);
    ends[0]?.();
    await settled;
  });
});

describe("the texts of running responses", () => {
  it("begin anew with each response, and end with the work", () => {
    const texts = createRunningTexts();
    const say = (text: string): void => texts.collect({ type: "content_delta", agent: "ada", channel: "work", text });
    say("a");
    say("b");
    expect(texts.all()).toEqual({ ada: "ab" });
    texts.collect({ type: "content_discarded", agent: "ada", channel: "work", reason: "busy", waitMs: 1 });
    say("c");
    expect(texts.all()).toEqual({ ada: "c" });
    texts.collect({ type: "response_started", agent: "ada", channel: "work", round: 1 });
    expect(texts.all()).toEqual({ ada: "" });
    texts.forget("ada");
    expect(texts.all()).toEqual({});
  });
});
