import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@massgen/client";
import type { Recorded, RunEvent } from "@massgen/contracts";
import { seededRandom } from "@massgen/core";
import { createSimulatedTeam } from "@massgen/simulator";
import { postgresMissing } from "@massgen/testing/node";
import { emptyRunView, foldRecord } from "@massgen/views";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Crowd, openCrowd } from "./crowd.js";

/** Fewer of them: `MASSGEN_TEST_RUNS=20 npx vitest run --project e2e apps/server`. */
const RUNS = Number(process.env["MASSGEN_TEST_RUNS"] ?? 200);
const TEAM = ["ada", "bob", "cleo"];

async function crowdOf(firstTokenMs: number, deadAfterSeconds: number): Promise<Crowd> {
  const models = TEAM.map((id) => `${id}-model`);
  const crowd = await openCrowd(TEAM, createSimulatedTeam({ models, pace: { firstTokenMs, tokensPerSecond: 0 } }), deadAfterSeconds, {
    // What is looked at here is the events.
    MASSGEN_WORKER_KEEPS_FILES: "0",
  });
  onTestFinished(() => crowd.close());
  return crowd;
}

const factsOf = async (events: AsyncIterable<RunEvent>): Promise<readonly Recorded[]> => {
  const facts: Recorded[] = [];
  for await (const event of events) if ("seq" in event) facts.push(event);
  return facts;
};
const oneTo = (last: number): readonly number[] => Array.from({ length: last }, (_, place) => place + 1);

describe.skipIf(postgresMissing !== null)(`massgen worker${postgresMissing === null ? "" : `: ${postgresMissing}`}`, () => {
  it(`ends each of ${RUNS} runs with one result while workers are killed, loses no answer and pays no finished round twice`, {
    timeout: 60_000 + RUNS * 1_500,
  }, async () => {
    const crowd = await crowdOf(250, 5);
    const [one, other] = (await Promise.all([crowd.serve(), crowd.serve()])).map((baseUrl) => createClient({ baseUrl }));
    const flags = ["--concurrency", "4"];
    const draw = seededRandom(RUNS);
    const workers = [crowd.worker(...flags), crowd.worker(...flags), crowd.worker(...flags)];
    const ids: string[] = [];
    for (const place of oneTo(RUNS)) ids.push((await one!.startRun({ question: `Question number ${place}, please?` })).id);
    // Through the server that did not take the runs in; the second watcher comes late and begins in the middle.
    const watching = Promise.all(ids.map((id) => factsOf(other!.watch(id))));
    const late = sleep(4_000).then(() => Promise.all(ids.map((id) => factsOf(one!.watch(id, { after: 5, factsOnly: true })))));

    let isOver = false;
    let killed = 0;
    const killing = (async () => {
      while (!isOver) {
        await Promise.race([sleep(2_000 + draw() * 2_000), watching]);
        if (isOver) return;
        const place = Math.floor(draw() * workers.length);
        const worker = workers[place]!;
        // One that has taken itself for dead on a stalled machine is started again, as a supervisor would.
        const isUp = await Promise.race([
          worker.says("takes up to").then(
            () => worker.child.exitCode === null,
            () => false,
          ),
          watching.then(() => false),
        ]);
        if (isOver) return;
        if (isUp) killed += 1;
        else process.stderr.write(`a worker left by itself: ${worker.told()}\n`);
        worker.child.kill("SIGKILL");
        workers[place] = crowd.worker(...flags);
      }
    })();
    const seen = await watching.finally(() => {
      isOver = true;
    });
    await killing;
    const seenLate = await late;

    const askedFor = new Map<string, number>();
    for (const { canonicalText } of crowd.simulator.requests) {
      const [question = ""] = /Question number \d+,/.exec(canonicalText) ?? [];
      askedFor.set(question, (askedFor.get(question) ?? 0) + 1);
    }

    let takenOver = 0;
    let paidTwice = 0;
    for (const [place, facts] of seen.entries()) {
      const id = ids[place]!;
      expect(facts.map(({ seq }) => seq)).toEqual(oneTo(facts.length));
      expect(seenLate[place]).toEqual(facts.slice(5));
      expect(facts.filter(({ type }) => type === "run_finished")).toEqual([facts.at(-1)]);
      const { state } = facts.reduce(foldRecord, emptyRunView);
      expect({ id, status: state.status }).toEqual({ id, status: "completed" });
      expect(await other!.run(id)).toMatchObject({ state: "completed", winner: state.decision?.winner });
      // An answer is accepted once, and what was accepted stays.
      const labels = facts.flatMap((fact) => (fact.type === "answer_submitted" ? [fact.label] : []));
      expect(new Set(labels).size).toBe(labels.length);
      expect(state.answers.map(({ label }) => label)).toEqual(expect.arrayContaining(labels));
      // A request that is not on record belongs to a round that was under way when its worker died.
      const resumed = facts.filter(({ type }) => type === "run_resumed").length;
      const onRecord = facts.filter(({ type }) => type === "llm_call").length / 2;
      const asked = askedFor.get(`Question number ${place + 1},`) ?? 0;
      expect(asked - Math.floor(onRecord)).toBeLessThanOrEqual((resumed + 1) * TEAM.length);
      if (resumed === 0) expect({ id, asked }).toEqual({ id, asked: onRecord });
      takenOver += resumed;
      paidTwice += Math.max(0, asked - onRecord);
    }
    process.stderr.write(`${RUNS} runs, ${killed} workers killed, ${takenOver} times gone on with, ${paidTwice} requests repeated\n`);
    expect(killed).toBeGreaterThan(0);
    expect(takenOver).toBeGreaterThan(0);
  });

  it("lets runs under way end before it leaves, and takes no new ones", { timeout: 60_000 }, async () => {
    const crowd = await crowdOf(300, 10);
    const client = createClient({ baseUrl: await crowd.serve() });
    const worker = crowd.worker("--concurrency", "1");
    const first = await client.startRun({ question: "First?" });
    const second = await client.startRun({ question: "Second?" });
    for await (const _ of client.watch(first.id)) break;
    worker.child.kill("SIGTERM");
    const [code] = await once(worker.child, "exit");
    expect({ code, told: worker.told() }).toEqual({ code: 0, told: expect.stringContaining("is stopping; 1 runs under way") });
    expect((await client.run(first.id)).state).toBe("completed");
    expect((await client.run(second.id)).state).toBe("queued");
    crowd.worker();
    expect((await factsOf(client.watch(second.id))).at(-1)).toMatchObject({ type: "run_finished", status: "completed" });
  });

  it("hears cancel and answer-now, refuses what is too much, and takes keys in turn", { timeout: 60_000 }, async () => {
    const crowd = await crowdOf(200, 10);
    const baseUrl = await crowd.serve("--max-waiting", "5", "--api-key", "first-key-of-two", "--api-key", "second-key-of-two");
    const [busy, modest] = ["first-key-of-two", "second-key-of-two"].map((apiKey) => createClient({ baseUrl, apiKey }));
    const many: string[] = [];
    for (const place of oneTo(4)) many.push((await busy!.startRun({ question: `Many ${place}?` })).id);
    const few = await modest!.startRun({ question: "Few?" });
    await expect(busy!.startRun({ question: "Too many?" })).rejects.toMatchObject({ status: 429, code: "too_many_runs" });
    expect(await busy!.cancel(many[0]!, "not needed")).toEqual({ took: true });
    crowd.worker("--concurrency", "1");
    expect((await factsOf(busy!.watch(many[0]!))).at(-1)).toMatchObject({ type: "run_finished", status: "cancelled" });
    for await (const event of busy!.watch(many[3]!)) {
      if (event.type !== "round_started") continue;
      expect(await busy!.answerNow(many[3]!, "in a hurry")).toEqual({ took: true });
      break;
    }
    const last = await factsOf(busy!.watch(many[3]!));
    expect(last.at(-1)).toMatchObject({ type: "run_finished", status: "completed" });
    const startOf = async (id: string): Promise<number> => (await busy!.run(id)).startedAtMs ?? 0;
    expect(await startOf(few.id)).toBeLessThan(await startOf(many[2]!));
    expect(await busy!.cancel(many[3]!)).toEqual({ took: false });
  });
});
