import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { expect, it } from "vitest";
import { prepareRun } from "../src/index.js";

/** A promise, and how to keep it. */
function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

it("SE-01 10: half a status.json is put right by the next update, and whoever polls it sees whole ones", async () => {
  const folder = await mkdtemp(join(tmpdir(), "massgen-status-"));
  const damaged = signalled();
  const looked = signalled();
  const team = scriptedTeam({ "a-model": [step.answer("Use LRU.")], "b-model": [step.answer("Use ARC.")] });
  const simulator = await startSimulator({
    respond: async (request) => {
      if (request.agent === "b-model") await (request.index === 0 ? damaged : looked).promise;
      return team(request);
    },
  });
  try {
    const prepared = await prepareRun({
      question: "Which cache?",
      loaded: validateConfig({
        agents: ["a", "b"].map((id) => ({
          id,
          backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions") },
        })),
      }),
      env: {},
      logs: { cwd: folder, version: "1" },
    });
    const file = prepared.statusFile ?? "";
    const run = prepared.start();
    let isOver = false;
    const over = run.finished.finally(() => {
      isOver = true;
    });
    for await (const event of run) {
      if (event.type !== "answer_submitted" || event.agent !== "a") continue;
      const whole = await readFile(file, "utf8");
      await writeFile(file, whole.slice(0, whole.length / 2));
      break;
    }
    damaged.resolve();
    const parses = async (): Promise<boolean> => {
      try {
        JSON.parse(await readFile(file, "utf8"));
        return true;
      } catch {
        return false;
      }
    };
    await expect.poll(parses).toBe(true);
    for (let looks = 0; !isOver; looks++) {
      expect(await parses()).toBe(true);
      if (looks === 50) looked.resolve();
    }
    await over;
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ is_complete: true, finish_reason: "completed" });
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
});
