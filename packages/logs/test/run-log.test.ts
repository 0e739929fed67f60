import { describe, expect, it } from "vitest";
import { filesIn, playRun } from "./play-run.js";
import { sampleRuns } from "./sample-runs.js";

describe("x", () => {
  it("y", async () => {
    const { log, warnings } = await playRun(sampleRuns.voidedVotes());
    console.log(warnings, (await filesIn(log.root)).join("\n"));
    const { readFile } = await import("node:fs/promises");
    for (const f of [
      "massgen.log",
      "agent_outputs/bob.txt",
      "agent_outputs/system_status.txt",
      "execution_metadata.yaml",
      "agent_outputs/final_presentation_cleo_latest.txt",
      "snapshot_mappings.json",
    ])
      console.log(f, await readFile(`${log.root}/${f}`, "utf8"));
    for (const f of await filesIn(log.root)) if (/vote.json|trace/.test(f)) console.log(f, await readFile(`${log.root}/${f}`, "utf8"));
    expect(1).toBe(1);
  });
});
