import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareRun } from "../src/prepare-run.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-choice-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const READING = [
  "compare_directories",
  "compare_files",
  "file_info",
  "glob",
  "grep",
  "list_directory",
  "list_roots",
  "read_file",
  "read_many_files",
];

/** The tools a model is offered by a config, workflow tools apart, and what is said before the run. */
async function offered(backend: object) {
  const respond = scriptedTeam({ "m-model": [step.answer("Done.")] });
  let names: readonly string[] = [];
  const simulator = await startSimulator({
    respond: (request) => {
      names = request.tools;
      return respond(request);
    },
  });
  try {
    const prepared = await prepareRun({
      question: "Hi",
      loaded: validateConfig({
        agents: [
          {
            id: "ada",
            backend: {
              type: "chatcompletion",
              model: "m-model",
              base_url: simulator.baseUrl("chat_completions"),
              api_key: "key-12345678",
              cwd: "ws",
              ...backend,
            },
          },
        ],
        orchestrator: { single_agent_mode: "refine" },
      }),
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      cwd: folder,
      logs: null,
    });
    await prepared.start().finished;
    return { names: names.filter((name) => !["new_answer", "vote"].includes(name)).toSorted(), notes: prepared.notes };
  } finally {
    await simulator.close();
  }
}

describe("the tools of an agent", { timeout: 20_000 }, () => {
  it("T3.15: an excluded tool is not there, by the name of the Python version too; an unknown one is told with what it may mean", async () => {
    const all = await offered({});
    const { names, notes } = await offered({ exclude_tools: ["mcp__filesystem__write_file", "delete_file", "copy_*", "read_flie"] });
    expect(all.names.filter((name) => !names.includes(name))).toEqual(["copy_files_batch", "copy_path", "delete_path", "write_file"]);
    expect(notes).toContain('Agent ada has no tool "read_flie"; did you mean read_file?');
    expect(all.notes).toEqual([]);
  });

  it("allowed_tools leaves those alone, and exclude_tools wins", async () => {
    const { names } = await offered({
      allowed_tools: ["read_text_file", "search_files", "mcp__filesystem__edit_file"],
      exclude_tools: ["glob"],
    });
    expect(names).toEqual(["edit_file", "read_file"]);
    expect((await offered({ allowed_tools: [] })).names.length).toBeGreaterThan(15);
  });

  it("tools of the user's own are there because the config names them, and go when it excludes them", async () => {
    const custom_tools = [{ name: "two_num_tool" }];
    expect((await offered({ custom_tools, allowed_tools: ["read_file"] })).names).toEqual(["custom_tool__two_num_tool", "read_file"]);
    expect((await offered({ custom_tools, allowed_tools: ["read_file"], exclude_tools: ["two_num_tool"] })).names).toEqual(["read_file"]);
  });

  it.each([
    [{ file_tools: "read_only" }, READING],
    [{ file_tools: "none" }, []],
    [{ exclude_file_operation_mcps: true }, []],
  ])("%j", async (backend, expected) => {
    expect((await offered(backend)).names).toEqual(expected);
  });
});
