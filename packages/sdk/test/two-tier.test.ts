import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SimulatedReply, startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/index.js";

let folder = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "massgen-tiers-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const call = (name: string, input: object): SimulatedReply => ({ kind: "message", toolCalls: [{ name, input: input as never }] });

describe("a run with two-tier workspaces", { timeout: 30_000 }, () => {
  it("T1.19: agents are told of the folders, and every answer is one [SNAPSHOT] in the history", async () => {
    const shown: string[] = [];
    const simulator = await startSimulator({
      respond: ({ messages, system }) => {
        const all = messages.map(({ text }) => text).join("\n");
        shown.push(`${system}\n${all}`);
        if (all.includes("<current_answers>")) return call("vote", { agent_id: "agent1", reason: "Fine." });
        return messages.some(({ role }) => role === "tool")
          ? call("new_answer", { content: "See deliverable/report.md." })
          : call("write_file", { path: "deliverable/report.md", content: "# Report\n" });
      },
    });
    try {
      const backend = {
        type: "chatcompletion",
        base_url: simulator.baseUrl("chat_completions"),
        api_key: "key-12345678",
        model: "m",
        cwd: "ws",
      };
      const result = await run("Work.", {
        config: {
          agents: [{ id: "ada", backend }],
          orchestrator: { single_agent_mode: "refine", max_new_answers_per_agent: 1, coordination: { use_two_tier_workspace: true } },
        },
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      });
      expect(result.status).toBe("completed");
      expect(shown[0]).toContain("Put everything that belongs to your answer into deliverable/.");
      const snapshots = join(folder, ".massgen", "snapshots");
      const [runId] = await readdir(snapshots);
      const history = join(snapshots, runId!, "ada", "history.git");
      const git = (...args: readonly string[]): string => execFileSync("git", [`--git-dir=${history}`, ...args], { encoding: "utf8" });
      expect(git("log", "--format=%s", "main").trim().split("\n")).toEqual(["[SNAPSHOT] v0001", "[INIT] Workspace"]);
      expect(git("ls-tree", "-r", "--name-only", "main").trim()).toBe("deliverable/report.md");
    } finally {
      await simulator.close();
    }
  });
});
