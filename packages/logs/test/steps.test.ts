import type { Recorded, RunEvent } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { cardsFor, cardsIn, frozenRun } from "./frozen-logs.js";
import { feed, filesIn, jsonIn, openLog, textIn } from "./play-run.js";
import { call, result, text, transcript } from "./transcripts.js";

describe("steps", () => {
  async function withTranscripts() {
    const records = frozenRun("voidedVotes");
    const opened = await openLog(cardsIn(records));
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
    await expect(await textIn(root, `${step}/execution_trace.md`)).toMatchFileSnapshot("golden/execution_trace.md");
    await expect(await textIn(root, `${step}/context.txt`)).toMatchFileSnapshot("golden/context.json");
    await expect(await textIn(root, `${step}/vote.json`)).toMatchFileSnapshot("golden/vote-step.json");
    await expect(await textIn(root, `${step}/usage.json`)).toMatchFileSnapshot("golden/usage-step.json");
  });

  it("have the message by which an update came", async () => {
    const root = await withTranscripts();
    const { role, content } = await jsonIn(root, "bob/20260102_101705_880000/update_message.txt");
    expect([role, content]).toEqual(["user", "Another agent answered meanwhile.\nagent3.1 -> agent3.2:\nWrite-through where …"]);
  });

  it("the final one has what the presenter was told and all the votes", async () => {
    const root = await withTranscripts();
    await expect(await textIn(root, "final/cleo/context.txt")).toMatchFileSnapshot("golden/final-context.json");
    expect(await textIn(root, "final/cleo/execution_trace.md")).toContain("cleo delivered the final answer");
  });

  it("of a round that was broken off is completed when its conversation comes later", async () => {
    const { log } = await openLog(cardsFor("ada", "bob"));
    await feed(log, frozenRun("cancelled"));
    log.onTranscript(transcript("bob", 0, [], [text("assistant", "I would say LF")]));
    await log.finish();
    const trace = (await filesIn(log.root)).find((file) => file.startsWith("bob/") && file.endsWith("execution_trace.md"))!;
    expect(await textIn(log.root, trace)).toMatch(/I would say LF[\s\S]*bob was stopped \(the run was cancelled\)/);
  });
});
