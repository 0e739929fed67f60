import { appendFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CoordinationEvent, Recorded } from "@massgen/contracts";
import { emptyRunView, foldRecord } from "@massgen/views";
import { describe, expect, it } from "vitest";
import { type FinishedLog, type RunLog, readRunLog, readRunMetadata, reopenRunLog } from "../src/index.js";
import { cardsIn, RUN, START, zone } from "./frozen-logs.js";
import { eventually, feed, filesIn, jsonIn, openLog, textIn } from "./play-run.js";

const cards = ["ada", "bob"].map((id, index) => ({ id, anon: `agent${index + 1}`, backend: "openai", model: "m" }) as const);

const answered = (agent: string, label: string, content: string): CoordinationEvent => ({
  type: "answer_submitted",
  agent,
  round: 0,
  label: label as `agent1.${number}`,
  content,
  fingerprint: content,
  supersedes: null,
  salvaged: false,
  snapshot: null,
  maxSimilarity: null,
  verification: null,
});

/** One attempt from its first round to its presented answer. */
const attempt = (name: string): readonly (readonly CoordinationEvent[])[] => [
  [{ type: "round_started", agent: "ada", round: 0, kind: "initial", shown: [], tools: ["new_answer"] }],
  [answered("ada", "agent1.1", `${name} answer`)],
  [
    {
      type: "winner_selected",
      winner: "ada",
      label: "agent1.1",
      tally: [],
      consensus: "none",
      selection: "latest_answer",
      isTie: false,
      tieBrokenBy: null,
      tieBreakTrace: [],
      excluded: [],
    },
    { type: "phase_changed", from: "coordinating", to: "presenting" },
    { type: "presentation_started", agent: "ada", label: "agent1.1", round: 1, strategy: "winner_present" },
  ],
];
const presented = (content: string): CoordinationEvent => ({
  type: "presentation_finished",
  agent: "ada",
  content,
  snapshot: null,
  fallback: null,
  partial: "",
});
const end = (status: "completed" | "partial"): readonly CoordinationEvent[] => [
  { type: "phase_changed", from: "presenting", to: "finished" },
  { type: "run_finished", status, winner: "ada", message: null },
];

const firstAttempt: readonly (readonly CoordinationEvent[])[] = [
  [
    { type: "run_started", question: "q", agents: cards, seed: 1, mode: "voting" },
    { type: "phase_changed", from: "idle", to: "preparing" },
    { type: "phase_changed", from: "preparing", to: "coordinating" },
  ],
  ...attempt("first"),
  [
    presented("first result"),
    { type: "phase_changed", from: "presenting", to: "evaluating" },
    { type: "post_evaluation_started", agent: "ada", round: 2 },
  ],
];
const restart: readonly CoordinationEvent[] = [
  {
    type: "post_evaluation_finished",
    agent: "ada",
    verdict: "restart",
    reason: "thin",
    instructions: "more",
    autoSubmitted: false,
    note: null,
  },
  { type: "attempt_restarted", attempt: 2, maxAttempts: 2, reason: "thin", instructions: "more" },
  { type: "phase_changed", from: "evaluating", to: "coordinating" },
];
const secondAttempt = [...attempt("second"), [presented("second result"), ...end("completed")]];
const failedAttempt: readonly (readonly CoordinationEvent[])[] = [
  [{ type: "earlier_attempt_used", attempt: 1, agent: "ada", label: "agent1.1" }, ...end("partial")],
];

function recorded(decisions: readonly (readonly CoordinationEvent[])[]): readonly Recorded[] {
  let seq = 0;
  return decisions.flatMap((facts, decision) =>
    facts.map((fact, place): Recorded => {
      seq += 1;
      return { ...fact, seq, at: START + seq * 1_000, runId: RUN, decision: decision + 1, closes: place === facts.length - 1 };
    }),
  );
}

async function play(decisions: readonly (readonly CoordinationEvent[])[]): Promise<{
  readonly log: RunLog;
  readonly finished: FinishedLog;
}> {
  const records = recorded(decisions);
  const { log } = await openLog(cardsIn(records), { maxAttempts: 2, question: "q" });
  await feed(log, records);
  return { log, finished: await log.finish() };
}

describe("a run that may start over", () => {
  it("EC58: keeps each attempt in a folder of its own, and beside them what counts", async () => {
    const { log, finished } = await play([...firstAttempt, restart, ...secondAttempt]);
    const files = await filesIn(log.root);
    const top = new Set(files.map((file) => file.split("/", 1)[0]));
    expect([...top].sort()).toEqual(["attempt_1", "attempt_2", "final", "index.json", "status.json"]);
    for (const name of ["attempt_1", "attempt_2"])
      for (const file of [
        "events.jsonl",
        "status.json",
        "decision.json",
        "coordination_table.txt",
        "execution_metadata.yaml",
        "final/ada/answer.txt",
      ])
        expect(files).toContain(`${name}/${file}`);
    expect(await textIn(log.root, "attempt_1/final/ada/answer.txt")).toBe("first result");
    expect(await textIn(log.root, "final/ada/answer.txt")).toBe("second result");
    expect(finished.finalAnswerPath).toBe(join(log.root, "final", "ada", "answer.txt"));
    expect(finished.leaf).toBe(join(log.root, "attempt_2"));
    expect(finished.answerPaths.get("agent1.1")).toContain(join("attempt_2", "ada"));
    expect(await jsonIn(log.root, "index.json")).toEqual({
      version: 1,
      run_ids: [RUN],
      turns: [
        {
          turn: 1,
          attempts: [
            { attempt: 1, dir: "attempt_1", finish_reason: "completed" },
            { attempt: 2, dir: "attempt_2", finish_reason: "completed" },
          ],
          accepted_attempt: 2,
          winner: "ada",
        },
      ],
    });
    expect(await textIn(log.root, "attempt_2/execution_metadata.yaml")).toContain("attempt: 2\nmax_attempts: 2\n");
  });

  it("each status is of its attempt, and that of the run is the newest one's", async () => {
    const { log } = await play([...firstAttempt, restart, ...secondAttempt]);
    const [first, second, whole] = await Promise.all(
      ["attempt_1", "attempt_2", "."].map((folder) => jsonIn(log.root, `${folder}/status.json`)),
    );
    expect(first).toMatchObject({ finish_reason: "completed", is_complete: true, meta: { attempt: 1, max_attempts: 2 } });
    expect(first.results).toMatchObject({ winner: "ada", final_answer_preview: "first result" });
    expect(first.finish_reason_details).toContain("sent back to work: thin");
    expect(whole).toEqual(second);
    expect(second).toMatchObject({ is_complete: true, meta: { attempt: 2 }, coordination: { completion_percentage: 100 } });
    expect(second.meta.log_dir).toBe(join(log.root, "attempt_2"));
  });

  it("numbers go on from one file to the next, and a decision is never in two files", async () => {
    const decisions = [...firstAttempt, restart, ...secondAttempt];
    const { log } = await play(decisions);
    const seqs = await Promise.all(
      ["attempt_1", "attempt_2"].map(async (folder) =>
        (await textIn(log.root, `${folder}/events.jsonl`))
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      ),
    );
    const [one, two] = seqs;
    expect(two![0]).toMatchObject({ seq: one!.at(-1).seq + 1, event_type: "post_evaluation" });
    expect(two![1]).toMatchObject({ event_type: "attempt_restart", context: { attempt: 2, max_attempts: 2, reason: "thin" } });
    expect(two!.find((line) => line.event_type === "new_answer")).toMatchObject({ context: { label: "agent1.1", epoch: 1 } });
    expect(await readRunLog(log.root)).toEqual(recorded(decisions));
    expect(await readRunLog(join(log.root, "attempt_2"))).toEqual(recorded(decisions));
    expect((await readRunLog(join(log.root, "attempt_1"))).at(-1)?.seq).toBe(one!.at(-1).seq);
    const events = await jsonIn(log.root, "attempt_2/coordination_events.json");
    expect(events.session_metadata).toMatchObject({ attempt: 2, agent_ids: ["ada", "bob"] });
    expect(events.events[0]).toMatchObject({ event_type: "attempt_restart" });
    expect(await textIn(log.root, "attempt_2/coordination_table.txt")).toContain("ATTEMPT 2 OF 2 BEGINS");
  });

  it("EC59: when the last attempt came to nothing, what counts is the earlier one's", async () => {
    const { log, finished } = await play([...firstAttempt, restart, ...failedAttempt]);
    expect(await textIn(log.root, "final/ada/answer.txt")).toBe("first result");
    expect((await jsonIn(log.root, "index.json")).turns[0]).toMatchObject({ accepted_attempt: 1, winner: "ada" });
    expect(finished.leaf).toBe(join(log.root, "attempt_1"));
    expect(await jsonIn(log.root, "status.json")).toMatchObject({
      finish_reason: "error",
      meta: { attempt: 2 },
      results: { winner: "ada", final_answer_preview: "first result" },
    });
  });

  it("while it works the status of the run is there, and says which attempt it is", async () => {
    const { log } = await openLog(cards, { maxAttempts: 2, question: "q" });
    expect(await jsonIn(log.root, "status.json")).toMatchObject({ finish_reason: "in_progress", meta: { attempt: 1, max_attempts: 2 } });
    await feed(log, recorded([...firstAttempt, restart]));
    const status = await eventually(
      () => jsonIn(log.root, "status.json"),
      ({ meta }) => meta.attempt === 2,
    );
    expect(status).toMatchObject({ is_complete: false, coordination: { completion_percentage: 0 } });
    expect(log.leaf).toBe(join(log.root, "attempt_2"));
    await log.finish({ status: "cancelled" });
  });

  it("EC65: goes on after a crash in any attempt, and after one that tore the beginning of an attempt", async () => {
    const decisions = [...firstAttempt, restart, ...secondAttempt];
    for (const kept of [2, firstAttempt.length, firstAttempt.length + 1, firstAttempt.length + 2]) {
      const before = recorded(decisions.slice(0, kept));
      const opened = await openLog(cards, { maxAttempts: 2, question: "q" });
      await feed(opened.log, before);
      await opened.log.finish();
      if (kept === firstAttempt.length) {
        const torn = (await textIn(opened.log.root, "attempt_1/events.jsonl")).slice(0, 40);

        await mkdir(join(opened.log.root, "attempt_2"), { recursive: true });
        await appendFile(join(opened.log.root, "attempt_2", "events.jsonl"), torn);
      }
      const metadata = await readRunMetadata(opened.log.root);
      expect(metadata.maxAttempts).toBe(2);
      const again = await reopenRunLog({ folder: opened.log.root, metadata, agents: cards, clock: opened.clock, zone });
      expect(again.view()).toEqual(before.reduce(foldRecord, emptyRunView));
      await feed(again, recorded(decisions).slice(before.length));
      await again.finish();
      expect(await readRunLog(again.root)).toEqual(recorded(decisions));
      expect(await textIn(again.root, "final/ada/answer.txt")).toBe("second result");
      expect(await textIn(again.root, "attempt_1/final/ada/answer.txt")).toBe("first result");
      expect((await readdir(again.root)).sort()).toEqual(["attempt_1", "attempt_2", "final", "index.json", "status.json"]);
    }
  });
});
