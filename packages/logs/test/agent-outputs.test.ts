import { readlink } from "node:fs/promises";
import { join } from "node:path";
import type { RunEvent } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { cardsFor, frozenRun, until } from "./frozen-logs.js";
import { eventually, feed, jsonIn, openLog, textIn } from "./play-run.js";

describe("what agents stream", () => {
  const delta = (agent: string, channel: "work" | "presentation", value: string): RunEvent => ({
    type: "content_delta",
    agent,
    channel,
    text: value,
  });

  it("is kept as it comes, with lines for what happens around it", async () => {
    const { log } = await openLog(cardsFor("ada", "bob"));
    const records = frozenRun("tie");
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
    await expect(await textIn(log.root, "agent_outputs/ada.txt")).toMatchFileSnapshot("golden/agent-output.txt");
  });

  it("is on the disk within a second", async () => {
    const { log, clock } = await openLog(cardsFor("ada"));
    await feed(
      log,
      until(frozenRun("single"), (record) => record.type === "round_started"),
    );
    log.watch(delta("ada", "work", "Some words to read "));
    await clock.advance(1_000);
    await eventually(
      () => textIn(log.root, "agent_outputs/ada.txt").catch(() => ""),
      (value) => value.endsWith("Some words to read "),
    );
    await log.finish();
  });

  it("of the presentation stands in a file of its own while it streams, and as the final text afterwards", async () => {
    const { log, clock } = await openLog(cardsFor("ada", "bob", "cleo"));
    const records = frozenRun("voidedVotes");
    const end = records.findIndex((record) => record.type === "presentation_started") + 1;
    await feed(log, records.slice(0, end));
    log.watch(delta("cleo", "presentation", "# Two caching "));
    await clock.advance(1_000);
    await eventually(
      () => textIn(log.root, "agent_outputs/final_presentation_cleo.txt").catch(() => ""),
      (value) => value.endsWith("# Two caching "),
    );
    await feed(log, records.slice(end));
    await log.finish();
    expect(await textIn(log.root, "agent_outputs/final_presentation_cleo_latest.txt")).toMatch(
      /^=== FINAL PRESENTATION FROM CLEO ===\nGenerated at: 2026-01-02 10:17:41\n={60}\n\n# Two caching strategies\n[\s\S]*then choose\.$/,
    );
    expect(await readlink(join(log.root, "agent_outputs/final_presentation_cleo_latest.txt"))).toBe("final_presentation_cleo.txt");
  });

  it("why an agent waits is in the status until it waits no more", async () => {
    const { log, clock } = await openLog(cardsFor("ada", "bob", "cleo"));
    await feed(
      log,
      until(frozenRun("voidedVotes"), (record) => record.type === "answer_submitted"),
    );
    const reasonAfterHalfASecond = async () => {
      await clock.advance(500);
      return (await jsonIn(log.root, "status.json")).agents.ada.wait_reason;
    };
    log.watch({ type: "gate", agent: "ada", gate: "first_answers", held: true });
    await eventually(reasonAfterHalfASecond, (reason) => reason === "first_answers");
    log.watch({ type: "gate", agent: "ada", gate: "first_answers", held: false });
    await eventually(reasonAfterHalfASecond, (reason) => reason === null);
    await log.finish();
  });
});
