import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { expect, it, onTestFinished } from "vitest";
import { prepareRun, replayRun } from "../src/index.js";

it("a recorded run that people spoke to is reproduced: what was said, and when who read it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "massgen-replay-input-"));
  let said = (): void => {};
  const isSaid = new Promise<void>((resolve) => {
    said = resolve;
  });
  const team = scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent1", "Simple.")],
    "bob-model": [step.text("Let me think."), step.answer("Use ARC."), step.vote("agent1", "Simple.")],
  });
  const simulator = await startSimulator({
    respond: async (request) => {
      // Bob is in the middle of his first response when it is said.
      if (request.agent === "bob-model" && request.index === 0) await isSaid;
      return team(request);
    },
  });
  onTestFinished(async () => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const loaded = validateConfig({
    agents: ["ada", "bob"].map((id) => ({
      id,
      backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions") },
    })),
    orchestrator: { record: true, seed: 7 },
  });
  const prepared = await prepareRun({ question: "Which?", loaded, env: {}, logs: { cwd: folder, version: "1" }, modulesFrom: [folder] });
  const run = prepared.start();
  const types: string[] = [];
  for await (const event of run) {
    types.push(event.type);
    if (event.type !== "answer_submitted" || event.agent !== "ada") continue;
    expect(await run.send("The server has 512 MB.")).toBe(true);
    said();
  }
  await run.finished;
  expect(types.filter((type) => type === "input_delivered").length).toBeGreaterThan(1);
  expect(await replayRun(prepared.logDirectory ?? "")).toMatchObject({ difference: null });
});
