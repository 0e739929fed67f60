import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClientError, createClient, type MassgenClient } from "@massgen/client";
import type { Recorded, RunEvent } from "@massgen/contracts";
import { createSimulatedTeam, type Respond, scriptedTeam, step } from "@massgen/simulator";
import { postgresMissing } from "@massgen/testing/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Crowd, openCrowd } from "./crowd.js";

const everything = async (events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> => {
  const found: RunEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
};
const factsOf = async (events: AsyncIterable<RunEvent>): Promise<readonly Recorded[]> => {
  const facts: Recorded[] = [];
  for await (const event of events) if ("seq" in event) facts.push(event);
  return facts;
};

/** Models that say nothing until they are let go. */
function held(play: Respond): { readonly respond: Respond; readonly letGo: () => void } {
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { respond: (request) => gate.then(() => play(request)), letGo: () => letGo() };
}

async function crowdOf(ids: readonly string[], respond: Respond): Promise<Crowd> {
  const crowd = await openCrowd(ids, respond, 4);
  onTestFinished(() => crowd.close());
  return crowd;
}
const clientOf = async (crowd: Crowd): Promise<MassgenClient> => createClient({ baseUrl: await crowd.serve() });

describe.skipIf(postgresMissing !== null)(`a run that a worker plays${postgresMissing === null ? "" : `: ${postgresMissing}`}`, () => {
  it("is told what people say, before it begins and while it is at work, once, also by the worker that takes it over", {
    timeout: 90_000,
  }, async () => {
    const { respond, letGo } = held(scriptedTeam());
    const crowd = await crowdOf(["ada", "bob"], respond);
    const [one, other] = await Promise.all([clientOf(crowd), clientOf(crowd)]);
    const { id } = await one!.startRun({ question: "Which?" });
    expect(await one!.sendInput(id, { text: "Said while it waits." })).toEqual({ took: true });
    const refused = await one!.sendInput(id, { text: "Hello?", agent: "cyd" }).catch((error: ClientError) => error);
    expect(refused).toMatchObject({ status: 400, code: "unknown_agent" });
    const first = crowd.worker();
    for await (const event of other!.watch(id)) if (event.type === "input_received") break;
    expect(await other!.sendInput(id, { text: "Said at work.", agent: "bob" })).toEqual({ took: true });
    for await (const event of other!.watch(id)) if (event.type === "input_received" && event.number === 2) break;
    first.child.kill("SIGKILL");
    crowd.worker();
    for await (const event of one!.watch(id)) if (event.type === "run_resumed") break;
    letGo();
    const facts = await factsOf(other!.watch(id));
    expect(facts.flatMap((fact) => (fact.type === "input_received" ? [[fact.text, fact.agents]] : []))).toEqual([
      ["Said while it waits.", ["ada", "bob"]],
      ["Said at work.", ["bob"]],
    ]);
    expect(facts.at(-1)).toMatchObject({ type: "run_finished", status: "completed" });
    const told = (text: string) => crowd.simulator.requests.filter(({ canonicalText }) => canonicalText.includes(text)).length;
    expect(told("Said while it waits.")).toBeGreaterThan(1);
    expect(told("Said at work.")).toBeGreaterThan(0);
    expect(await one!.sendInput(id, { text: "Too late." })).toEqual({ took: false });
  });

  it("is watched as it speaks, through any server", { timeout: 60_000 }, async () => {
    const models = ["ada-model", "bob-model"];
    const crowd = await crowdOf(["ada", "bob"], createSimulatedTeam({ models, pace: { firstTokenMs: 100, tokensPerSecond: 100 } }));
    const [one, other] = await Promise.all([clientOf(crowd), clientOf(crowd)]);
    const { id } = await one!.startRun({ question: "Which?" });
    const [all, facts] = [everything(other!.watch(id)), factsOf(one!.watch(id, { factsOnly: true }))];
    crowd.worker();
    const events = await all;
    expect(events.filter((event) => "seq" in event)).toEqual(await facts);
    const end = events.findIndex(({ type }) => type === "presentation_finished");
    const begin = events.findLastIndex(({ type }, place) => place < end && type === "response_started");
    const spoken = events.slice(begin).flatMap((event) => (event.type === "content_delta" ? [event.text] : []));
    expect(spoken.length).toBeGreaterThan(1);
    expect(events[end]).toMatchObject({ content: spoken.join("").trim() });
  });

  it("goes on with its conversation, whoever played the turns before", { timeout: 90_000 }, async () => {
    const crowd = await crowdOf(["ada", "bob"], scriptedTeam());
    const [one, other] = await Promise.all([clientOf(crowd), clientOf(crowd)]);
    const first = await one!.startRun({ question: "Which cache policy?", sessionId: "design" });
    expect(await other!.startRun({ question: "At once?", sessionId: "design" }).catch(({ code }) => code)).toBe("in_use");
    const worker = crowd.worker();
    const told = (await factsOf(one!.watch(first.id))).find((fact) => fact.type === "presentation_finished")?.content ?? "";
    await expect.poll(async () => (await other!.sessions()).sessions[0]?.status).toBe("completed");
    worker.child.kill("SIGKILL");
    crowd.worker();
    const second = await other!.startRun({ question: "And for writes?", sessionId: "design" });
    expect((await factsOf(one!.watch(second.id))).at(-1)).toMatchObject({ type: "run_finished", status: "completed" });
    const last = crowd.simulator.requests.at(-1)?.canonicalText ?? "";
    for (const text of ["Which cache policy?", told, "And for writes?"]) expect(last).toContain(text);
    expect(await one!.run(second.id)).toMatchObject({ sessionId: "design", model: first.model });
    await expect.poll(async () => (await one!.session("design")).turns[1]?.isComplete).toBe(true);
    expect(await one!.session("design")).toMatchObject({
      model: first.model,
      turns: [
        { turn: 1, runId: first.id, question: "Which cache policy?", isComplete: true },
        { turn: 2, runId: second.id, question: "And for writes?" },
      ],
    });
    expect(await one!.session("nothing").catch(({ code }) => code)).toBe("session_not_found");
    const alone = await one!.startRun({ question: "Alone?" });
    await factsOf(one!.watch(alone.id));
    expect(crowd.simulator.requests.at(-1)?.canonicalText).not.toContain("Which cache policy?");
    expect((await one!.sessions()).sessions).toMatchObject([{ id: "design", turns: 2, description: "Which cache policy?" }]);
  });

  it("leaves its files where every server finds them, and nothing else", { timeout: 60_000 }, async () => {
    const write = step.tool("write_file", { path: "notes/cache.txt", content: "ARC\n" });
    const crowd = await crowdOf(["ada"], scriptedTeam({ "ada-model": [write, step.text("ARC it is.")] }));
    const backend = { type: "chatcompletion", model: "ada-model", base_url: crowd.simulator.baseUrl("chat_completions"), cwd: "workspace" };
    await writeFile(join(crowd.folder, "writing.yaml"), JSON.stringify({ agents: [{ id: "ada", backend }] }));
    const baseUrl = await crowd.serve();
    const client = createClient({ baseUrl });
    crowd.worker();
    const { id } = await client.startRun({ question: "Which?", model: "massgen/path:writing.yaml" });
    await factsOf(client.watch(id));
    const logs = join(crowd.folder, ".massgen", "massgen_logs");
    await expect.poll(async () => (await client.artefacts(id)).artefacts.length > 5 && readdir(logs)).toEqual([]);
    const { artefacts, truncated } = await client.artefacts(id);
    expect(truncated).toBe(false);
    const text = async (end: string): Promise<string> => {
      const path = artefacts.find((one) => one.path.endsWith(end))?.path ?? end;
      return new TextDecoder().decode(await client.artefact(id, path));
    };
    expect(await text("final/ada/workspace/notes/cache.txt")).toBe("ARC\n");
    expect(await text("final/ada/answer.txt")).toContain("ARC it is.");
    expect(await text("events.jsonl")).toContain("session_end");
    expect(await client.artefact(id, "nothing.txt").catch(({ code }) => code)).toBe("file_not_found");
    for (const path of ["..%2F..%2Fteam.yaml", "%2Fetc%2Fpasswd", "final%2F..%2F..%2Fteam.yaml", "a%5C..%5Cb"])
      expect((await fetch(`${baseUrl}/api/runs/${id}/artefacts/${path}`)).status).toBe(403);
  });

  it("has its changes reviewed through any server before they are brought", { timeout: 60_000 }, async () => {
    let play: Respond = scriptedTeam();
    const crowd = await crowdOf(["ada"], (request) => play(request));
    const project = (name: string): string => join(crowd.folder, "project", name);
    await mkdir(join(crowd.folder, "project"));
    await writeFile(project("cache.txt"), "LRU\n");
    play = scriptedTeam({
      "ada-model": [
        step.tool("read_file", { path: project("cache.txt") }),
        step.tool("write_file", { path: project("cache.txt"), content: "ARC\n" }),
        step.tool("write_file", { path: project("more.txt"), content: "more\n" }),
        step.text("ARC it is."),
      ],
    });
    const backend = { type: "chatcompletion", model: "ada-model", base_url: crowd.simulator.baseUrl("chat_completions"), cwd: "workspace" };
    const orchestrator = { context_paths: [{ path: "project", permission: "write" }] };
    await writeFile(join(crowd.folder, "writing.yaml"), JSON.stringify({ agents: [{ id: "ada", backend }], orchestrator }));
    const [one, other] = await Promise.all([clientOf(crowd), clientOf(crowd)]);
    crowd.worker();
    const { id } = await one!.startRun({ question: "Change it.", model: "massgen/path:writing.yaml", reviewsChanges: true });
    expect((await one!.review(id)).state).toBe("pending");
    await factsOf(one!.watch(id));
    const review = await other!.review(id);
    expect(review).toMatchObject({ state: "open", files: [{ name: "cache.txt" }, { name: "more.txt" }] });
    expect(review.files[0]?.diff).toContain("-LRU\n+ARC\n");
    expect((await one!.run(id)).state).toBe("waiting_for_review");
    const stranger = await one!.decideReview(id, { accept: "some", paths: ["/etc/passwd"] }).catch((error: ClientError) => error);
    expect(stranger).toMatchObject({ status: 400, code: "unknown_path" });
    const decisions = [one!, other!].map((client) => client.decideReview(id, { accept: "some", paths: [review.files[0]!.path] }));
    expect((await Promise.all(decisions)).filter(({ took }) => took)).toHaveLength(1);
    expect(await one!.review(id)).toMatchObject({
      state: "decided",
      decidedBy: "person",
      files: [{ outcome: "applied" }, { outcome: "rejected" }],
    });
    expect(await readFile(project("cache.txt"), "utf8")).toBe("ARC\n");
    expect(await readdir(join(crowd.folder, "project"))).toEqual(["cache.txt"]);
    await expect.poll(async () => (await one!.run(id)).state).toBe("completed");
  });

  it("asks for consent through any server, and takes the first answer", { timeout: 60_000 }, async () => {
    const write = step.tool("write_file", { path: "a.txt", content: "ARC" });
    const crowd = await crowdOf(["ada"], scriptedTeam({ "ada-model": [write, step.text("ARC it is.")] }));
    await writeFile(join(crowd.folder, "ask.mjs"), `export default () => ({ decision: "ask", reason: "it writes" });\n`);
    const backend = { type: "chatcompletion", model: "ada-model", base_url: crowd.simulator.baseUrl("chat_completions"), cwd: "workspace" };
    const hooks = { PreToolUse: [{ handler: "./ask.mjs", matcher: "write_file" }] };
    await writeFile(join(crowd.folder, "guarded.yaml"), JSON.stringify({ agents: [{ id: "ada", backend }], hooks }));
    const [one, other] = await Promise.all([clientOf(crowd), clientOf(crowd)]);
    crowd.worker();
    const asked = await one!.startRun({ question: "Which?", model: "massgen/path:guarded.yaml", answersRequests: true });
    const facts: Recorded[] = [];
    for await (const event of other!.watch(asked.id)) {
      if ("seq" in event) facts.push(event);
      if (event.type !== "request_opened") continue;
      expect(await other!.answerRequest(asked.id, "another", "deny")).toEqual({ took: false });
      const answers = await Promise.all([one!, other!].map((client) => client.answerRequest(asked.id, event.request.id, "allow_once")));
      expect(answers.filter(({ took }) => took)).toHaveLength(1);
    }
    expect(facts.find(({ type }) => type === "request_closed")).toMatchObject({ by: "person", reply: "allow_once" });
    expect(facts.find(({ type }) => type === "tool_complete")).toMatchObject({ ok: true });
    const unasked = await one!.startRun({ question: "Which?", model: "massgen/path:guarded.yaml" });
    expect((await factsOf(one!.watch(unasked.id))).some(({ type }) => type === "request_opened")).toBe(false);
  });
});
