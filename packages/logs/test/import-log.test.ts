import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { costReport, decisionReport } from "@massgen/views";
import { describe, expect, it } from "vitest";
import { importLog, readLogEntry, readRunView, turnFolders } from "../src/index.js";
import { filesIn } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

const PYTHON = fileURLToPath(new URL("fixtures/python/log_20251103_142530_123456", import.meta.url));

async function imported(from: string, secrets: readonly string[] = []) {
  const cwd = await tempFolder();
  return importLog(from, { cwd, baseDir: join(cwd, "logs"), version: "1.2.3", secrets, onWarning: () => {} });
}

describe("a log of MassGen in Python", () => {
  it("becomes one of ours: answers, votes with reasons, winner, result, with its own times", async () => {
    const { folder, turns } = await imported(PYTHON);
    expect(turns).toBe(2);
    const view = await readRunView((await turnFolders(folder))[0]!.folder);
    expect(view.state).toMatchObject({ question: "What makes tides?", status: "completed" });
    expect(view.startedAt).toBe(1_762_176_330_500);
    expect(view.state.answers.map(({ label, content }) => [label, content.slice(0, 14)])).toEqual([
      ["agent1.1", "The moon's gra"],
      ["agent2.1", "Moon and sun p"],
    ]);
    expect(view.presentationFinished?.content).toMatch(/^# Tides/);
    expect(decisionReport(view)).toMatchObject({
      winner: "writer",
      winner_label: "agent2.1",
      consensus: "unanimous",
      reasons_for_winner: [
        { voter: "researcher", reason: "Clearer, and it names its sources" },
        { voter: "writer", reason: "Mine builds on the first" },
      ],
    });
    expect(view.agents.get("writer")?.card).toMatchObject({ anon: "agent2", backend: "gemini", model: "gemini-2.5-flash" });
    expect(costReport(view).total).toMatchObject({ input_tokens: 5_200, cached_input_tokens: 900, estimated_cost: 0.0213 });
  });

  it("has every file that a run of ours has", async () => {
    const { folder } = await imported(join(PYTHON, "turn_1"));
    const files = await filesIn(folder);
    for (const name of [
      "decision.md",
      "status.json",
      "events.jsonl",
      "coordination_table.txt",
      "final/writer/answer.txt",
      "metrics_summary.json",
    ])
      expect(files).toContain(name);
    expect(await readLogEntry(folder)).toMatchObject({ state: "completed", winner: "writer", question: "What makes tides?" });
    expect(await readFile(join(folder, "decision.md"), "utf8")).toContain("Clearer, and it names its sources");
  });

  it("that lost its texts and its winner says what is missing", async () => {
    const { folder } = await imported(join(PYTHON, "turn_2"));
    const view = await readRunView(folder);
    expect(view.state.answers).toMatchObject([{ label: "agent2.1", content: "[the text of this answer is not in the log]" }]);
    expect(view.finished).toMatchObject({ status: "error", message: expect.stringContaining("no final answer") });
    expect(view.agents.get("researcher")?.failures).toMatchObject([{ message: "429 Too Many Requests" }]);
  });

  it("is left as it is, and nothing outside of it is read", async () => {
    const from = join(await tempFolder(), "log");
    await cp(PYTHON, from, { recursive: true });
    await writeFile(join(from, "../secret.txt"), "secret");
    await writeFile(join(from, "turn_1/attempt_1/snapshot_mappings.json"), JSON.stringify({ "agent1.1": { path: "../../../secret.txt" } }));
    const before = await filesIn(from);
    const { folder } = await imported(from);
    expect(await filesIn(from)).toEqual(before);
    const view = await readRunView((await turnFolders(folder))[0]!.folder);
    expect(view.state.answers[0]?.content).toMatch(/^The moon/);
  });

  it("loses its keys on the way", async () => {
    const from = join(await tempFolder(), "log");
    await cp(PYTHON, from, { recursive: true });
    const key = `sk-proj-${"Ab3dEf6hIj".repeat(5)}`;
    await writeFile(join(from, "turn_1/attempt_1/final/writer/answer.txt"), `Use ${key} and correct-horse-battery-staple-42.`);
    const { folder } = await imported(from, ["correct-horse-battery-staple-42"]);
    for (const file of await filesIn(folder))
      expect(await readFile(join(folder, file), "utf8").catch(() => "")).not.toMatch(/Ab3dEf6hIj|staple-42/);
  });

  it.each([
    ["an empty folder", null],
    ["no events", '{"events": []}'],
    ["no JSON", "{"],
    ["another JSON", "[1, 2]"],
    ["events of another kind", '{"events": [1, null, {"event_type": 3}]}'],
  ])("that is none (%s) is an error that says what to give, and leaves nothing", async (_what, text) => {
    const from = await tempFolder();
    if (text !== null) await writeFile(join(from, "coordination_events.json"), text);
    await expect(imported(from)).rejects.toMatchObject({ code: "STORE_FAILED", exitCode: 1 });
  });

  it("whose events are strange in every way still comes to something", async () => {
    const from = await tempFolder();
    const events = [
      { timestamp: "2025-11-03T14:25:30", event_type: "vote_cast", agent_id: "ada", context: { voted_for: "nobody" } },
      { timestamp: 1, event_type: "new_answer", agent_id: "../../etc", context: null },
      { timestamp: 2, event_type: "vote_cast", agent_id: "ada", context: { voted_for: "../../etc", reason: 7 } },
      { timestamp: 3, event_type: "never heard of", agent_id: 4 },
      { timestamp: 4, event_type: "final_agent_selected", agent_id: "stranger", context: {} },
      { timestamp: 5, event_type: "new_answer", agent_id: "ada" },
    ];
    await writeFile(join(from, "coordination_events.json"), JSON.stringify({ session_metadata: [], events }));
    await mkdir(join(from, "final"), { recursive: true });
    const { folder } = await imported(from);
    expect((await readRunView(folder)).finished).not.toBeNull();
    expect(await readdir(folder)).toContain("events.jsonl");
  });
});
