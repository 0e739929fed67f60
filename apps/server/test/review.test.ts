import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClientError, createClient, type DecideReview, type MassgenClient } from "@massgen/client";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createReviewDesk } from "../src/review/review-desk.js";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

interface Writing {
  readonly client: MassgenClient;
  readonly served: Served;
  readonly model: string;
  readonly text: (name: string) => Promise<string>;
}

/** A team of one that changes one file of the user's, makes another, and one that rules forbid. */
async function writing(): Promise<Writing> {
  let play: Respond = scriptedTeam();
  const served = await serve((request) => play(request), ["ada"]);
  open.push(served);
  const project = (name: string): string => join(served.folder, "project", name);
  play = scriptedTeam({
    "ada-model": [
      step.tool("read_file", { path: project("cache.txt") }),
      step.tool("write_file", { path: project("cache.txt"), content: "ARC\n" }),
      step.tool("write_file", { path: project("package.json"), content: "{}\n" }),
      step.text("ARC it is."),
    ],
  });
  await mkdir(join(served.folder, "project"));
  await writeFile(join(served.folder, "project", "cache.txt"), "LRU\n");
  const backend = {
    ...{ type: "chatcompletion", model: "ada-model", base_url: served.simulator.baseUrl("chat_completions"), max_retries: 0 },
    ...{ cwd: "workspace" },
  };
  const orchestrator = { context_paths: [{ path: "project", permission: "write" }] };
  await writeFile(join(served.folder, "writing.yaml"), JSON.stringify({ agents: [{ id: "ada", backend }], orchestrator }));
  return {
    client: createClient({ baseUrl: served.url }),
    served,
    model: "massgen/path:writing.yaml",
    text: (name) => readFile(join(served.folder, "project", name), "utf8").catch(() => "(none)"),
  };
}

/** The run up to its open review. */
async function reviewed({ client, model }: Writing, reviewsChanges: boolean = true) {
  const { id } = await client.startRun({ question: "Change the policy.", model, reviewsChanges });
  for await (const _ of client.watch(id));
  return { id, review: await client.review(id) };
}
const outcomes = (files: Awaited<ReturnType<MassgenClient["review"]>>["files"]) => files.map(({ name, outcome }) => `${outcome} ${name}`);

describe("the review of changes over the API (advanced.md 35)", { timeout: 30_000 }, () => {
  it("shows every change with its diff before anything is touched, and brings what is accepted", async () => {
    const team = await writing();
    const { id, review } = await reviewed(team);
    expect(review).toMatchObject({ state: "open", presenter: "ada", decidedBy: null });
    expect(review.openUntilMs).toBeGreaterThan(Date.now());
    expect(review.files).toMatchObject([
      { name: "package.json", kind: "added", runsLater: true, refused: false, conflict: null, outcome: null },
      { name: "cache.txt", kind: "modified", addedLines: 1, removedLines: 1, outcome: null },
    ]);
    expect(review.files[1]?.diff).toContain("-LRU\n+ARC\n");
    expect(await team.client.run(id)).toMatchObject({ state: "waiting_for_review", winner: "ada" });
    expect([await team.text("cache.txt"), await team.text("package.json")]).toEqual(["LRU\n", "(none)"]);

    const stranger = await team.client.decideReview(id, { accept: "some", paths: ["/etc/passwd"] }).catch((error: ClientError) => error);
    expect(stranger).toMatchObject({ status: 400, code: "unknown_path" });
    const wrong: readonly DecideReview[] = [{ accept: "some" }, { accept: "all", paths: [] }];
    for (const decision of wrong) expect(await team.client.decideReview(id, decision).catch(({ status }) => status)).toBe(400);
    expect((await team.client.review(id)).state).toBe("open");

    const wanted = review.files[1]!.path;
    const answers = await Promise.all([1, 2].map(() => team.client.decideReview(id, { accept: "some", paths: [wanted] })));
    expect(answers.filter(({ took }) => took)).toHaveLength(1);
    const after = await team.client.review(id);
    expect(after).toMatchObject({ state: "decided", decidedBy: "person", openUntilMs: null });
    expect(outcomes(after.files)).toEqual(["rejected package.json", "applied cache.txt"]);
    expect(after.files[1]?.diff).toContain("+ARC");
    expect([await team.text("cache.txt"), await team.text("package.json")]).toEqual(["ARC\n", "(none)"]);
    expect((await team.client.run(id)).state).toBe("completed");
    expect(await team.client.decideReview(id, { accept: "all" })).toEqual({ took: false });
  });

  it("says what was changed meanwhile, and does not overwrite it", async () => {
    const team = await writing();
    const { id } = await reviewed(team);
    await writeFile(join(team.served.folder, "project", "cache.txt"), "the user's own\n");
    expect((await team.client.review(id)).files.map(({ conflict }) => conflict)).toEqual([null, "it was changed meanwhile"]);
    expect(await team.client.decideReview(id, { accept: "all" })).toEqual({ took: true });
    const { files } = await team.client.review(id);
    expect(outcomes(files)).toEqual(["applied package.json", "conflict cache.txt"]);
    expect(await team.text("cache.txt")).toBe("the user's own\n");
  });

  it("what nobody decided before the server stopped is decided with the next one", async () => {
    const team = await writing();
    const { id } = await reviewed(team);
    await team.served.server.close(0);
    const next = await serve(scriptedTeam(), ["ada"], { cwd: team.served.folder, home: team.served.folder });
    open.push(next);
    const client = createClient({ baseUrl: next.url });
    expect(await client.review(id)).toMatchObject({ state: "open", openUntilMs: null, files: [{}, { name: "cache.txt" }] });
    expect(await client.decideReview(id, { accept: "later" })).toEqual({ took: true });
    expect(await client.decideReview(id, { accept: "none" })).toEqual({ took: true });
    expect(await client.review(id)).toMatchObject({ state: "decided", decidedBy: "person", files: [{ outcome: "rejected" }, {}] });
    expect(await team.text("cache.txt")).toBe("LRU\n");
    expect(await client.decideReview(id, { accept: "all" })).toEqual({ took: false });
  });

  it("an open review ends with its run's cancellation, and takes no seat of another run", async () => {
    const team = await writing();
    const { id } = await reviewed(team);
    expect(await (await fetch(`${team.served.url}/ready`)).json()).toMatchObject({ active: 0 });
    expect(await team.client.cancel(id)).toEqual({ took: true });
    await expect.poll(async () => (await team.client.review(id)).openUntilMs).toBeNull();
    expect((await team.client.run(id)).state).toBe("waiting_for_review");
    expect(await team.client.decideReview(id, { accept: "all" })).toEqual({ took: true });
    expect((await team.client.run(id)).state).toBe("completed");
    expect(await team.text("cache.txt")).toBe("ARC\n");
  });

  it("without somebody who reviews, changes are brought at the end, and still told", async () => {
    const team = await writing();
    const { id, review } = await reviewed(team, false);
    expect(review).toMatchObject({ state: "decided", decidedBy: "run" });
    expect(outcomes(review.files)).toEqual(["applied package.json", "applied cache.txt"]);
    expect(await team.text("cache.txt")).toBe("ARC\n");
    expect(await team.client.decideReview(id, { accept: "none" })).toEqual({ took: false });
  });

  it("a run that changed nothing has none, and one at work has none yet", async () => {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const play = scriptedTeam({ "ada-model": [step.text("ARC it is.")] });
    const served = await serve((request) => gate.then(() => play(request)), ["ada"]);
    open.push(served);
    const client = createClient({ baseUrl: served.url });
    const { id } = await client.startRun({ question: "Which?", reviewsChanges: true });
    expect((await client.review(id)).state).toBe("pending");
    expect(await client.decideReview(id, { accept: "all" })).toEqual({ took: false });
    letGo();
    for await (const _ of client.watch(id));
    expect((await client.review(id)).state).toBe("none");
    expect((await client.run(id)).state).toBe("completed");
  });

  it("waits ten minutes for somebody, and leaves the changes waiting then", async () => {
    vi.useFakeTimers();
    try {
      const desk = createReviewDesk();
      const nothing = { presenter: "ada", answer: "", changes: [], refused: new Set<string>(), conflicts: () => new Map<string, string>() };
      const decision = desk.reviewChanges(nothing, new AbortController().signal);
      await vi.advanceTimersByTimeAsync(599_000);
      expect(desk.open()).not.toBeNull();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await decision).toEqual({ accept: "later" });
      expect(desk.decide({ accept: "all" })).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});
