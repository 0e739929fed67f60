import { describe, expect, it } from "vitest";
import { readRunLog } from "../src/index.js";
import { frozenRun } from "./frozen-logs.js";
import { filesIn, playRun, textIn } from "./play-run.js";

describe("a simulated run", () => {
  it("says so in every file", async () => {
    const { log } = await playRun(frozenRun("voidedVotes"), { simulated: true });
    for (const file of await filesIn(log.root)) {
      // The answers are the agents' own texts, byte for byte, and link files are shown by their target.
      if (file.endsWith("answer.txt")) continue;
      expect([file, /simulated/i.test(await textIn(log.root, file))]).toEqual([file, true]);
    }
    for (const line of (await textIn(log.root, "events.jsonl")).trimEnd().split("\n")) expect(JSON.parse(line).simulated).toBe(true);
    for (const line of (await textIn(log.root, "massgen.log")).trimEnd().split("\n")) expect(line).toContain("[simulated]");
    expect(await readRunLog(log.root)).toEqual(frozenRun("voidedVotes"));
  });

  it("and a real one nowhere", async () => {
    const { log } = await playRun(frozenRun("voidedVotes"));
    for (const file of await filesIn(log.root)) {
      const said = (await textIn(log.root, file)).replaceAll('"simulated": false', "");
      expect([file, /simulated/i.test(said)]).toEqual([file, false]);
    }
  });
});
