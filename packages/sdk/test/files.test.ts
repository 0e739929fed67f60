import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Respond, type Simulator, type Step, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { type RunOptions, type RunResult, run } from "../src/index.js";

const simulators: Simulator[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const BROKEN = "export const add = (a, b) => a - b;\n";
const FIXED = "export const add = (a, b) => a + b;\n";
const SECRET = "TOKEN=hunter2-hunter2\n";

/** A project with a bug, a test that shows it, and a file nobody is to read. */
async function project(): Promise<{ readonly cwd: string; readonly root: string }> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "massgen-files-")));
  folders.push(cwd);
  const root = join(cwd, "project");
  await mkdir(root);
  await writeFile(join(root, "add.mjs"), BROKEN);
  await writeFile(join(root, "add.test.mjs"), 'import { add } from "./add.mjs";\nif (add(2, 2) !== 4) process.exit(1);\n');
  await writeFile(join(root, ".env"), SECRET);
  return { cwd, root };
}

interface Asked {
  readonly result: RunResult;
  /** Everything the models were sent. */
  readonly sent: string;
}

type Script = Readonly<Record<string, readonly Step[]>>;

async function ask(
  script: Script,
  cwd: string,
  settings: { readonly backend?: object; readonly orchestrator?: object; readonly env?: RunOptions["env"] },
): Promise<Asked> {
  const respond: Respond = scriptedTeam(Object.fromEntries(Object.entries(script).map(([id, steps]) => [`${id}-model`, steps])));
  const seen: string[] = [];
  const simulator = await startSimulator({
    respond: (request) => {
      seen.push(JSON.stringify(request.messages));
      return respond(request);
    },
  });
  simulators.push(simulator);
  const agents = Object.keys(script).map((id) => ({
    id,
    backend: {
      ...{ type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions"), max_retries: 0 },
      ...{ cwd: "work", ...settings.backend },
    },
  }));
  const result = await run("Repair add.mjs.", {
    config: { agents, orchestrator: { ...settings.orchestrator } },
    env: { HOME: cwd, PATH: process.env["PATH"], ...settings.env },
    cwd,
    enableLogging: true,
  });
  return { result, sent: seen.join("\n") };
}

const write = (path: string, content: string): Step => step.tool("write_file", { path, content });
const read = (path: string): Step => step.tool("read_file", { path });
const command = (text: string, more: object = {}): Step => step.tool("execute_command", { command: text, ...more });

const writable = (root: string) => ({ orchestrator: { context_paths: [{ path: root, permission: "write" }] } });

describe("files of a configured team", () => {
  it("EC56: the winner's change arrives in the project, the losers' never; secrets stay as they are and unread", async () => {
    const { cwd, root } = await project();
    const target = join(root, "add.mjs");
    const { result, sent } = await ask(
      {
        ada: [
          write(target, "early"),
          read(join(root, ".env")),
          write("add.mjs", FIXED),
          step.answer("Fixed the sign."),
          step.vote("agent1", "right"),
          read(target),
          write(target, FIXED),
          write(join(root, ".env"), "TOKEN=gone\n"),
          step.text("Repaired."),
        ],
        bob: [
          write("add.mjs", "bob was here"),
          write(join(root, "bob.txt"), "bob"),
          step.answer("Rewrote it."),
          step.vote("agent1", "right"),
        ],
        cyd: [write(target, "cyd"), step.answer("Did nothing."), step.vote("agent1", "right")],
      },
      cwd,
      writable("project"),
    );
    expect(result).toMatchObject({ status: "completed", winner: "ada" });
    expect(await readFile(target, "utf8")).toBe(FIXED);
    expect(await readFile(join(root, ".env"), "utf8")).toBe(SECRET);
    expect((await readdir(root)).toSorted()).toEqual([".env", "add.mjs", "add.test.mjs"]);
    expect(spawnSync(process.execPath, [join(root, "add.test.mjs")]).status).toBe(0);
    expect(sent).not.toContain("hunter2");
    expect(sent).toContain("READ_ONLY");
  });

  it("peers read each other's files under anonymous names only, and cannot change them", async () => {
    const { cwd } = await project();
    const viewOf = (sent: string): string => /stand below ([^ ,]+)/.exec(sent)?.[1] ?? "";
    let stolen = "";
    const { result, sent } = await ask(
      {
        ada: [write("idea.md", "ada's idea"), step.answer("See idea.md."), step.vote("agent1")],
        bob: [
          step.answer("None yet."),
          (request) => {
            stolen = join(viewOf(JSON.stringify(request)), "agent1/idea.md");
            return read(stolen);
          },
          () => write(stolen, "bob's"),
          step.vote("agent1"),
        ],
      },
      cwd,
      {},
    );
    expect(result.winner).toBe("ada");
    expect(stolen).toContain("/agent1/idea.md");
    expect(sent).toContain("ada's idea");
    expect(sent).not.toMatch(/work_ada|\/ada\/|\/bob\//);
    const delivered = join(result.finalDirectory ?? "", "ada", "workspace", "idea.md");
    expect(await readFile(delivered, "utf8")).toBe("ada's idea");
  });

  it("one agent alone writes to the project at once", async () => {
    const { cwd, root } = await project();
    const { result } = await ask(
      { ada: [read(join(root, "add.mjs")), write(join(root, "add.mjs"), FIXED), step.answer("Done."), step.text("Done.")] },
      cwd,
      writable("project"),
    );
    expect(result.status).toBe("completed");
    expect(await readFile(join(root, "add.mjs"), "utf8")).toBe(FIXED);
  });

  it("CFG100: context paths that do not exist are named together before anything runs", async () => {
    const { cwd } = await project();
    const asked = ask({ ada: [] }, cwd, { orchestrator: { context_paths: ["nowhere", "project", "neither"] } });
    await expect(asked).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringMatching(/nowhere.*neither/) });
  });

  it("CFG100: they stop a run in which no agent has files as well", async () => {
    const { cwd } = await project();
    const agents = [{ id: "ada", backend: { type: "chatcompletion", model: "m", base_url: "http://127.0.0.1:9/v1" } }];
    const asked = run("What is in it?", { cwd, config: { agents, orchestrator: { context_paths: ["nowhere"] } } });
    await expect(asked).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining("nowhere") });
  });

  it("leaves nothing behind that only the run needed", async () => {
    const { cwd } = await project();
    await ask({ ada: [write("a.txt", "a"), step.answer("Done.")], bob: [step.answer("Mine.")] }, cwd, {});
    const views = await readdir(join(cwd, ".massgen", "temp_workspaces"), { recursive: true });
    expect(views.filter((name) => /agent\d/.test(name))).toEqual([]);
  });
});

describe.skipIf(spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"]).status !== 0)("commands of a configured team", () => {
  const commands = { backend: { enable_mcp_command_line: true, command_line_sandbox: "require" } };

  it("run in the workspace, see the project without its secrets, change neither it nor anything outside", async () => {
    const { cwd, root } = await project();
    const outside = join(cwd, "outside.txt");
    const { sent } = await ask(
      {
        ada: [
          command("pwd > where.txt; cat where.txt; echo made-$((40 + 2))"),
          command(
            `node -e "const fs=require('fs');try{console.log(fs.readFileSync('${root}/.env','utf8'))}catch(e){console.log('hid'+'den')}"`,
          ),
          command(`node -e "require('fs').writeFileSync('${root}/add.mjs','x')"`),
          command(`node -e "require('fs').writeFileSync('${outside}','x')"`),
          step.answer("Looked."),
        ],
        bob: [step.answer("Waited.")],
      },
      cwd,
      { ...commands, ...writable("project") },
    );
    expect(sent).toContain("made-42");
    expect(sent).not.toContain("hunter2");
    expect(await readFile(join(root, "add.mjs"), "utf8")).toBe(BROKEN);
    expect(await readdir(cwd)).not.toContain("outside.txt");
  });

  it("get no key of a provider, unless the config names it", async () => {
    const { cwd } = await project();
    const env = { OPENAI_API_KEY: "sk-first-0123456789", GROQ_API_KEY: "gsk-second-0123456789", SHOWN: "passed-on" };
    const { sent } = await ask({ ada: [command("env | sort"), step.answer("Looked.")] }, cwd, {
      backend: { ...commands.backend, command_line_env_passthrough: ["SHOWN"] },
      env,
    });
    expect(sent).toContain("SHOWN=passed-on");
    expect(sent).not.toMatch(/sk-first|gsk-second|OPENAI_API_KEY|GROQ_API_KEY/);
  });

  it("the presenter's may change the project", async () => {
    const { cwd, root } = await project();
    const fix = `sed -i 's/a - b/a + b/' ${root}/add.mjs && node ${root}/add.test.mjs && echo passes`;
    await ask(
      {
        ada: [step.answer("A sign."), step.vote("agent1"), command(fix), step.text("Done.")],
        bob: [step.answer("No idea."), step.vote("agent1")],
      },
      cwd,
      { ...commands, ...writable("project") },
    );
    expect(await readFile(join(root, "add.mjs"), "utf8")).toBe(FIXED);
  });

  it("EC21: what forks, ignores SIGTERM and prints for ever is gone with its children soon after its limit", async () => {
    const { cwd } = await project();
    const stubborn = "trap '' TERM; (trap '' TERM; while :; do echo massgen-stubborn-$PPID; done) & while :; do echo still; done";
    const startedMs = performance.now();
    const { result } = await ask({ ada: [command(stubborn, { timeout: 1 }), step.answer("It was ended.")] }, cwd, commands);
    expect(result.status).toBe("completed");
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    const { stdout } = spawnSync("pgrep", ["-f", "massgen-stubborn"], { encoding: "utf8" });
    expect(stdout).toBe("");
  }, 30_000);
});
