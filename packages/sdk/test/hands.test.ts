import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "@massgen/contracts";
import { findSandbox } from "@massgen/exec";
import { type SimulatedReply, type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/index.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-hands-"));
  await mkdir(join(folder, "project", "src"), { recursive: true });
  await writeFile(join(folder, "project", "src", "add.mjs"), "export const add = (a, b) => a - b;\n");
  await writeFile(join(folder, "project", ".env"), "TOKEN=do-not-read\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Calls = readonly { readonly name: string; readonly input: JsonValue }[];

interface Plan {
  /** Before the first answer, by the model's name. */
  readonly work: (model: string) => Calls;
  readonly present: Calls;
}

const textOf = (request: SimulatedRequest): string => request.messages.map(({ text }) => text).join("\n");

/** Models that do what a plan says, one call a response, then answer, vote for agent1 and present. */
function follow({ work, present }: Plan, seen: string[]) {
  return (request: SimulatedRequest): SimulatedReply => {
    const text = textOf(request);
    seen.push(text);
    const done = request.messages.filter(({ role }) => role === "tool").length;
    const isPresenting = text.includes("The team has decided");
    if (!isPresenting && text.includes("<current_answers>"))
      return { kind: "message", toolCalls: [{ name: "vote", input: { agent_id: "agent1", reason: "it runs" } }] };
    const calls = isPresenting ? present : work(request.model);
    const next = calls[done];
    if (next !== undefined) return { kind: "message", toolCalls: [next] };
    if (isPresenting || !text.includes("new_answer")) return { kind: "message", text: "Fixed." };
    return { kind: "message", toolCalls: [{ name: "new_answer", input: { content: `${request.model} wrote notes.md` } }] };
  };
}

async function play(plan: Plan, { agents = ["m1", "m2", "m3"], backend = {}, orchestrator = {} } = {}) {
  const seen: string[] = [];
  const simulator = await startSimulator({ respond: follow(plan, seen) });
  try {
    const result = await run("Fix add.", {
      config: {
        agents: agents.map((model, index) => ({
          id: ["ada", "bob", "cyd"][index],
          backend: {
            type: "chatcompletion",
            model,
            base_url: simulator.baseUrl("chat_completions"),
            api_key: "key-12345678",
            cwd: "ws",
            ...backend,
          },
        })),
        orchestrator: { context_paths: [{ path: "project", permission: "write", protected_paths: ["src/kept.mjs"] }], ...orchestrator },
      },
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, OPENAI_API_KEY: "sk-planted-1234567890" },
      enableLogging: true,
    });
    const results = simulator.requests.flatMap(({ canonicalText }) => canonicalText);
    return { result, seen, results: results.join("\n") };
  } finally {
    await simulator.close();
  }
}
const project = (...path: string[]): string => join(folder, "project", ...path);
const write = (path: string, content: string) => ({ name: "write_file", input: { path, content } });

describe("a team with files", () => {
  it("EC56: the winner's change arrives in the context path, the losers' never; secrets and protected files stay", async () => {
    await writeFile(project("src", "kept.mjs"), "kept\n");
    const fix = "export const add = (a, b) => a + b;\n";
    const { result, results } = await play({
      work: (model) => [write("notes.md", `by ${model}`), write(project("src", "add.mjs"), `hacked by ${model}`)],
      present: [
        { name: "read_file", input: { path: project("src", "add.mjs") } },
        write(project("src", "add.mjs"), fix),
        { name: "read_file", input: { path: project(".env") } },
        { name: "read_file", input: { path: project("src", "kept.mjs") } },
        write(project("src", "kept.mjs"), "overwritten"),
      ],
    });
    expect(result).toMatchObject({ status: "completed", winner: "ada" });
    expect(await readFile(project("src", "add.mjs"), "utf8")).toBe(fix);
    expect(await readFile(project("src", "kept.mjs"), "utf8")).toBe("kept\n");
    expect(await readFile(project(".env"), "utf8")).toBe("TOKEN=do-not-read\n");
    expect(results).not.toContain("do-not-read");
    expect(results.match(/READ_ONLY/g)?.length).toBeGreaterThanOrEqual(3);
    expect(await readFile(join(result.finalDirectory!, "ada", "workspace", "notes.md"), "utf8")).toBe("by m1");
  });

  it("EC21: peers read what belongs to an answer under anonymous names only", async () => {
    const { seen } = await play({ work: (model) => [write("notes.md", `by ${model}`)], present: [] });
    const shown = seen.filter((text) => text.includes("<current_answers>"));
    expect(shown.length).toBeGreaterThan(0);
    for (const text of shown) expect(text).not.toMatch(/\b(ada|bob|cyd)\b/);
    const [runFolder = ""] = await readdir(join(folder, ".massgen", "snapshots"));
    expect(runFolder).not.toBe("");
  });

  it("nothing of it is left running or shown to the next run", async () => {
    await play({ work: () => [write("notes.md", "x")], present: [] });
    const left = await readdir(join(folder, ".massgen", "temp_workspaces")).catch(() => []);
    expect(left).toEqual([]);
  });

  it("one agent by itself may write at once", async () => {
    const { result } = await play({ work: () => [write(project("new.txt"), "made")], present: [] }, { agents: ["m1"] });
    expect(result.status).toBe("completed");
    expect(await readFile(project("new.txt"), "utf8")).toBe("made");
  });

  it("context paths that are not there stop the run before any request, all of them named", async () => {
    const paths = { context_paths: ["nowhere", { path: "gone/deep/file", permission: "write" }] };
    await expect(play({ work: () => [], present: [] }, { orchestrator: paths })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      exitCode: 1,
      message: expect.stringMatching(/nowhere, .*gone\/deep\/file/),
    });
  });
});

const sandbox = await findSandbox({ platform: process.platform, path: process.env["PATH"] ?? "", hostHome: tmpdir() });
const why = sandbox.found ? "" : `no sandbox here: ${sandbox.reason}`;

describe.skipIf(!sandbox.found)(`a team with commands ${why}`, () => {
  const command = (text: string) => ({ name: "execute_command", input: { command: text } });

  it("runs them in its workspace, without network, keys or a way out", async () => {
    const { results } = await play(
      {
        work: () => [
          write("say.txt", "hello from a file"),
          command("cat say.txt; pwd"),
          command("env"),
          command(`node -e "require('fs').writeFileSync('${project("src", "evil")}', 'x')"`),
          command("node -e \"require('net').connect(80, '1.1.1.1').on('error', (e) => console.log('net', e.code))\""),
        ],
        present: [],
      },
      { agents: ["m1", "m2"], backend: { enable_mcp_command_line: true } },
    );
    expect(results).toContain("hello from a file");
    expect(results).not.toContain("sk-planted");
    expect(results).toMatch(/net (ENETUNREACH|EPERM|EACCES|ENETDOWN)/);
    expect(await readdir(project("src"))).toEqual(["add.mjs"]);
  });

  it("a required sandbox that is missing stops the run, and says what to do", async () => {
    const noTools = { PATH: "/nonexistent" };
    const simulator = await startSimulator({ respond: () => ({ kind: "message", text: "x" }) });
    try {
      const backend = {
        type: "chatcompletion",
        model: "m1",
        base_url: simulator.baseUrl("chat_completions"),
        api_key: "key-12345678",
        cwd: "ws",
      };
      const config = { agents: [{ id: "a", backend: { ...backend, enable_mcp_command_line: true, command_line_sandbox: "require" } }] };
      const running = run("Hi", { config, cwd: folder, env: { ...noTools, HOME: folder } });
      await expect(running).rejects.toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
      expect(simulator.requests).toHaveLength(0);
    } finally {
      await simulator.close();
    }
  });
});
