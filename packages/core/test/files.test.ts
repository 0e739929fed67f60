import type { AgentId, PermissionPolicy, SnapshotRef, TurnRequest, WorkspaceProvider } from "@massgen/contracts";
import { newAnswer, type Turn, text, toolCall, vote } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { factsOf, runTeam, type TeamOptions, textOf } from "./support/run-team.js";
import { said, tool } from "./support/tool.js";

type Tree = ReadonlyMap<string, string>;

/** Folders that are maps: what an agent wrote, its versions, and what each viewer is shown. */
function mapFolders(broken: { readonly publish?: boolean; readonly restore?: boolean } = {}) {
  const live = new Map<AgentId, Map<string, string>>();
  const versions = new Map<string, Tree>();
  const views = new Map<AgentId, ReadonlyMap<string, Tree>>();
  const log: string[] = [];
  const rootOf = (agent: AgentId): Map<string, string> => {
    const root = live.get(agent) ?? new Map<string, string>();
    live.set(agent, root);
    return root;
  };
  const keyOf = ({ agent, version }: SnapshotRef): string => `${agent} ${version}`;
  const provider: WorkspaceProvider = {
    open: async (agent) => ({
      agent,
      root: `/live/${agent}`,
      async publish() {
        if (broken.publish) throw new Error("ENOSPC");
        const snapshot = { agent, version: `v${versions.size + 1}` };
        versions.set(keyOf(snapshot), new Map(rootOf(agent)));
        log.push(`publish ${agent} ${snapshot.version}`);
        return snapshot;
      },
      async restore(snapshot) {
        if (broken.restore) throw new Error("EIO");
        live.set(agent, new Map(versions.get(keyOf(snapshot))));
        log.push(`restore ${agent} ${snapshot.version}`);
      },
      async clear() {
        live.set(agent, new Map());
        log.push(`clear ${agent}`);
      },
    }),
    async refreshView(viewer, shown) {
      views.set(viewer, new Map([...shown].map(([anon, snapshot]) => [anon, versions.get(keyOf(snapshot))!])));
      log.push(`view ${viewer} ${[...shown.keys()].join("+")}`);
      return { path: `/views/${viewer}` };
    },
    close: () => Promise.resolve(),
  };
  /** Writes a file into the folder of whoever calls it. */
  const write = tool("write_file", ({ path, content }, { agent }) => {
    rootOf(agent).set(String(path), String(content));
    return said("written");
  });
  const pathsFor = (viewer: AgentId, author: AgentId, content: string): string =>
    content.replaceAll(`/live/${author}/`, `/views/${viewer}/${author === "ada" ? "agent1" : "agent2"}/`);
  return { provider, pathsFor, write, live, versions, views, log };
}

const isPresenting = (prompt: string): boolean => prompt.includes("The team has decided");

/** Writes a file first, answers with its path, votes for agent1 once it sees an answer; presents after writing once more. */
const worker =
  (name: AgentId, seen: string[] = []) =>
  (request: TurnRequest): Turn => {
    const prompt = textOf(request);
    const isFresh = request.messages.length === 2;
    if (isPresenting(prompt)) return isFresh ? toolCall("write_file", { path: "final.md", content: "final" }) : text("the result");
    if (prompt.includes("<current_answers>")) {
      if (isFresh) seen.push(prompt);
      return vote("agent1", "it runs");
    }
    return isFresh ? toolCall("write_file", { path: "draft.md", content: name }) : newAnswer(`${name}: see /live/${name}/draft.md`);
  };

function teamOptions({ provider, pathsFor, write }: ReturnType<typeof mapFolders>): TeamOptions {
  const files = (id: AgentId) => ({
    workspace: `/live/${id}`,
    peers: `/views/${id}`,
    contexts: [{ path: "/project", access: "write" as const }],
  });
  return {
    workspaces: provider,
    pathsFor,
    agents: { ada: { tools: [write], files: files("ada") }, bob: { tools: [write], files: files("bob") } },
  };
}

describe("files of a team", () => {
  it("belong to the answer they were made for; others read them under anonymous names", async () => {
    const folders = mapFolders();
    const seen: string[] = [];
    const { facts, outcome } = await runTeam({ ada: worker("ada", seen), bob: worker("bob", seen) }, teamOptions(folders));
    expect(outcome).toMatchObject({ status: "completed", winner: "ada", finalAnswer: "the result" });
    const answers = factsOf(facts, "answer_submitted");
    expect(answers.map(({ agent, snapshot }) => [agent, folders.versions.get(`${agent} ${snapshot?.version}`)?.get("draft.md")])).toEqual([
      ["ada", "ada"],
      ["bob", "bob"],
    ]);
    expect([...folders.views.get("bob")!.keys()]).toEqual(["agent1", "agent2"]);
    for (const prompt of seen) {
      expect(prompt).not.toMatch(/\/live\/(ada|bob)\/draft/);
      expect(prompt).toMatch(/\/views\/(ada|bob)\/agent1\/draft\.md/);
    }
  });

  it("are there before the prompt that names them", async () => {
    const folders = mapFolders();
    const order: string[] = [];
    const watching = (name: AgentId) => (request: TurnRequest) => {
      if (request.messages.length === 2 && textOf(request).includes("<current_answers>"))
        order.push(`${name} ${folders.log.includes(`view ${name} agent1+agent2`)}`);
      return worker(name)(request);
    };
    await runTeam({ ada: watching("ada"), bob: watching("bob") }, teamOptions(folders));
    expect(order.filter((entry) => entry.endsWith("false"))).toEqual([]);
    expect(order.length).toBeGreaterThanOrEqual(2);
  });

  it("the workspace is empty after an answer of one's own, unless it is to be kept", async () => {
    const cleared = mapFolders();
    await runTeam({ ada: worker("ada"), bob: worker("bob") }, teamOptions(cleared));
    expect(cleared.log.filter((entry) => entry === "clear bob")).toHaveLength(1);
    expect(cleared.live.get("bob")!.size).toBe(0);
    const kept = mapFolders();
    await runTeam({ ada: worker("ada"), bob: worker("bob") }, { ...teamOptions(kept), workspaceBetweenRounds: "keep" });
    expect(kept.log.some((entry) => entry.startsWith("clear"))).toBe(false);
    expect(kept.live.get("bob")!.get("draft.md")).toBe("bob");
  });

  it("the presenter works on those that won, and what it leaves is delivered", async () => {
    const folders = mapFolders();
    const { facts } = await runTeam({ ada: worker("ada"), bob: worker("bob") }, teamOptions(folders));
    const [finished] = factsOf(facts, "presentation_finished");
    expect(finished).toMatchObject({ agent: "ada", fallback: null });
    const delivered = folders.versions.get(`ada ${finished?.snapshot?.version}`);
    expect([...(delivered ?? [])]).toEqual([
      ["draft.md", "ada"],
      ["final.md", "final"],
    ]);
  });

  it("a presentation that cannot have them is not made: stored answer and its files are the result", async () => {
    const folders = mapFolders({ restore: true });
    const { facts, outcome } = await runTeam({ ada: worker("ada"), bob: worker("bob") }, teamOptions(folders));
    const [finished] = factsOf(facts, "presentation_finished");
    expect(outcome.status).toBe("completed");
    expect(finished).toMatchObject({ fallback: "error", content: "ada: see /live/ada/draft.md" });
    expect(folders.versions.get(`ada ${finished?.snapshot?.version}`)?.get("draft.md")).toBe("ada");
  });

  it("in a new attempt everybody starts from an empty folder and can look at what was presented before", async () => {
    const folders = mapFolders();
    const prompts: string[] = [];
    const again = (name: AgentId) => (request: TurnRequest) => {
      const prompt = textOf(request);
      if (request.tools[0]?.name === "submit") return toolCall("restart_orchestration", { reason: "Thin.", instructions: "More." });
      if (prompt.includes("<previous_attempt>") && request.messages.length === 2) {
        prompts.push(prompt);
        folders.log.push(`begin ${name} ${folders.live.get(name)?.size ?? 0} ${[...(folders.views.get(name)?.keys() ?? [])].join("+")}`);
      }
      return worker(name)(request);
    };
    const options = teamOptions(folders);
    const { outcome } = await runTeam({ ada: again("ada"), bob: again("bob") }, { ...options, policy: { maxRestarts: 1 } });
    expect(outcome.status).toBe("completed");
    const begun = folders.log.filter((entry) => entry.startsWith("begin"));
    expect(begun.slice(0, 2).toSorted()).toEqual(["begin ada 0 previous_attempt", "begin bob 0 previous_attempt"]);
    expect([...(folders.views.get("bob")?.get("previous_attempt") ?? [])]).toEqual([
      ["draft.md", "ada"],
      ["final.md", "final"],
    ]);
    expect(prompts[0]).toContain("Its files stand in the folder `previous_attempt`");
  });

  it("a disk that fails costs the files, with a warning, and not the answer", async () => {
    const folders = mapFolders({ publish: true });
    const { deltas, facts, outcome } = await runTeam({ ada: worker("ada"), bob: worker("bob") }, teamOptions(folders));
    expect(outcome.status).toBe("completed");
    expect(factsOf(facts, "answer_submitted").every(({ snapshot }) => snapshot === null)).toBe(true);
    expect(deltas.some((delta) => delta.type === "notice" && delta.message.includes("ENOSPC"))).toBe(true);
  });

  it("in a sequence the last stage writes what is to be delivered, in its round, and nobody before it", async () => {
    const folders = mapFolders();
    const channels: string[] = [];
    const note = tool("note", (_input, { agent, channel }) => {
      channels.push(`${agent} ${channel}`);
      return said("noted");
    });
    const policy = (presenter: AgentId | null): PermissionPolicy => ({
      resolve: async (_agent, _op, path) => ({ lexical: path, real: path }),
      decide: async (agent) =>
        agent === presenter ? { type: "allow", rule: "context" } : { type: "deny", rule: "READ_ONLY", reason: "no" },
      forPresentation: (agent) => policy(agent),
    });
    const stage = (request: TurnRequest): Turn =>
      request.messages.length === 2 ? toolCall("note", {}) : newAnswer(`stage ${textOf(request).length}`);
    const options = teamOptions(folders);
    const agents = Object.fromEntries(Object.entries(options.agents ?? {}).map(([id, agent]) => [id, { ...agent, tools: [note] }]));
    const { backends, facts, outcome } = await runTeam(
      { ada: stage, bob: stage },
      { ...options, agents, mode: "sequential", permissions: policy(null) },
    );
    expect(outcome).toMatchObject({ status: "completed", winner: "bob" });
    expect(factsOf(facts, "tool_complete").map(({ agent, ok }) => [agent, ok])).toEqual([
      ["ada", false],
      ["bob", true],
    ]);
    expect(channels).toEqual(["bob presentation"]);
    expect(textOf(backends["ada"]!.requests[0]!)).not.toContain("You can write to");
    expect(textOf(backends["bob"]!.requests[0]!)).toContain("You can write to /project now");
  });

  it("EC56: what is to be delivered may be written by the presenter alone, and only then", async () => {
    const folders = mapFolders();
    const asked: string[] = [];
    const policy = (presenter: AgentId | null): PermissionPolicy => ({
      resolve: async (_agent, _op, path) => ({ lexical: path, real: path }),
      async decide(agent) {
        asked.push(`${agent}${agent === presenter ? " presenting" : ""}`);
        return agent === presenter ? { type: "allow", rule: "context" } : { type: "deny", rule: "READ_ONLY", reason: "Error [READ_ONLY]" };
      },
      forPresentation: (agent) => policy(agent),
    });
    const { facts } = await runTeam({ ada: worker("ada"), bob: worker("bob") }, { ...teamOptions(folders), permissions: policy(null) });
    expect(factsOf(facts, "tool_complete").map(({ agent, ok }) => [agent, ok])).toEqual([
      ["ada", false],
      ["bob", false],
      ["ada", true],
    ]);
    expect(asked).toEqual(["ada", "bob", "ada presenting"]);
  });
});
