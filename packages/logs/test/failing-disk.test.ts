import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cardsFor, frozenRun } from "./frozen-logs.js";
import { feed, jsonIn, openLog, playRun } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

describe("a folder that cannot be written", () => {
  it("EC66: sends the log to a temporary folder, and says so once", async () => {
    const cwd = await tempFolder();
    await writeFile(join(cwd, "taken"), "");
    const { log, warnings, finished } = await playRun(frozenRun("voidedVotes"), { cwd, baseDir: "taken" });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(log.root);
    expect(await readFile(finished.finalAnswerPath!, "utf8")).toContain("then choose");
  });

  it("EC66: that fails in the middle costs one warning, and the run is told in full to whoever watches", async () => {
    const cwd = await tempFolder();
    const { log, warnings } = await openLog(cardsFor("ada", "bob"), { cwd });
    // Files where folders are to be: all steps, outputs and the final answer fail.
    for (const name of ["ada", "bob", "agent_outputs2", "final"]) await writeFile(join(log.root, name), "");
    await feed(log, frozenRun("tie"));
    const finished = await log.finish();
    expect(warnings).toHaveLength(1);
    expect(finished.finalAnswerPath).toBeNull();
    expect(log.view().state.finalAnswer).toBe("Use LRU.");
    expect(await jsonIn(log.root, "status.json")).toMatchObject({ finish_reason: "completed", is_complete: true });
  });
});
