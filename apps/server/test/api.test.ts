import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClientError, createClient, type MassgenClient, type RunSummary } from "@massgen/client";
import type { RunEvent } from "@massgen/contracts";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { emptyRunView, foldRecord } from "@massgen/views";
import { afterEach, describe, expect, it } from "vitest";
import type { ServerOptions } from "../src/index.js";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});
async function serving(
  respond: Respond,
  change: Partial<ServerOptions> = {},
): Promise<{ readonly served: Served; readonly client: MassgenClient }> {
  const served = await serve(respond, ["ada", "bob"], change);
  open.push(served);
  return { served, client: createClient({ baseUrl: served.url }) };
}
const twoAgents = (): Respond =>
  scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
    "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
  });
/** Models that say nothing until they are let go. */
function held(): { readonly respond: Respond; readonly letGo: () => void } {
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const play = twoAgents();
  return { respond: (request) => gate.then(() => play(request)), letGo: () => letGo() };
}
async function all(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const found: RunEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}
const seqs = (events: readonly RunEvent[]): readonly number[] => events.flatMap((event) => ("seq" in event ? [event.seq] : []));

describe("the run API", () => {
  it("tells whoever measures of every run, from its first fact to its end", async () => {
    const heard: string[][] = [];
    const observeRun = () => {
      const types: string[] = [];
      heard.push(types);
      return { record: ({ type }: { readonly type: string }) => void types.push(type), end: () => void types.push("end") };
    };
    const { client, served } = await serving(scriptedTeam(), { observeRun });
    const { id } = await client.startRun({ question: "Which cache?" });
    await all(client.watch(id));
    const body = JSON.stringify({ model: "massgen", messages: [{ role: "user", content: "Which cache?" }] });
    await (
      await fetch(`${served.url}/v1/chat/completions`, { method: "POST", headers: { "content-type": "application/json" }, body })
    ).text();
    await expect
      .poll(() => heard.map((types) => [types[0], ...types.slice(-2)]))
      .toEqual([
        ["run_started", "run_finished", "end"],
        ["run_started", "run_finished", "end"],
      ]);
  });

  it("starts a run, shows every fact once and in order, and what the facts fold to is what the run came to", async () => {
    const { client } = await serving(twoAgents());
    const { id, state } = await client.startRun({ question: "Which cache policy?" });
    expect(state).toBe("running");
    const events = await all(client.watch(id));
    expect(seqs(events)).toEqual(Array.from({ length: seqs(events).length }, (_, index) => index + 1));
    const view = events.reduce((now, event) => ("seq" in event ? foldRecord(now, event) : now), emptyRunView);
    expect(view.state).toMatchObject({ status: "completed", finalAnswer: "ARC it is." });
    expect(events.some((event) => event.type === "content_delta")).toBe(true);
    expect(await client.run(id)).toMatchObject({
      id,
      state: "completed",
      winner: "bob",
      agents: ["ada", "bob"],
      question: "Which cache policy?",
    });
    expect((await client.listRuns()).runs.map((run) => run.id)).toEqual([id]);
  });

  describe("a call that wants a person's consent", () => {
    /** A team of one with files, whose hook wants to be asked about every `write_file`. */
    async function guarded(): Promise<{ readonly client: MassgenClient; readonly served: Served; readonly model: string }> {
      const write = step.tool("write_file", { path: "a.txt", content: "ARC" });
      const { client, served } = await serving(
        scriptedTeam({ "ada-model": [write, step.answer("Use ARC."), step.vote("agent1", "mine"), step.text("ARC it is.")] }),
      );
      await writeFile(join(served.folder, "ask.mjs"), `export default () => ({ decision: "ask", reason: "it writes" });\n`);
      const backend = {
        ...{ type: "chatcompletion", model: "ada-model", base_url: served.simulator.baseUrl("chat_completions"), max_retries: 0 },
        ...{ cwd: "workspace" },
      };
      const hooks = { PreToolUse: [{ handler: "./ask.mjs", matcher: "write_file" }] };
      await writeFile(join(served.folder, "guarded.yaml"), JSON.stringify({ agents: [{ id: "ada", backend }], hooks }));
      return { client, served, model: "massgen/path:guarded.yaml" };
    }
    const written = (events: readonly RunEvent[]): unknown => events.find(({ type }) => type === "tool_complete");

    it.each([
      ["allow_once", true],
      ["deny", false],
    ] as const)("is asked for over the API: %s", async (reply, ok) => {
      const { client, model } = await guarded();
      const { id } = await client.startRun({ question: "Which?", model, answersRequests: true });
      const events: RunEvent[] = [];
      for await (const event of client.watch(id)) {
        events.push(event);
        if (event.type !== "request_opened") continue;
        expect(event.request.prompt).toContain("it writes");
        expect(await client.answerRequest(id, "another", reply)).toEqual({ took: false });
        expect(await client.answerRequest(id, event.request.id, reply)).toEqual({ took: true });
        expect(await client.answerRequest(id, event.request.id, reply)).toEqual({ took: false });
      }
      expect(events.filter(({ type }) => type === "request_closed")).toMatchObject([{ by: "person", reply }]);
      expect(written(events)).toMatchObject({ ok });
      expect((await client.run(id)).state).toBe("completed");
    });

    it("is refused at once where nobody said that he answers", async () => {
      const { client, model } = await guarded();
      const { id } = await client.startRun({ question: "Which?", model });
      const events = await all(client.watch(id));
      expect(events.some(({ type }) => type === "request_opened")).toBe(false);
      expect(written(events)).toMatchObject({ ok: false });
    });

    it("does not keep a run that is cancelled while it waits", async () => {
      const { client, model } = await guarded();
      const { id } = await client.startRun({ question: "Which?", model, answersRequests: true });
      for await (const event of client.watch(id)) if (event.type === "request_opened") await client.cancel(id);
      expect((await client.run(id)).state).toBe("cancelled");
    });

    it("takes no word but those there are", async () => {
      const { client, served } = await guarded();
      const { id } = await client.startRun({ question: "Which?" });
      const response = await fetch(`${served.url}/api/runs/${id}/requests/x`, {
        ...{ method: "POST", headers: { "content-type": "application/json" } },
        body: JSON.stringify({ reply: "yes" }),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(/reply/);
    });
  });

  it("goes on after any record, from memory and, with another server, from the log", async () => {
    const { client, served } = await serving(twoAgents());
    const { id } = await client.startRun({ question: "Which?" });
    const whole = seqs(await all(client.watch(id)));
    const other = await serve(twoAgents(), ["ada", "bob"], { cwd: served.folder, home: served.folder });
    open.push(other);
    const elsewhere = createClient({ baseUrl: other.url });
    for (const after of [0, 1, 7, whole.length - 1, whole.length]) {
      expect(seqs(await all(client.watch(id, { after, factsOnly: true })))).toEqual(whole.slice(after));
      expect(seqs(await all(elsewhere.watch(id, { after })))).toEqual(whole.slice(after));
    }
    expect(await elsewhere.run(id)).toMatchObject({ id, state: "completed", winner: "bob" });
  });

  it("a watcher whose connection breaks again and again misses nothing and gets nothing twice", async () => {
    const { served } = await serving(twoAgents());
    let requests = 0;
    // Every stream of events is cut in the middle of its third event.
    const broken: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).includes("/events") || ++requests > 5) return response;
      const reader = response.body!.getReader();
      let text = "";
      for (let part = await reader.read(); !part.done && text.split("\n\n").length < 4; part = await reader.read())
        text += new TextDecoder().decode(part.value);
      void reader.cancel();
      return new Response(`${text.split("\n\n").slice(0, 2).join("\n\n")}\n\nid: 99\ndata: {"half`, { headers: response.headers });
    };
    const client = createClient({ baseUrl: served.url, fetch: broken });
    const { id } = await client.startRun({ question: "Which?" });
    const events = seqs(await all(client.watch(id, { factsOnly: true })));
    expect(events).toEqual(Array.from({ length: events.length }, (_, index) => index + 1));
    expect(requests).toBeGreaterThan(4);
  });

  it("answers now, cancels, and says when it is too late for either", async () => {
    const { respond, letGo } = held();
    const { client } = await serving(respond);
    const one = await client.startRun({ question: "One?" });
    expect(await client.cancel(one.id, "changed my mind")).toEqual({ took: true });
    const facts = await all(client.watch(one.id, { factsOnly: true }));
    expect(facts.at(-1)).toMatchObject({ type: "run_finished", status: "cancelled" });
    expect(await client.cancel(one.id)).toEqual({ took: false });
    const two = await client.startRun({ question: "Two?" });
    // Not before the agents are at work.
    await expect.poll(async () => (await client.answerNow(two.id)).took).toBe(true);
    letGo();
    await all(client.watch(two.id));
    expect(await client.answerNow(two.id)).toEqual({ took: false });
  });

  it("says something to the agents while they work, to all or to one, and says when nobody hears it any more", async () => {
    const { respond, letGo } = held();
    const { client, served } = await serving(respond);
    const { id } = await client.startRun({ question: "Which?" });
    await expect.poll(async () => (await client.sendInput(id, { text: "The server has 512 MB." })).took).toBe(true);
    expect(await client.sendInput(id, { text: "Mind the writes.", agent: "bob" })).toEqual({ took: true });
    const refused = await client.sendInput(id, { text: "Hello?", agent: "cyd" }).catch((error: ClientError) => error);
    expect(refused).toMatchObject({ status: 400, code: "unknown_agent" });
    expect(String((refused as ClientError).message)).toContain("ada, bob");
    for (const text of ["", " \n", "x".repeat(50_001)])
      expect(await client.sendInput(id, { text }).catch(({ status }) => status)).toBe(400);
    expect(await client.sendInput("log_nobody", { text: "Hello?" }).catch(({ code }) => code)).toBe("run_not_found");
    letGo();
    const events = await all(client.watch(id));
    expect(events.flatMap((event) => (event.type === "input_received" ? [[event.text, event.agents]] : []))).toEqual([
      ["The server has 512 MB.", ["ada", "bob"]],
      ["Mind the writes.", ["bob"]],
    ]);
    const told = served.simulator.requests.filter(({ canonicalText }) => canonicalText.includes("512 MB"));
    expect(told.length).toBeGreaterThan(1);
    expect(told.filter(({ canonicalText }) => canonicalText.includes("Mind the writes")).length).toBeGreaterThan(0);
    expect(await client.sendInput(id, { text: "Too late." })).toEqual({ took: false });
  });

  it("gives questions of one session to one conversation", async () => {
    const { client, served } = await serving(twoAgents());
    const first = await client.startRun({ question: "Which cache policy?", sessionId: "design" });
    await all(client.watch(first.id));
    await expect.poll(async () => (await client.sessions()).sessions[0]?.status).not.toBe("active");
    const second = await client.startRun({ question: "And for writes?", sessionId: "design" });
    expect(second.id).not.toBe(first.id);
    await all(client.watch(second.id));
    expect(served.simulator.requests.at(-1)?.canonicalText).toContain("ARC it is.");
    expect((await client.sessions()).sessions.map(({ id }) => id)).toEqual(["design"]);
  });

  it("goes on with a conversation by the team that answered last, unless the question names another", async () => {
    const pair = twoAgents();
    const { client, served } = await serving((request) => (request.model === "m" ? { kind: "message", text: "Mine." } : pair(request)));
    const one = served.simulator.baseUrl("chat_completions");
    await writeFile(
      join(served.folder, "solo.yaml"),
      JSON.stringify({ agents: [{ id: "solo", backend: { type: "chatcompletion", model: "m", base_url: one } }] }),
    );
    const ask = async (model?: string): Promise<RunSummary> => {
      const { id } = await client.startRun({ question: "Which?", sessionId: "design", ...(model === undefined ? {} : { model }) });
      await all(client.watch(id));
      await expect.poll(async () => (await client.sessions()).sessions[0]?.status).not.toBe("active");
      return client.run(id);
    };
    expect(await ask("massgen/path:solo.yaml")).toMatchObject({ agents: ["solo"], model: "massgen/path:solo.yaml" });
    expect(await ask()).toMatchObject({ agents: ["solo"], model: "massgen/path:solo.yaml", sessionId: "design" });
    expect(await ask("massgen")).toMatchObject({ agents: ["ada", "bob"], model: "massgen" });
    expect(await client.session("design")).toMatchObject({ model: "massgen", turns: [{ turn: 1 }, { turn: 2 }, { turn: 3 }] });
    // Another server knows the runs by their logs only.
    const other = await serve(twoAgents(), ["ada", "bob"], { cwd: served.folder, home: served.folder });
    open.push(other);
    const again = createClient({ baseUrl: other.url });
    const runIds = (await again.session("design")).turns.map(({ runId }) => runId ?? "");
    expect(await Promise.all(runIds.map((id) => again.run(id)))).toMatchObject([
      { model: "massgen/path:solo.yaml", sessionId: "design" },
      { model: "massgen/path:solo.yaml", sessionId: "design" },
      { model: "massgen", sessionId: "design" },
    ]);
  });

  it("steers a turn that is at work by the name that lists give its conversation", async () => {
    const { client } = await serving(() => new Promise(() => {}));
    const { id } = await client.startRun({ question: "Which?", sessionId: "design" });
    const { runs } = await client.listRuns();
    expect(runs).toMatchObject([{ id: id.replace(/\.1$/, ""), state: "running", sessionId: "design" }]);
    expect(await client.sendInput(runs[0]?.id ?? "", { text: "Mind the writes." })).toEqual({ took: true });
    expect(await client.cancel(runs[0]?.id ?? "")).toEqual({ took: true });
    await all(client.watch(id));
    await expect.poll(async () => (await client.listRuns()).runs[0]?.state).toBe("cancelled");
  });

  it("has kept the turn of a conversation when it is closed", async () => {
    const { client, served } = await serving(twoAgents());
    const { id } = await client.startRun({ question: "Which cache policy?", sessionId: "design" });
    await all(client.watch(id));
    await served.server.close(0);
    const other = await serve(twoAgents(), ["ada", "bob"], { cwd: served.folder, home: served.folder });
    open.push(other);
    const { sessions } = await createClient({ baseUrl: other.url }).sessions();
    expect(sessions).toMatchObject([{ id: "design", turns: 1 }]);
    expect(sessions[0]?.status).not.toBe("active");
  });

  it("refuses what is no run in words", async () => {
    const { client } = await serving(twoAgents());
    const refusal = (promise: Promise<unknown>) =>
      promise.then(
        () => null,
        (error: unknown) => error as ClientError,
      );
    for (const id of ["nothing", "log_20260101_000000_000000", "../../etc", "log_x/../y", "%2e%2e"])
      expect(await refusal(client.run(id))).toMatchObject({ status: 404, code: expect.any(String) });
    expect(await refusal(client.startRun({ question: "" }))).toMatchObject({ status: 400, code: "invalid_value" });
    expect(await refusal(client.startRun({ question: "x", sessionId: "../x" }))).toMatchObject({ status: 400 });
    expect(await refusal(client.startRun({ question: "x", model: "massgen/nothing" }))).toMatchObject({ status: 400 });
    expect(await refusal(createClient({ baseUrl: "http://127.0.0.1:1" }).run("x"))).toMatchObject({
      status: 0,
      code: "unreachable",
      final: false,
    });
  });
});

describe("a run as a page", () => {
  it("tells all of it so far, without secrets, as an attachment that no browser runs", async () => {
    const secret = "sk-ant-api03-0123456789abcdef0123456789";
    const { respond, letGo } = held();
    const { client, served } = await serving(respond, { env: { ANTHROPIC_API_KEY: secret } });
    const { id } = await client.startRun({ question: `Which cache, <script>pwned()</script> and ${secret}?` });
    for await (const event of client.watch(id)) if (event.type === "run_started") break;
    // A run at work is not waited for.
    expect(await client.exportPage(id)).toContain("The run came to no final answer.");
    letGo();
    await all(client.watch(id));
    const page = await client.exportPage(id);
    for (const part of ["ARC it is.", "Use LRU.", "adapts", "&lt;script&gt;pwned()&lt;/script&gt;"]) expect(page).toContain(part);
    expect(page).not.toContain(secret);
    expect(page).not.toContain("<script");
    expect(page).not.toContain(served.folder);
    const { headers } = await fetch(`${served.url}/api/runs/${id}/export`);
    expect(headers.get("content-disposition")).toBe("attachment");
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });

  it("of a run there is not is 404", async () => {
    const { client } = await serving(twoAgents());
    await expect(client.exportPage("log_20260101_000000_000000")).rejects.toMatchObject({ status: 404 });
  });
});

describe("files of a run", () => {
  it("are listed and given as bytes that no browser runs", async () => {
    const { client, served } = await serving(twoAgents());
    const { id } = await client.startRun({ question: "Which?" });
    await all(client.watch(id));
    await expect.poll(async () => (await client.artefacts(id)).artefacts.map(({ path }) => path)).toContain("final/bob/answer.txt");
    expect(new TextDecoder().decode(await client.artefact(id, "final/bob/answer.txt"))).toBe("ARC it is.");
    const { headers } = await fetch(`${served.url}/api/runs/${id}/artefacts/final/bob/answer.txt`);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("outside of its folder are not to be had, by any of fifty ways", async () => {
    const { client, served } = await serving(twoAgents());
    const { id } = await client.startRun({ question: "Which?" });
    await all(client.watch(id));
    const folder = join(served.folder, ".massgen/massgen_logs", id);
    await writeFile(join(served.folder, "canary.txt"), "CANARY");
    await mkdir(join(folder, "made"), { recursive: true });
    await symlink(served.folder, join(folder, "made/up"));
    await symlink(join(served.folder, "canary.txt"), join(folder, "made/file"));
    const up = "../../..";
    const ways = [
      "made/up/canary.txt",
      "made/file",
      "made/up",
      "made/./../../canary.txt",
      ...["/", "//", "\\", "%2f", "%252f", "%5c", "/./", "/%2e/"].flatMap((slash) => [
        `..${slash}..${slash}..${slash}canary.txt`,
        `%2e%2e${slash}%2e%2e${slash}%2e%2e${slash}canary.txt`,
        `final${slash}..${slash}..${slash}..${slash}..${slash}canary.txt`,
        `..;${slash}..;${slash}canary.txt`,
      ]),
      "/etc/passwd",
      "//etc/passwd",
      "file:///etc/passwd",
      `${up}/canary.txt%00.txt`,
      `${up}/canary.txt\0`,
      "~/canary.txt",
      "C:\\canary.txt",
      "\\\\host\\canary.txt",
      "%c0%ae%c0%ae/canary.txt",
      "..%c0%af..%c0%afcanary.txt",
      "．．/．．/．．/canary.txt",
      "…/canary.txt",
      `final/${up}/../canary.txt`,
      `${up}/${up}/etc/passwd`,
      "%2fetc%2fpasswd",
      `.${"/..".repeat(30)}/etc/passwd`,
    ];
    expect(ways.length).toBeGreaterThanOrEqual(50);
    for (const way of ways) {
      const response = await fetch(`${served.url}/api/runs/${id}/artefacts/${way}`);
      expect({ way, status: [400, 403, 404].includes(response.status) }).toEqual({ way, status: true });
      const text = await response.text();
      expect(text).not.toMatch(/CANARY|root:/);
      expect(text).not.toContain(served.folder);
    }
  });
});
