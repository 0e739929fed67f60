import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClientError, createClient, type MassgenClient } from "@massgen/client";
import { scriptedTeam, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { type Served, serve } from "./serve.js";

const KEY = "sk-ant-planted-0123456789";
const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});
async function settingUp(change: Parameters<typeof serve>[2] = {}): Promise<{ readonly served: Served; readonly client: MassgenClient }> {
  const served = await serve(scriptedTeam({ "ada-model": [step.text("Hello.")] }), ["ada"], { setup: true, ...change });
  open.push(served);
  return { served, client: createClient({ baseUrl: served.url }) };
}
const providerOf = async (client: MassgenClient, type: string) => (await client.setup()).providers.find((one) => one.type === type);

describe("keys and teams over the API", () => {
  it("are not there unless they are asked for", async () => {
    const { client } = await settingUp({ setup: false });
    await expect(client.setup()).rejects.toMatchObject({ status: 404 });
    await expect(client.saveConfig({ name: "x", text: "" })).rejects.toMatchObject({ status: 404 });
  });

  it("a key is kept in a file for its owner alone, counts at once, and is never sent back or logged", async () => {
    const { client, served } = await settingUp();
    expect(await providerOf(client, "claude")).toMatchObject({ key: "missing", variable: "ANTHROPIC_API_KEY" });
    expect(await client.storeKey("ANTHROPIC_API_KEY", ` ${KEY}\n`)).toEqual({ variable: "ANTHROPIC_API_KEY", wins: true });
    const file = join(served.folder, ".config", "massgen", ".env");
    expect(await readFile(file, "utf8")).toBe(`ANTHROPIC_API_KEY=${KEY}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await providerOf(client, "claude")).toMatchObject({ key: "set" });
    expect(JSON.stringify(await client.setup())).not.toContain("planted");
    expect(served.logLines.join("")).not.toContain("planted");
  });

  it("says where a key comes from, takes one out of its file again, and leaves all else in it", async () => {
    const processEnv = { OPENAI_API_KEY: "sk-proj-first-0123456789" };
    const { client, served } = await settingUp({ env: { ...processEnv, GROQ_API_KEY: "gsk_elsewhere_0123456789" }, processEnv });
    const file = join(served.folder, ".config", "massgen", ".env");
    await mkdir(join(served.folder, ".config", "massgen"), { recursive: true });
    await writeFile(file, "# mine\r\nOTHER=1\r\n");
    await client.storeKey("ANTHROPIC_API_KEY", KEY);
    expect(await providerOf(client, "claude")).toMatchObject({ key: "set", from: "keyFile" });
    expect(await providerOf(client, "openai")).toMatchObject({ key: "set", from: "environment" });
    expect(await providerOf(client, "groq")).toMatchObject({ key: "set", from: "otherFile" });
    expect(await client.removeKey("ANTHROPIC_API_KEY")).toEqual({ variable: "ANTHROPIC_API_KEY", removed: true, still: false });
    expect(await providerOf(client, "claude")).toMatchObject({ key: "missing", from: null });
    expect(await readFile(file, "utf8")).toBe("# mine\r\nOTHER=1\r\n");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await client.removeKey("OPENAI_API_KEY")).toEqual({ variable: "OPENAI_API_KEY", removed: false, still: true });
    await expect(client.removeKey("OTHER")).rejects.toMatchObject({ status: 400 });
    expect(await readFile(file, "utf8")).toContain("OTHER=1");
    const elsewhere = await fetch(`${served.url}/api/setup/keys/ANTHROPIC_API_KEY`, {
      method: "DELETE",
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(elsewhere.status).toBe(403);
    expect(served.logLines.join("")).not.toMatch(/planted|elsewhere_|first-/);
  });

  it("removes a key by the name that holds it, and goes on with what another file says", async () => {
    const { client, served } = await settingUp();
    const file = join(served.folder, ".config", "massgen", ".env");
    await client.storeKey("GEMINI_API_KEY", "AIza-planted-0123456789");
    expect(await providerOf(client, "gemini")).toMatchObject({ variable: "GEMINI_API_KEY", from: "keyFile" });
    expect(await client.removeKey("GEMINI_API_KEY")).toMatchObject({ removed: true, still: false });
    expect(await providerOf(client, "gemini")).toMatchObject({ variable: "GOOGLE_API_KEY", key: "missing" });
    await client.storeKey("ANTHROPIC_API_KEY", KEY);
    await writeFile(join(served.folder, ".env"), "ANTHROPIC_API_KEY=sk-ant-other-0123456789\n");
    // The file of the project counts more, now and after a restart.
    expect(await client.storeKey("ANTHROPIC_API_KEY", KEY)).toMatchObject({ wins: false });
    expect(await client.removeKey("ANTHROPIC_API_KEY")).toMatchObject({ removed: true, still: true });
    expect(await providerOf(client, "claude")).toMatchObject({ key: "set", from: "otherFile" });
    expect(await readFile(file, "utf8")).toBe("");
  });

  it("says when the environment of the server has another value, which counts", async () => {
    const processEnv = { ANTHROPIC_API_KEY: "sk-ant-first-0123456789" };
    const { client } = await settingUp({ env: processEnv, processEnv });
    expect(await client.storeKey("ANTHROPIC_API_KEY", KEY)).toMatchObject({ wins: false });
  });

  it.each([
    ["PATH", KEY, "no variable"],
    ["LD_PRELOAD", KEY, "no variable"],
    ["OPENAI_API_KEY", KEY, "key of Anthropic"],
    ["ANTHROPIC_API_KEY", "sk-ant planted", "no spaces"],
    ["ANTHROPIC_API_KEY", "x\nEVIL=1 planted", "no spaces"],
    ["ANTHROPIC_API_KEY", "", "Paste the key"],
  ])("refuses %s=%j without repeating it", async (variable, value, why) => {
    const { client, served } = await settingUp();
    const error = await client.storeKey(variable, value).catch((caught: ClientError) => caught);
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining(why) });
    expect(JSON.stringify(error)).not.toContain("planted");
    expect(await readdir(served.folder)).not.toContain(".config");
  });

  it("marks the default team, wherever it lies, and says of each team who could speak now", async () => {
    const { client, served } = await settingUp();
    await writeFile(join(served.folder, "two.yaml"), "agents:\n- {id: a, backend: {type: claude, model: claude-haiku-4-5}}\n");
    const teams = await client.configs();
    expect(teams.filter(({ isDefault }) => isDefault)).toMatchObject([
      { model: "massgen/path:team.yaml", name: "team.yaml", summary: "1 agent: ada-model", agents: [{ id: "ada", key: "none" }] },
    ]);
    const two = async () => (await client.configs()).find(({ model }) => model === "massgen/path:two.yaml")?.agents;
    expect(await two()).toEqual([
      { id: "a", type: "claude", model: "claude-haiku-4-5", key: "missing", variables: expect.arrayContaining(["ANTHROPIC_API_KEY"]) },
    ]);
    await client.storeKey("ANTHROPIC_API_KEY", KEY);
    expect(await two()).toMatchObject([{ key: "set" }]);
  });

  it("shows a default team that lies elsewhere by its own name", async () => {
    const { served } = await settingUp();
    const cwd = join(served.folder, "work");
    await mkdir(join(served.folder, ".config", "massgen"), { recursive: true });
    await mkdir(cwd);
    await writeFile(join(served.folder, ".config", "massgen", "config.yaml"), await readFile(join(served.folder, "team.yaml")));
    const { client } = await settingUp({ cwd, home: served.folder, config: null });
    const [first] = await client.configs();
    expect(first).toMatchObject({ model: "massgen", name: "~/.config/massgen/config.yaml", isDefault: true, agents: [{ id: "ada" }] });
    expect(await client.configText("massgen")).toContain("ada-model");
  });

  it("says of a default team whose key is missing what is missing, until it is there", async () => {
    const { client, served } = await settingUp();
    await writeFile(join(served.folder, "team.yaml"), "agents:\n- {id: a, backend: {type: claude, model: claude-haiku-4-5}}\n");
    expect((await client.setup()).problem).toMatch(/Agent "a".*ANTHROPIC_API_KEY/);
    await client.storeKey("ANTHROPIC_API_KEY", KEY);
    expect((await client.setup()).problem).toBeNull();
  });

  it("lists folders to choose from: folders first, hidden last, and says what cannot be listed", async () => {
    const { client, served } = await settingUp();
    for (const name of ["src", ".git", "docs"]) await mkdir(join(served.folder, "project", name), { recursive: true });
    await writeFile(join(served.folder, "project", "a.txt"), "");
    await symlink(join(served.folder, "project", "src"), join(served.folder, "project", "link"));
    const listed = await client.folder("project");
    expect(listed).toMatchObject({ path: join(served.folder, "project"), parent: served.folder, truncated: false });
    expect(listed.entries.map(({ name, isFolder }) => (isFolder ? `${name}/` : name))).toEqual([
      "docs/",
      "link/",
      "src/",
      "a.txt",
      ".git/",
    ]);
    expect((await client.folder()).path).toBe(served.folder);
    expect((await client.folder("~")).path).toBe(served.folder);
    expect((await client.folder("/")).parent).toBeNull();
    await expect(client.folder("nothing")).rejects.toMatchObject({ status: 404, code: "not_found" });
    await expect(client.folder("project/a.txt")).rejects.toMatchObject({ status: 400, code: "not_a_folder" });
    const elsewhere = await fetch(`${served.url}/api/folders`, { headers: { "sec-fetch-site": "cross-site" } });
    expect(elsewhere.status).toBe(403);
  });

  it("gives a run folders of this machine, and refuses those that are not there", async () => {
    const { client, served } = await settingUp();
    const project = join(served.folder, "project");
    await mkdir(project);
    await writeFile(join(project, "notes.txt"), "cache: ARC");
    await expect(client.startRun({ question: "Which?", contextPaths: [{ path: "nothing", permission: "read" }] })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/Context paths that do not exist: nothing/),
    });
    const { id } = await client.startRun({ question: "Which?", contextPaths: [{ path: "project", permission: "read" }] });
    const ends: string[] = [];
    for await (const event of client.watch(id)) if (event.type === "run_finished") ends.push(event.status);
    expect(ends).toEqual(["completed"]);
    expect(served.simulator.requests[0]?.canonicalText).toContain(project);
  });

  it("keeps folders from whoever may not write teams either", async () => {
    const { client } = await settingUp({ setup: false });
    await expect(client.folder()).rejects.toMatchObject({ status: 404 });
    await expect(client.startRun({ question: "Which?", contextPaths: [{ path: "/" }] })).rejects.toMatchObject({ status: 403 });
    const own = await settingUp();
    const started = await fetch(`${own.served.url}/api/runs`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "cross-site", origin: "https://elsewhere.example" },
      body: JSON.stringify({ question: "Which?", contextPaths: [{ path: "/" }] }),
    });
    expect(started.status).toBe(403);
  });

  it("drafts a team, checks it, keeps it, and runs it", async () => {
    const { client, served } = await settingUp();
    const text = await client.draftConfig({
      agents: [
        { type: "claude", model: "claude-sonnet-4-5" },
        { id: "second", type: "openai", model: "gpt-5-mini" },
      ],
    });
    expect(await client.checkConfig(text)).toEqual({ isValid: true, findings: [], agents: ["agent_a", "second"] });
    const saved = await client.saveConfig({ name: "mine", text });
    expect(saved).toEqual({ model: "massgen/path:.massgen/mine.yaml", path: join(".massgen", "mine.yaml") });
    await expect(client.saveConfig({ name: "mine", text })).rejects.toMatchObject({ status: 409 });
    const own = await readFile(join(served.folder, "team.yaml"), "utf8");
    expect(await client.saveConfig({ name: "mine", text: own, replace: true })).toEqual(saved);
    expect(await readdir(join(served.folder, ".massgen"))).toEqual(expect.arrayContaining(["mine.yaml", "mine.yaml.bak"]));
    const listed = await client.configs();
    expect(listed.map(({ model }) => model)).toEqual(expect.arrayContaining([saved.model, "massgen/path:team.yaml"]));
    expect(await client.configText(saved.model)).toBe(own);
    const { id } = await client.startRun({ question: "Hello?", model: saved.model });
    for await (const _ of client.watch(id));
    expect((await client.run(id)).state).toBe("completed");
  });

  it("finds what is wrong in a text, with its place and the way out, and keeps no such team", async () => {
    const { client, served } = await settingUp();
    const text = "agents:\n  - id: a\n    backend: {type: opnai, model: gpt-5-mini}\n";
    const { isValid, findings } = await client.checkConfig(text);
    expect({ isValid, first: findings[0] }).toMatchObject({
      isValid: false,
      first: { severity: "error", line: 3, suggestion: expect.stringContaining("openai") },
    });
    await expect(client.saveConfig({ name: "broken", text })).rejects.toMatchObject({ status: 400 });
    expect(await readdir(served.folder)).not.toContain(".massgen");
  });

  it.each(["../x", "a/b", ".hidden", "", "a.yaml", "con fig", "x".repeat(65), "a\0b"])("refuses the name %j", async (name) => {
    const { client } = await settingUp();
    await expect(client.saveConfig({ name, text: "agents: []\n" })).rejects.toMatchObject({ status: 400 });
  });

  it("shows only teams that it lists", async () => {
    const { client, served } = await settingUp();
    await mkdir(join(served.folder, "secret"));
    await writeFile(join(served.folder, "secret", "team.yaml"), "agents: []\n");
    for (const model of ["massgen/path:secret/team.yaml", "massgen/path:../x.yaml", "massgen/path:.env", "massgen/../../etc/passwd"])
      await expect(client.configText(model)).rejects.toMatchObject({ status: 404 });
  });

  it("changes nothing for a page of another origin", async () => {
    const { served } = await settingUp();
    const send = (headers: Record<string, string>) =>
      served.server.app.inject({ method: "PUT", url: "/api/setup/keys", headers, payload: { variable: "ANTHROPIC_API_KEY", value: KEY } });
    const evil = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect((await send(evil)).statusCode).toBe(403);
    expect((await send({ ...evil, "sec-fetch-site": "same-site" })).statusCode).toBe(403);
    expect((await served.server.app.inject({ method: "POST", url: "/api/runs/x/cancel", headers: evil })).statusCode).toBe(403);
    expect((await send({ "sec-fetch-site": "same-origin", origin: served.url })).statusCode).toBe(200);
  });

  it("is for its own page alone, also where other origins may call the server", async () => {
    const { served } = await settingUp({ corsOrigins: ["https://friend.example"] });
    const headers = { "sec-fetch-site": "cross-site", origin: "https://friend.example" };
    const payload = { name: "theirs", text: "agents: []" };
    for (const [method, url] of [
      ["GET", "/api/setup"],
      ["GET", "/api/configs?x=1"],
      ["PUT", "/api/setup/keys"],
      ["POST", "/api/configs"],
      ["POST", "/api/configs/check"],
    ] as const)
      expect((await served.server.app.inject({ method, url, headers, ...(method === "GET" ? {} : { payload }) })).statusCode, url).toBe(
        403,
      );
    expect((await served.server.app.inject({ method: "GET", url: "/v1/models", headers })).statusCode).toBe(200);
  });
});
