import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedTeam, startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/index.js";
import { call, playPlan, read, write } from "./play-plan.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-cwd-"));
  await writeFile(join(folder, "a.txt"), "the user's\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the folder of the run as a context path", { timeout: 30_000 }, () => {
  it("can be written by the presenter, and hides what the run keeps in it", async () => {
    const { result, results } = await playPlan(
      {
        work: () => [
          call("list_directory", { path: folder, show_hidden: true, include_ignored: true }),
          call("glob", { pattern: "**/*", path: folder }),
        ],
        present: [
          read(join(folder, "a.txt")),
          write(join(folder, "a.txt"), "the presenter's\n"),
          write(join(folder, ".massgen", "x"), "x"),
        ],
      },
      { folder, agents: ["ada", "bob"], orchestrator: { context_paths: [{ path: ".", permission: "write" }] } },
    );
    expect(result.changes?.files.map(({ name, outcome }) => [name, outcome])).toEqual([["a.txt", "applied"]]);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("the presenter's\n");
    const [listed, found] = results("bob");
    expect(listed).toContain("a.txt");
    expect(`${listed}${found}`).not.toMatch(/workspaces|snapshots|massgen_logs/);
  });

  it("T2.6: no other permission than reading and writing, and no path that is not there", async () => {
    const play = (entry: object) => playPlan({}, { folder, agents: ["ada"], orchestrator: { context_paths: [entry, { path: "gone/x" }] } });
    await expect(play({ path: "a.txt", permission: "admin" })).rejects.toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
    await expect(play({ path: "missing" })).rejects.toMatchObject({ message: expect.stringMatching(/missing, .*gone\/x/) });
  });

  it("T2.23: what the run keeps is nothing that can be written", async () => {
    const orchestrator = { context_paths: [{ path: ".massgen/notes.md", permission: "write" }] };
    await expect(playPlan({}, { folder, agents: ["ada"], orchestrator })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it.each(["link", "link/notes.md", "deep/link/x"])("T2.23: nor by a way through a link: %s", async (path) => {
    await mkdir(join(folder, ".massgen", "kept"), { recursive: true });
    await mkdir(join(folder, "deep"));
    await symlink(join(folder, ".massgen", "kept"), join(folder, "link"));
    await symlink(join("..", ".massgen", "kept"), join(folder, "deep", "link"));
    const orchestrator = { context_paths: [{ path, permission: "write" }] };
    await expect(playPlan({}, { folder, agents: ["ada"], orchestrator })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("MassGen's own folder"),
    });
  });
});

describe("options of the library", { timeout: 30_000 }, () => {
  const toolsOf = async (options: object): Promise<string> => {
    const simulator = await startSimulator({ respond: scriptedTeam() });
    const team = { models: ["openai/gpt-5-mini"], backend: "chatcompletion", baseUrl: simulator.baseUrl("chat_completions") };
    try {
      const {
        models: [model],
      } = team;
      await run("Hi", {
        model: model!,
        backend: team.backend,
        baseUrl: team.baseUrl,
        cwd: folder,
        env: { HOME: folder, OPENAI_API_KEY: "k".repeat(12) },
        ...options,
      });
      return JSON.stringify(simulator.requests[0]!.body);
    } finally {
      await simulator.close();
    }
  };

  it("enableFilesystem gives everybody a folder and file tools; without it there are none", async () => {
    expect(await toolsOf({})).not.toContain("write_file");
    expect(await toolsOf({ enableFilesystem: true })).toContain("write_file");
  });

  it("contextPaths need files", async () => {
    expect(await toolsOf({ contextPaths: [{ path: ".", permission: "read" }] })).toContain("read_file");
    await expect(toolsOf({ enableFilesystem: false, contextPaths: ["."] })).rejects.toMatchObject({ code: "USAGE" });
  });
});
