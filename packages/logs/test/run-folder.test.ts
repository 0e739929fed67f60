import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readRunLog } from "../src/index.js";
import { cardsFor, frozenRun, namedInScripts, RUNS, reworded } from "./frozen-logs.js";
import { filesIn, jsonIn, openLog, playRun, textIn } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

describe("the folder of a run", () => {
  it.each(RUNS)("has the documented files after the run %s", async (name) => {
    const { log, warnings } = await playRun(frozenRun(name));
    expect(warnings).toEqual([]);
    await expect(`${(await filesIn(log.root)).join("\n")}\n`).toMatchFileSnapshot(`golden/files-${name}.txt`);
  });

  it("has its first status and its metadata before anything happens", async () => {
    const { log, clock } = await openLog(cardsFor("ada", "bob"));
    expect(await jsonIn(log.root, "status.json")).toMatchObject({
      finish_reason: "in_progress",
      is_complete: false,
      meta: { question: "Compare two caching strategies", start_time: clock.now() / 1000 },
      agents: { ada: { status: "waiting" }, bob: { status: "waiting" } },
    });
    expect(parse(await textIn(log.root, "execution_metadata.yaml"))).toMatchObject({
      query: "Compare two caching strategies",
      seed: 421_337,
    });
    await log.finish();
  });

  it("stands below the working folder, named after the moment, and says where it is", async () => {
    const { folder, log, finished } = await playRun(frozenRun("voidedVotes"));
    expect(log.root).toBe(join(folder, ".massgen/massgen_logs/log_20260102_101529_860000"));
    expect([log.leaf, log.statusFile]).toEqual([log.root, join(log.root, "status.json")]);
    expect(finished.finalAnswerPath).toBe(join(log.root, "final/cleo/answer.txt"));
    expect([...finished.answerPaths.keys()]).toEqual(["agent1.1", "agent2.1", "agent3.1", "agent3.2"]);
    expect(await readFile(finished.answerPaths.get("agent3.2")!, "utf8")).toMatch(/^Write-through where/);
  });

  it("EC67: runs that start in the same moment get folders of their own", async () => {
    const cwd = await tempFolder();
    const logs = await Promise.all(Array.from({ length: 8 }, () => openLog(cardsFor("ada"), { cwd })));
    expect(new Set(logs.map(({ log }) => log.root)).size).toBe(8);
    await Promise.all(logs.map(({ log }) => log.finish()));
  });

  it("folds back to what was watched", async () => {
    const { log } = await playRun(frozenRun("voidedVotes"));
    expect(await readRunLog(log.root)).toEqual(frozenRun("voidedVotes"));
  });

  it("EC47: carries a question of 100 kB with emoji, right-to-left text and line breaks unchanged", async () => {
    const question = `${"Compare 缓存 👩‍💻 مرحبا\n\t'quotes' \"too\": # - {}\r\n".repeat(2_000)}end  `;
    const { log } = await playRun(reworded(frozenRun("single"), (text) => (text === "Compare two caching strategies" ? question : text)));
    const [first] = await readRunLog(log.root);
    expect(first).toMatchObject({ question });
    expect(parse(await textIn(log.root, "execution_metadata.yaml")).query).toBe(question);
    expect((await jsonIn(log.root, "status.json")).meta.question).toBe(question);
  });

  it("EC46: ids in any script are intact in JSON, and their folders are in the status", async () => {
    const { log } = await playRun(namedInScripts());
    const { agents } = await jsonIn(log.root, "status.json");
    expect(Object.entries(agents).map(([id, agent]) => [id, (agent as { dir: string }).dir])).toEqual([
      ["研究者", "研究者"],
      ["a/b", "a_b"],
      ["😀 smiley", "😀_smiley"],
    ]);
    expect(Object.keys((await jsonIn(log.root, "vote.json")).votes)).toEqual(["a/b", "研究者", "😀 smiley"]);
    expect(await readRunLog(log.root)).toEqual(namedInScripts());
  });
});
