import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cardsFor, frozenRun, RUNS, until } from "./frozen-logs.js";
import { eventually, feed, filesIn, jsonIn, openLog, playRun, textIn } from "./play-run.js";

describe("files made of the facts", () => {
  const golden = [
    "coordination_events.json",
    "coordination_table.txt",
    "decision.json",
    "decision.md",
    "vote.json",
    "snapshot_mappings.json",
    "agent_outputs/system_status.txt",
    "massgen.log",
  ];
  it.each(golden)("%s of the sample run", async (path) => {
    const { log } = await playRun(frozenRun("voidedVotes"));
    await expect(await textIn(log.root, path)).toMatchFileSnapshot(`golden/voidedVotes/${path}`);
  });

  it("the last status says that all files are there", async () => {
    for (const name of RUNS) {
      const { log } = await playRun(frozenRun(name));
      const status = await jsonIn(log.root, "status.json");
      expect([name, status.is_complete, status.coordination.completion_percentage, status.coordination.active_agents]).toEqual([
        name,
        true,
        100,
        [],
      ]);
      expect(status.finish_reason).not.toBe("in_progress");
    }
  });

  it("names both failed agents in the status of a run that one agent carried", async () => {
    const { log } = await playRun(frozenRun("failures"));
    const { agents, results, finish_reason } = await jsonIn(log.root, "status.json");
    expect([finish_reason, results.winner, agents.ada.error.type, agents.bob.error.type]).toEqual([
      "completed",
      "cleo",
      "backend_fatal",
      "backend_transient",
    ]);
  });

  it("EC63: a cancelled run keeps what every agent had", async () => {
    const { log, finished } = await playRun(frozenRun("cancelled"));
    expect(await jsonIn(log.root, "partial_answers.json")).toEqual({
      status: "incomplete",
      phase: "coordinating",
      selected_agent: null,
      voting_complete: false,
      answers: {
        ada: { answer: "Use LRU.", label: "agent1.1", has_voted: false, votes: {}, answer_count: 1 },
        bob: { answer: null, label: null, has_voted: false, votes: {}, answer_count: 0 },
      },
    });
    expect(await jsonIn(log.root, "status.json")).toMatchObject({ finish_reason: "cancelled", is_complete: true });
    expect(finished.finalAnswerPath).toBeNull();
  });

  it("EC63: a run that is cancelled before any answer leaves metadata only", async () => {
    const { log } = await playRun(frozenRun("cancelledEarly"));
    const files = await filesIn(log.root);
    expect(files.filter((file) => /partial_answers|answer\.txt|final\//.test(file))).toEqual([]);
    expect(parse(await textIn(log.root, "execution_metadata.yaml"))).toMatchObject({ finish_reason: "cancelled", exit_code: 4 });
  });

  it("a run that is cancelled after the decision has its stored answer as the final one", async () => {
    const { log, finished } = await playRun(frozenRun("cancelledInPresentation"));
    expect(await readFile(finished.finalAnswerPath!, "utf8")).toBe("Use LFU.");
    expect(await textIn(log.root, "final/bob/presentation_partial.txt")).toBe("In the e");
    expect((await jsonIn(log.root, "partial_answers.json")).voting_complete).toBe(true);
  });

  it("EC54: what a broken presentation had streamed is kept beside the stored answer", async () => {
    const { log, finished } = await playRun(frozenRun("tie"));
    expect(await readFile(finished.finalAnswerPath!, "utf8")).toBe("Use LRU.");
    expect(await textIn(log.root, "final/ada/presentation_partial.txt")).toBe("Use L");
    expect(await textIn(log.root, "agent_outputs/final_presentation_ada.txt")).toMatch(/\n\nUse LRU\.$/);
  });

  it("a run that could not say how it ended is told so from outside", async () => {
    const run = until(frozenRun("tie"), (record) => record.type === "answer_submitted");
    const { log } = await playRun(run, {}, { status: "error", message: "Run r is stuck after fact 9." });
    expect(await jsonIn(log.root, "status.json")).toMatchObject({
      finish_reason: "error",
      finish_reason_details: "Run r is stuck after fact 9.",
      is_complete: true,
    });
    expect(parse(await textIn(log.root, "execution_metadata.yaml"))).toMatchObject({ finish_reason: "error", exit_code: 2 });
    expect(await textIn(log.root, "massgen.log")).toContain("| ERROR | coordination | - | Ended: error: Run r is stuck after fact 9.");
  });

  it("finishing twice is finishing once", async () => {
    const { log } = await openLog(cardsFor("ada"));
    expect(log.finish()).toBe(log.finish());
    await log.finish();
  });

  it("EC34: the status loses the votes that a new answer voided", async () => {
    const { log, clock } = await openLog(cardsFor("ada", "bob", "cleo"));
    const records = frozenRun("voidedVotes");
    const voided = records.findIndex((record) => record.type === "vote_invalidated");
    await feed(log, records.slice(0, records.findIndex((record) => record.type === "vote_cast") + 1));
    await clock.advance(2_000);
    expect(
      (
        await eventually(
          () => jsonIn(log.root, "status.json"),
          (status) => status.results.votes["agent2.1"] === 1,
        )
      ).agents.ada.status,
    ).toBe("voted");
    const rest = records.slice(records.findIndex((record) => record.type === "vote_cast") + 1);
    await feed(log, rest.slice(0, rest.findIndex((record) => record.seq > records[voided]!.seq && record.closes) + 1));
    await clock.advance(2_000);
    const status = await eventually(
      () => jsonIn(log.root, "status.json"),
      (now) => Object.keys(now.results.votes).length === 0,
    );
    expect(status.agents.ada.vote_cast).toBeNull();
    await log.finish();
  });

  it("the status is written anew while nothing happens, so that readers see the run live", async () => {
    const { log, clock } = await openLog(cardsFor("ada"));
    const first = (await jsonIn(log.root, "status.json")).meta.last_updated;
    await clock.advance(2_500);
    const status = await eventually(
      () => jsonIn(log.root, "status.json"),
      (now) => now.meta.last_updated > first,
    );
    expect(status.meta.last_updated - first).toBeLessThanOrEqual(2.5);
    await log.finish();
    expect(clock.sleepers()).toEqual([]);
  });
});

describe("metadata", () => {
  it("has the configuration as it was loaded, without its secrets", async () => {
    const config = {
      agents: [{ id: "ada", backend: { type: "openai", api_key: "k-SECRET-0123456789", model: "m" } }],
      orchestrator: { max_rounds: 2 },
    };
    const { log } = await playRun(frozenRun("single"), {
      config,
      configPath: "team.yaml",
      cliArgs: { config: "team.yaml", automation: true },
    });
    expect(parse(await textIn(log.root, "execution_metadata.yaml"))).toMatchObject({
      query: "Compare two caching strategies",
      timestamp: "2026-01-02T10:15:29.860+01:00",
      config_path: "team.yaml",
      config: { agents: [{ id: "ada", backend: { type: "openai", api_key: "[REDACTED]", model: "m" } }], orchestrator: { max_rounds: 2 } },
      cli_args: { config: "team.yaml", automation: true },
      massgen_version: "0.1.0",
      run_id: "20260102_101529_k7q2mz",
      agent_mapping: { agent1: "ada" },
      finish_reason: "completed",
      exit_code: 0,
    });
  });
});
