import { readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recorded, RunEvent } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readRunLog } from "../src/index.js";
import { feed, filesIn, jsonIn, openLog, playRun } from "./play-run.js";
import { sampleRun } from "./sample-run.js";
import { sampleRuns, team } from "./sample-runs.js";
import { tempFolder } from "./temp-folder.js";
import { call, result, text, transcript } from "./transcripts.js";

const read = (folder: string, path: string): Promise<string> => readFile(join(folder, path), "utf8");

describe("the folder of a run", () => {
  it.each(Object.entries(sampleRuns))("has the documented files after the run %s", async (name, run) => {
    const { log, warnings } = await playRun(run());
    expect(warnings).toEqual([]);
    await expect(`${(await filesIn(log.root)).join("\n")}\n`).toMatchFileSnapshot(`golden/files-${name}.txt`);
  });

  it("has its first status and its metadata before anything happens", async () => {
    const { log, clock } = await openLog(["ada", "bob"]);
    expect(await jsonIn(log.root, "status.json")).toMatchObject({
      finish_reason: "in_progress",
      is_complete: false,
      meta: { question: "Compare two caching strategies", start_time: clock.now() / 1000 },
      agents: { ada: { status: "waiting" }, bob: { status: "waiting" } },
    });
    expect(parse(await read(log.root, "execution_metadata.yaml"))).toMatchObject({
      query: "Compare two caching strategies",
      seed: 421_337,
    });
    await log.finish();
  });

  it("stands below the working folder, named after the moment, and says where it is", async () => {
    const { folder, log, finished } = await playRun(sampleRuns.voidedVotes());
    expect(log.root).toBe(join(folder, ".massgen/massgen_logs/log_20260102_101529_860000"));
    expect([log.leaf, log.statusFile]).toEqual([log.root, join(log.root, "status.json")]);
    expect(finished.finalAnswerPath).toBe(join(log.root, "final/cleo/answer.txt"));
    expect([...finished.answerPaths.keys()]).toEqual(["agent1.1", "agent2.1", "agent3.1", "agent3.2"]);
    expect(await readFile(finished.answerPaths.get("agent3.2")!, "utf8")).toMatch(/^Write-through where/);
  });

  it("EC67: runs that start in the same moment get folders of their own", async () => {
    const cwd = await tempFolder();
    const logs = await Promise.all(Array.from({ length: 8 }, () => openLog(["ada"], { cwd })));
    expect(new Set(logs.map(({ log }) => log.root)).size).toBe(8);
    await Promise.all(logs.map(({ log }) => log.finish()));
  });

  it("folds back to what was watched", async () => {
    const { log } = await playRun(sampleRuns.voidedVotes());
    expect(await readRunLog(log.root)).toEqual(sampleRuns.voidedVotes().records);
  });

  it("EC47: carries a question of 100 kB with emoji, right-to-left text and line breaks unchanged", async () => {
    const question = `${"Compare 缓存 👩‍💻 مرحبا\n\t'quotes' \"too\": # - {}\r\n".repeat(2_000)}end  `;
    const run = sampleRun(["ada"], { question, mode: "single" }).at(1).answer("ada", "yes");
    const { log } = await playRun(run);
    const [first] = await readRunLog(log.root);
    expect(first).toMatchObject({ question });
    expect(parse(await read(log.root, "execution_metadata.yaml")).query).toBe(question);
    expect((await jsonIn(log.root, "status.json")).meta.question).toBe(question);
  });

  it("EC46: ids in any script are intact in JSON, and their folders are in the status", async () => {
    const { log } = await playRun(team(7));
    const { agents } = await jsonIn(log.root, "status.json");
    expect(Object.entries(agents).map(([id, agent]) => [id, (agent as { dir: string }).dir])).toEqual([
      ["agent_a", "agent_a"],
      ["研究者", "研究者"],
      ["оля", "оля"],
      ["محمد", "محمد"],
      ["日本", "日本"],
      ["zoë", "zoë"],
      ["😀 smiley", "😀_smiley"],
    ]);
    expect(Object.keys((await jsonIn(log.root, "vote.json")).votes)).toContain("😀 smiley");
  });
});

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
    const { log } = await playRun(sampleRuns.voidedVotes());
    await expect(await read(log.root, path)).toMatchFileSnapshot(`golden/voidedVotes/${path}`);
  });

  it("the last status says that all files are there", async () => {
    for (const [name, run] of Object.entries(sampleRuns)) {
      const { log } = await playRun(run());
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
    const { log } = await playRun(sampleRuns.failures());
    const { agents, results, finish_reason } = await jsonIn(log.root, "status.json");
    expect([finish_reason, results.winner, agents.ada.error.type, agents.bob.error.type]).toEqual([
      "completed",
      "cleo",
      "backend_fatal",
      "backend_transient",
    ]);
  });

  it("EC63: a cancelled run keeps what every agent had", async () => {
    const { log, finished } = await playRun(sampleRuns.cancelled());
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
    const { log } = await playRun(sampleRuns.cancelledEarly());
    const files = await filesIn(log.root);
    expect(files.filter((file) => /partial_answers|answer\.txt|final\//.test(file))).toEqual([]);
    expect(parse(await read(log.root, "execution_metadata.yaml"))).toMatchObject({ finish_reason: "cancelled", exit_code: 4 });
  });

  it("a run that is cancelled after the decision has its stored answer as the final one", async () => {
    const { log, finished } = await playRun(sampleRuns.cancelledInPresentation());
    expect(await readFile(finished.finalAnswerPath!, "utf8")).toBe("Use LFU.");
    expect(await read(log.root, "final/bob/presentation_partial.txt")).toBe("In the e");
    expect((await jsonIn(log.root, "partial_answers.json")).voting_complete).toBe(true);
  });

  it("EC54: what a broken presentation had streamed is kept beside the stored answer", async () => {
    const { log, finished } = await playRun(sampleRuns.tie());
    expect(await readFile(finished.finalAnswerPath!, "utf8")).toBe("Use LRU.");
    expect(await read(log.root, "final/ada/presentation_partial.txt")).toBe("Use L");
    expect(await read(log.root, "agent_outputs/final_presentation_ada.txt")).toMatch(/\n\nUse LRU\.$/);
  });

  it("a run that could not say how it ended is told so from outside", async () => {
    const run = sampleRun(["ada", "bob"]).at(3).answer("ada", "Use LRU.");
    const { log } = await playRun(run, {}, { status: "error", message: "Run r is stuck after fact 9." });
    expect(await jsonIn(log.root, "status.json")).toMatchObject({
      finish_reason: "error",
      finish_reason_details: "Run r is stuck after fact 9.",
      is_complete: true,
    });
    expect(parse(await read(log.root, "execution_metadata.yaml"))).toMatchObject({ finish_reason: "error", exit_code: 2 });
    expect(await read(log.root, "massgen.log")).toContain("| ERROR | coordination | - | Ended: error: Run r is stuck after fact 9.");
  });

  it("finishing twice is finishing once", async () => {
    const { log } = await openLog(["ada"]);
    expect(log.finish()).toBe(log.finish());
    await log.finish();
  });

  it("EC34: the status loses the votes that a new answer voided", async () => {
    const { log, clock } = await openLog(["ada", "bob", "cleo"]);
    const { records } = sampleRuns.voidedVotes();
    const voided = records.findIndex((record) => record.type === "vote_invalidated");
    await feed(log, records.slice(0, records.findIndex((record) => record.type === "vote_cast") + 1));
    await clock.advance(2_000);
    expect(
      (
        await until(
          () => jsonIn(log.root, "status.json"),
          (status) => status.results.votes["agent2.1"] === 1,
        )
      ).agents.ada.status,
    ).toBe("voted");
    const rest = records.slice(records.findIndex((record) => record.type === "vote_cast") + 1);
    await feed(log, rest.slice(0, rest.findIndex((record) => record.seq > records[voided]!.seq && record.closes) + 1));
    await clock.advance(2_000);
    const status = await until(
      () => jsonIn(log.root, "status.json"),
      (now) => Object.keys(now.results.votes).length === 0,
    );
    expect(status.agents.ada.vote_cast).toBeNull();
    await log.finish();
  });

  it("the status is written anew while nothing happens, so that readers see the run live", async () => {
    const { log, clock } = await openLog(["ada"]);
    const first = (await jsonIn(log.root, "status.json")).meta.last_updated;
    await clock.advance(2_500);
    const status = await until(
      () => jsonIn(log.root, "status.json"),
      (now) => now.meta.last_updated > first,
    );
    expect(status.meta.last_updated - first).toBeLessThanOrEqual(2.5);
    await log.finish();
    expect(clock.sleepers()).toEqual([]);
  });
});

/** Real files appear when the disk is done with them, which no virtual clock sees. */
async function until<T>(look: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (let turn = 0; turn < 2_000; turn++) {
    const value = await look();
    if (isThere(value)) return value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error("it never came");
}

describe("metadata", () => {
  it("has the configuration as it was loaded, without its secrets", async () => {
    const config = {
      agents: [{ id: "ada", backend: { type: "openai", api_key: "k-SECRET-0123456789", model: "m" } }],
      orchestrator: { max_rounds: 2 },
    };
    const { log } = await playRun(sampleRuns.single(), {
      config,
      configPath: "team.yaml",
      cliArgs: { config: "team.yaml", automation: true },
    });
    expect(parse(await read(log.root, "execution_metadata.yaml"))).toMatchObject({
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

describe("steps", () => {
  async function withTranscripts() {
    const opened = await openLog(["ada", "bob", "cleo"]);
    const { records } = sampleRuns.voidedVotes();
    const seen = ["agent1.1", "agent2.1", "agent3.1"] as const;
    const told = "Another agent answered meanwhile.\nagent3.1 -> agent3.2:\nWrite-through where …";
    const asked = [
      call("c1", "mcp__files__read_file", { path: "notes.md" }, "Let me look.", "There may be notes."),
      result("c1", "``` fenced ```\n12 lines"),
      call("c2", "vote", { agent_id: "agent1", reason: "Simplest to run" }),
    ];
    const before = (record: Recorded): readonly RunEvent[] => {
      if (record.type === "vote_ignored") opened.log.onTranscript(transcript("bob", 1, seen, asked));
      if (record.type === "vote_cast" && record.agent === "bob")
        opened.log.onTranscript(transcript("bob", 1, seen, [...asked, result("c2", told), call("c3", "vote", { agent_id: "agent3" })]));
      if (record.type === "answer_submitted" && record.label === "agent1.1")
        opened.log.onTranscript(transcript("ada", 0, [], [call("c0", "new_answer", { content: "Write-through" })]));
      if (record.type === "presentation_finished")
        opened.log.onTranscript(transcript("cleo", 3, seen, [text("assistant", "# Two caching strategies")], "presentation"));
      return [];
    };
    await feed(opened.log, records, before);
    await opened.log.finish();
    return opened.log.root;
  }

  it("have the prompt, the trace, the vote and the numbers of their round", async () => {
    const root = await withTranscripts();
    const step = "bob/20260102_101713_880000";
    await expect(await read(root, `${step}/execution_trace.md`)).toMatchFileSnapshot("golden/execution_trace.md");
    await expect(await read(root, `${step}/context.txt`)).toMatchFileSnapshot("golden/context.json");
    await expect(await read(root, `${step}/vote.json`)).toMatchFileSnapshot("golden/vote-step.json");
    await expect(await read(root, `${step}/usage.json`)).toMatchFileSnapshot("golden/usage-step.json");
  });

  it("have the message by which an update came", async () => {
    const root = await withTranscripts();
    const { role, content } = await jsonIn(root, "bob/20260102_101705_880000/update_message.txt");
    expect([role, content]).toEqual(["user", "Another agent answered meanwhile.\nagent3.1 -> agent3.2:\nWrite-through where …"]);
  });

  it("the final one has what the presenter was told and all the votes", async () => {
    const root = await withTranscripts();
    await expect(await read(root, "final/cleo/context.txt")).toMatchFileSnapshot("golden/final-context.json");
    expect(await read(root, "final/cleo/execution_trace.md")).toContain("cleo delivered the final answer");
  });

  it("of a round that was broken off is completed when its conversation comes later", async () => {
    const { log } = await openLog(["ada", "bob"]);
    await feed(log, sampleRuns.cancelled().records);
    log.onTranscript(transcript("bob", 0, [], [text("assistant", "I would say LF")]));
    await log.finish();
    const trace = (await filesIn(log.root)).find((file) => file.startsWith("bob/") && file.endsWith("execution_trace.md"))!;
    expect(await read(log.root, trace)).toMatch(/I would say LF[\s\S]*bob was stopped \(the run was cancelled\)/);
  });
});

describe("what agents stream", () => {
  const delta = (agent: string, channel: "work" | "presentation", value: string): RunEvent => ({
    type: "content_delta",
    agent,
    channel,
    text: value,
  });

  it("is kept as it comes, with lines for what happens around it", async () => {
    const { log } = await openLog(["ada", "bob"]);
    const { records } = sampleRuns.tie();
    await feed(log, records, (record): readonly RunEvent[] => {
      if (record.type === "round_started" && record.agent === "ada" && record.round === 0) return [];
      if (record.type === "answer_submitted" && record.agent === "ada") {
        return [
          { type: "response_started", agent: "ada", channel: "work", round: 0 },
          { type: "reasoning_delta", agent: "ada", channel: "work", text: "Which is " },
          { type: "reasoning_delta", agent: "ada", channel: "work", text: "simpler?" },
          delta("ada", "work", "I would "),
          { type: "content_discarded", agent: "ada", channel: "work", reason: "the stream broke", waitMs: 1_500 },
          delta("ada", "work", "Use "),
          delta("ada", "work", "LRU."),
          { type: "tool_progress", agent: "ada", callId: "c", note: "reading notes.md" },
        ];
      }
      return record.type === "presentation_finished" ? [delta("ada", "presentation", "Use "), delta("ada", "presentation", "L")] : [];
    });
    await log.finish();
    await expect(await read(log.root, "agent_outputs/ada.txt")).toMatchFileSnapshot("golden/agent-output.txt");
  });

  it("is on the disk within a second", async () => {
    const { log, clock } = await openLog(["ada"]);
    await feed(log, sampleRun(["ada"], { mode: "single" }).records);
    log.watch(delta("ada", "work", "Some words to read "));
    await clock.advance(1_000);
    await until(
      () => read(log.root, "agent_outputs/ada.txt").catch(() => ""),
      (value) => value.endsWith("Some words to read "),
    );
    await log.finish();
  });

  it("of the presentation stands in a file of its own while it streams, and as the final text afterwards", async () => {
    const { log, clock } = await openLog(["ada", "bob", "cleo"]);
    const { records } = sampleRuns.voidedVotes();
    const end = records.findIndex((record) => record.type === "presentation_started") + 1;
    await feed(log, records.slice(0, end));
    log.watch(delta("cleo", "presentation", "# Two caching "));
    await clock.advance(1_000);
    await until(
      () => read(log.root, "agent_outputs/final_presentation_cleo.txt").catch(() => ""),
      (value) => value.endsWith("# Two caching "),
    );
    await feed(log, records.slice(end));
    await log.finish();
    expect(await read(log.root, "agent_outputs/final_presentation_cleo_latest.txt")).toMatch(
      /^=== FINAL PRESENTATION FROM CLEO ===\nGenerated at: 2026-01-02 10:17:41\n={60}\n\n# Two caching strategies\n[\s\S]*then choose\.$/,
    );
    expect(await readlink(join(log.root, "agent_outputs/final_presentation_cleo_latest.txt"))).toBe("final_presentation_cleo.txt");
  });

  it("why an agent waits is in the status until it waits no more", async () => {
    const { log, clock } = await openLog(["ada", "bob", "cleo"]);
    await feed(log, sampleRun(["ada", "bob", "cleo"]).at(5).answer("ada", "one").records);
    const reasonAfterHalfASecond = async () => {
      await clock.advance(500);
      return (await jsonIn(log.root, "status.json")).agents.ada.wait_reason;
    };
    log.watch({ type: "gate", agent: "ada", gate: "first_answers", held: true });
    await until(reasonAfterHalfASecond, (reason) => reason === "first_answers");
    log.watch({ type: "gate", agent: "ada", gate: "first_answers", held: false });
    await until(reasonAfterHalfASecond, (reason) => reason === null);
    await log.finish();
  });
});

describe("a simulated run", () => {
  it("says so in every file", async () => {
    const { log } = await playRun(sampleRuns.voidedVotes(), { simulated: true });
    for (const file of await filesIn(log.root)) {
      // The answers are the agents' own texts, byte for byte, and link files are shown by their target.
      if (file.endsWith("answer.txt")) continue;
      expect([file, /simulated/i.test(await read(log.root, file))]).toEqual([file, true]);
    }
    for (const line of (await read(log.root, "events.jsonl")).trimEnd().split("\n")) expect(JSON.parse(line).simulated).toBe(true);
    for (const line of (await read(log.root, "massgen.log")).trimEnd().split("\n")) expect(line).toContain("[simulated]");
    expect(await readRunLog(log.root)).toEqual(sampleRuns.voidedVotes().records);
  });

  it("and a real one nowhere", async () => {
    const { log } = await playRun(sampleRuns.voidedVotes());
    for (const file of await filesIn(log.root)) {
      const said = (await read(log.root, file)).replaceAll('"simulated": false', "");
      expect([file, /simulated/i.test(said)]).toEqual([file, false]);
    }
  });
});

describe("a folder that cannot be written", () => {
  it("EC66: sends the log to a temporary folder, and says so once", async () => {
    const cwd = await tempFolder();
    await writeFile(join(cwd, "taken"), "");
    const { log, warnings, finished } = await playRun(sampleRuns.voidedVotes(), { cwd, baseDir: "taken" });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(log.root);
    expect(await readFile(finished.finalAnswerPath!, "utf8")).toContain("then choose");
  });

  it("EC66: that fails in the middle costs one warning, and the run is told in full to whoever watches", async () => {
    const cwd = await tempFolder();
    const { log, warnings } = await openLog(["ada", "bob"], { cwd });
    // Files where folders are to be: all steps, outputs and the final answer fail.
    for (const name of ["ada", "bob", "agent_outputs2", "final"]) await writeFile(join(log.root, name), "");
    await feed(log, sampleRuns.tie().records);
    const finished = await log.finish();
    expect(warnings).toHaveLength(1);
    expect(finished.finalAnswerPath).toBeNull();
    expect(log.view().state.finalAnswer).toBe("Use LRU.");
    expect(await jsonIn(log.root, "status.json")).toMatchObject({ finish_reason: "completed", is_complete: true });
  });
});
