import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type MassgenClient } from "@massgen/client";
import type { RunEvent } from "@massgen/contracts";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { emptyRunView, foldRecord } from "@massgen/views";
import { afterEach, describe, expect, it } from "vitest";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0).toReversed()) await served.close();
});

const twoAgents = (): Respond =>
  scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
    "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
  });

interface Playing {
  readonly served: Served;
  readonly client: MassgenClient;
  readonly id: string;
}

/** A server that plays one run. */
async function playing(respond: Respond = twoAgents()): Promise<Playing> {
  const served = await serve(respond, ["ada", "bob"]);
  open.push(served);
  const client = createClient({ baseUrl: served.url });
  const { id } = await client.startRun({ question: "Which cache?" });
  return { served, client, id };
}

/** The folder of the log, once its server has written all of it and is gone. */
async function closedLog({ folder, server }: Served, id: string): Promise<string> {
  await server.close(20_000);
  return join(folder, ".massgen", "massgen_logs", id);
}

/** A server that only shows what the other has written, and has neither team nor key. */
async function showing(folder: string, logs: Readonly<Record<string, string>> = {}): Promise<{ served: Served; client: MassgenClient }> {
  const change = { cwd: folder, home: folder, env: {}, config: null, setup: true, recorded: { logs } };
  const served = await serve(scriptedTeam(), ["nobody"], change);
  open.push(served);
  return { served, client: createClient({ baseUrl: served.url }) };
}

async function all(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const found: RunEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}
const viewOf = (events: readonly RunEvent[]) =>
  events.reduce((now, event) => ("seq" in event ? foldRecord(now, event) : now), emptyRunView).state;

describe("a server that only shows runs", () => {
  it("shows a recorded run whole, without a team and without a key, and leaves the log as it is", async () => {
    const { served, client: player, id } = await playing();
    await all(player.watch(id));
    const root = await closedLog(served, id);
    const before = await filesIn(root);
    const { client } = await showing(served.folder);
    const { runs, total, readOnly } = await client.listRuns();
    expect({ ids: runs.map((run) => run.id), total, readOnly }).toEqual({ ids: [id], total: 1, readOnly: true });
    expect(viewOf(await all(client.watch(id)))).toMatchObject({ status: "completed", finalAnswer: "ARC it is." });
    expect((await client.run(id)).winner).toBe("bob");
    expect((await client.review(id)).state).toBe("none");
    expect((await client.artefacts(id)).artefacts.map(({ path }) => path)).toContain("final/bob/answer.txt");
    expect(await client.exportPage(id)).toContain("ARC it is.");
    expect(await filesIn(root)).toEqual(before);
  });

  it("follows a run that is still written, to its end", async () => {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const play = twoAgents();
    const { served, id } = await playing((request) => (request.model === "bob-model" ? gate.then(() => play(request)) : play(request)));
    const { client } = await showing(served.folder);
    const seen: RunEvent[] = [];
    for await (const event of client.watch(id)) {
      seen.push(event);
      // The first answer is read from the file while the run waits for the second.
      if (event.type === "answer_submitted") letGo();
    }
    expect(viewOf(seen)).toMatchObject({ status: "completed", finalAnswer: "ARC it is." });
    const numbers = seen.flatMap((event) => ("seq" in event ? [event.seq] : []));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it.each([
    ["POST", "/api/runs"],
    ["POST", "/api/runs/ID/answer-now"],
    ["POST", "/api/runs/ID/cancel"],
    ["POST", "/api/runs/ID/input"],
    ["POST", "/api/runs/ID/requests/1"],
    ["POST", "/api/runs/ID/review"],
    ["PUT", "/api/setup/keys"],
    ["POST", "/api/configs"],
    ["POST", "/api/configs/draft"],
    ["POST", "/v1/chat/completions"],
    ["POST", "/v1/responses"],
    ["POST", "/mcp"],
    ["DELETE", "/api/runs/ID"],
    ["PATCH", "/"],
  ])("refuses %s %s and says why", async (method, path) => {
    const { served, client: player, id } = await playing();
    await all(player.watch(id));
    const { served: shown } = await showing(served.folder);
    const response = await fetch(`${shown.url}${path.replace("ID", id)}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question: "Which cache?", text: "Hurry!", accept: "all" }),
    });
    const { error } = (await response.json()) as { readonly error: { readonly code: string; readonly message: string } };
    expect([response.status, error.code]).toEqual([403, "read_only"]);
    expect(error.message).toContain("only shows runs");
  });

  it("has no route that does more than look, nor one for keys, teams and conversations", async () => {
    const { served, id } = await playing();
    const { served: shown, client } = await showing(served.folder);
    expect(shown.server.routes().map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /health",
      "GET /ready",
      "GET /metrics",
      "GET /openapi.json",
      "GET /api/runs",
      "GET /api/runs/:id",
      "GET /api/runs/:id/events",
      "GET /api/runs/:id/review",
      "GET /api/runs/:id/export",
      "GET /api/runs/:id/artefacts",
      "GET /api/runs/:id/artefacts/*",
    ]);
    for (const asked of [client.setup(), client.configs(), client.sessions(), client.teams()])
      await expect(asked).rejects.toMatchObject({ status: 404 });
    expect((await fetch(`${shown.url}/ready`)).status).toBe(200);
    await expect(client.cancel(id)).rejects.toMatchObject({ status: 403, code: "read_only" });
  });

  it("shows a log from elsewhere under the id it is given, first, and nothing else from there", async () => {
    const { served, client: player, id } = await playing();
    await all(player.watch(id));
    const root = await closedLog(served, id);
    const elsewhere = join(served.folder, "kept", "my log");
    await cp(root, elsewhere, { recursive: true });
    const { client } = await showing(served.folder, { shown: elsewhere });
    expect((await client.listRuns()).runs.map((run) => run.id)).toEqual(["shown", id]);
    expect(await client.run("shown.1")).toMatchObject({ id: "shown.1", question: "Which cache?" });
    for (const other of ["kept", "shown.2", "shown.0", "../shown", "shown/..", "log_none", ".", "constructor", "__proto__"])
      await expect(client.run(other), other).rejects.toMatchObject({ status: 404 });
    await rm(elsewhere, { recursive: true });
    await expect(client.run("shown")).rejects.toMatchObject({ status: 404 });
  });
});

/** Every file below a folder with its content. */
async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(await Promise.all(paths.toSorted().map(async (path) => [path, await readFile(path, "utf8")] as const)));
}
