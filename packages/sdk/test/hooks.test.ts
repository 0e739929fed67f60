import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import type { Hook, JsonValue, RunEvent } from "@massgen/contracts";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { isAlive } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/index.js";
import { prepareRun } from "../src/prepare-run.js";

let folder = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "massgen-hooks-")));
  await mkdir(join(folder, "hooks"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...names: readonly string[]): string => join(folder, ...names);

async function script(name: string, text: string): Promise<string> {
  await writeFile(at("hooks", name), name.endsWith(".sh") ? `#!/bin/sh\n${text}` : text);
  await chmod(at("hooks", name), 0o755);
  return `./hooks/${name}`;
}

interface Setting {
  readonly hooks?: object;
  readonly code?: readonly Hook[];
  readonly own?: object;
  readonly backend?: object;
  readonly orchestrator?: object;
  readonly env?: Readonly<Record<string, string>>;
}

type Call = readonly [tool: string, input: JsonValue];

/** One agent makes the calls and answers; gives what it was shown, and the events. */
async function play(calls: readonly Call[], { hooks, code, own, backend = {}, orchestrator = {}, env = {} }: Setting) {
  const events: RunEvent[] = [];
  const respond = scriptedTeam({ "m-model": [...calls.map(([tool, input]) => step.tool(tool, input)), step.answer("Done.")] });
  const seen: string[] = [];
  const simulator = await startSimulator({
    respond: (request) => {
      seen.push(request.messages.map(({ text }) => text).join("\n"));
      return respond(request);
    },
  });
  try {
    const config = {
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
            ...(own === undefined ? {} : { hooks: own }),
          },
        },
      ],
      orchestrator: { single_agent_mode: "refine", ...orchestrator },
      ...(hooks === undefined ? {} : { hooks }),
    };
    const result = await run("Work.", {
      config,
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, OPENAI_API_KEY: "sk-planted-1234567890", ...env },
      onEvent: (event) => events.push(event),
      ...(code === undefined ? {} : { hooks: code }),
    });
    return { result, shown: seen.join("\n"), events };
  } finally {
    await simulator.close();
  }
}

const write = (path: string, content = "x"): Call => ["write_file", { path, content }];
const completions = (events: readonly RunEvent[]) => events.filter((event) => event.type === "tool_complete");

describe("a hook in code", { timeout: 20_000 }, () => {
  it("is asked like one of the config", async () => {
    const asked: string[] = [];
    const guard: Hook = {
      name: "guard",
      at: "tool.before",
      matcher: "write_file",
      timeoutMs: 1_000,
      onError: "deny",
      run: async (point, { agent }) => {
        asked.push(`${agent} ${point.tool} ${JSON.stringify(point.input)}`);
        return { decision: "deny", reason: "not on Sundays" };
      },
    };
    const { shown, events } = await play([write("a.txt"), ["list_directory", {}]], { code: [guard] });
    expect(asked).toEqual(['ada write_file {"path":"a.txt","content":"x"}']);
    expect(shown).toContain("write_file was refused by the hook guard: not on Sundays");
    expect(completions(events).map(({ ok }) => ok)).toEqual([false, true]);
  });
});

// The first run loads everything there is.
describe("a command hook", { timeout: 20_000 }, () => {
  it("T6.3: exit code 2 keeps the tool from running; the model and the record learn why and from whom", async () => {
    const handler = await script("guard.sh", "echo 'no writing on Sundays' >&2; exit 2\n");
    const { shown, events } = await play([write("a.txt"), ["list_directory", {}]], {
      hooks: { PreToolUse: [{ handler, matcher: "write_file|edit_*" }] },
    });
    expect(shown).toContain("write_file was refused by the hook guard.sh: no writing on Sundays");
    const [refused, listed] = completions(events);
    expect(refused).toMatchObject({ name: "write_file", ok: false, resultPreview: expect.stringContaining("guard.sh") });
    expect(listed).toMatchObject({ name: "list_directory", ok: true });
    expect((listed as { readonly resultPreview: string }).resultPreview).not.toContain("a.txt");
  });

  it("is told the call as JSON, and has no keys but those the config names", async () => {
    const handler = await script("tell.sh", `cat > "${at("event.json")}"; env > "${at("env.txt")}"\n`);
    await play([write("a.txt", "hello")], {
      hooks: { PreToolUse: [{ handler, env_passthrough: ["HOOK_TOKEN"] }] },
      env: { HOOK_TOKEN: "t-passed-on", ANTHROPIC_API_KEY: "sk-ant-planted", AWS_PROFILE: "prod" },
    });
    expect(JSON.parse(await readFile(at("event.json"), "utf8"))).toMatchObject({
      hook_type: "PreToolUse",
      agent_id: "ada",
      tool_name: "write_file",
      tool_input: { path: "a.txt", content: "hello" },
      tool_output: null,
    });
    const env = await readFile(at("env.txt"), "utf8");
    expect(env).toContain("HOOK_TOKEN=t-passed-on");
    expect(env).not.toMatch(/planted|AWS_|API_KEY/);
  });

  it.each([
    ["exit code 7", "echo broken >&2; exit 7\n", "exit code 7: broken"],
    ["no JSON", "echo hello\n", "what it printed is no JSON: hello"],
    ["no decision", `echo '{"decision": "maybe"}'\n`, 'its decision is "maybe"'],
  ])("T6.3: one that fails (%s) refuses, unless it says fail_closed: false", async (_what, text, why) => {
    const handler = await script("bad.sh", text);
    const closed = await play([write("a.txt")], { hooks: { PreToolUse: [{ handler }] } });
    expect(closed.shown).toContain(`the hook bad.sh failed, and what it guards is closed (${why}`);
    const open = await play([write("a.txt")], { hooks: { PreToolUse: [{ handler, fail_closed: false }] } });
    expect(completions(open.events)[0]).toMatchObject({ name: "write_file", ok: true });
    expect(open.events).toContainEqual(
      expect.objectContaining({ type: "notice", level: "warning", message: expect.stringContaining(why) }),
    );
  });

  it("T6.3: what it changes is judged again, and what it allows the policy may still refuse", async () => {
    const moved = await script("move.sh", `echo '{"updated_input": {"path": "/etc/evil", "content": "x"}}'\n`);
    const outside = await play([write("a.txt")], { hooks: { PreToolUse: [{ handler: moved }] } });
    expect(outside.shown).toContain("PATH_OUTSIDE");
    const yes = await script("yes.sh", `echo '{"decision": "allow"}'\n`);
    const denied = await play([write("/etc/evil")], { hooks: { PreToolUse: [{ handler: yes }] } });
    expect(denied.shown).toContain("PATH_OUTSIDE");
  });

  it("ends at its time with what it started, though it ignores signals", async () => {
    const pids = at("pids");
    const handler = await script(
      "stuck.sh",
      `trap '' TERM; sh -c 'trap "" TERM; echo $$ >> "${pids}"; sleep 300' & echo $$ >> "${pids}"; sleep 300\n`,
    );
    const { shown } = await play([write("a.txt")], { hooks: { PreToolUse: [{ handler, timeout: 0.4 }] } });
    expect(shown).toContain("it gave no answer within 0.4 s");
    const started = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
    expect(started.length).toBe(2);
    // The run ends when its hooks have.
    expect(started.filter(isAlive)).toEqual([]);
  });

  it("asking for consent is a refusal where nobody can be asked", async () => {
    const handler = await script("ask.sh", `echo '{"decision": "ask", "reason": "it costs money"}'\n`);
    const { shown } = await play([write("a.txt")], { hooks: { PreToolUse: [{ handler }] } });
    expect(shown).toMatch(/ask\.sh wants a person's consent \(it costs money\), and nobody is there to be asked/);
  });
});

describe("a module hook", () => {
  it("is a function of a module, TypeScript too; what it injects stands behind the result", async () => {
    const handler = await script(
      "audit.ts",
      `export default async (event: { tool_name: string; tool_output: { text: string } }) => ({ inject: { content: \`seen \${event.tool_name}: \${event.tool_output.text.length > 0}\` } });\n`,
    );
    const { shown } = await play([write("a.txt")], { hooks: { PostToolUse: [{ handler }] } });
    expect(shown).toContain("[From the system, not from the tool]\nseen write_file: true");
  });

  it("may take the place of the team's for one agent", async () => {
    const no = await script("no.mjs", `export const PreToolUse = () => ({ decision: "deny", reason: "never" });\n`);
    const yes = await script("yes.mjs", "export default () => {};\n");
    const own = { PreToolUse: { override: true, hooks: [{ handler: yes }] } };
    const added = await play([write("a.txt")], { hooks: { PreToolUse: [{ handler: no }] }, own: { PreToolUse: [{ handler: yes }] } });
    expect(completions(added.events)[0]).toMatchObject({ ok: false });
    const replaced = await play([write("a.txt")], { hooks: { PreToolUse: [{ handler: no }] }, own });
    expect(completions(replaced.events)[0]).toMatchObject({ ok: true });
  });

  it("is matched by what the Python version called the tools", async () => {
    const handler = await script("no.mjs", `export default () => ({ decision: "deny", reason: "never" });\n`);
    const { events } = await play([write("a.txt"), ["read_file", { path: "b.txt" }]], {
      hooks: { PreToolUse: [{ handler, matcher: "mcp__filesystem__write_*" }] },
    });
    expect(completions(events).map(({ resultPreview }) => resultPreview)).toEqual([
      expect.stringContaining("no.mjs"),
      expect.not.stringContaining("no.mjs"),
    ]);
  });
});

describe("before the run", () => {
  const backend = { type: "chatcompletion", model: "m", base_url: "http://127.0.0.1:9/v1", api_key: "key-12345678" };
  const prepare = (hooks: object, orchestrator: object = {}) =>
    prepareRun({
      question: "Hi",
      loaded: validateConfig({ agents: [{ id: "ada", backend }], hooks, orchestrator }),
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      cwd: folder,
      logs: null,
    });

  it.each([
    ["a module that is not there", "./hooks/none.mjs", /hooks\.PreToolUse\[0\]: the hook "\.\/hooks\/none\.mjs" is not there/],
    ["a command that is not there", "./hooks/none.sh --strict", /names \.\/hooks\/none\.sh, which is not there/],
    ["a module without a function", "./hooks/empty.mjs", /exports no function/],
    ["a module that throws", "./hooks/throws.mjs", /no luck/],
  ])("T6.3: %s stops it: no run goes on without its guard", async (_what, handler, message) => {
    await script("empty.mjs", "export const nothing = 1;\n");
    await script("throws.mjs", 'throw new Error("no luck");\n');
    await expect(prepare({ PreToolUse: [{ handler }] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      exitCode: 1,
      message: expect.stringMatching(message),
    });
  });

  it.each(["./hooks/guard.mjs", "sh ./hooks/guard.sh"])(
    "code that agents may write is not run (%s), unless it is protected",
    async (handler) => {
      await script("guard.mjs", "export default () => {};\n");
      await script("guard.sh", "exit 0\n");
      const context = { path: ".", permission: "write" };
      const hooks = { PreToolUse: [{ handler }] };
      await expect(prepare(hooks, { context_paths: [context] })).rejects.toMatchObject({
        message: expect.stringContaining("lies in a folder agents may write"),
      });
      const prepared = await prepare(hooks, { context_paths: [{ ...context, protected_paths: ["hooks"] }] });
      expect(prepared.notes).toEqual([]);
    },
  );

  it("a guard that guards nothing is told", async () => {
    await script("guard.mjs", "export default () => {};\n");
    const prepared = await prepare({ PreToolUse: [{ handler: "./hooks/guard.mjs", matcher: "write_fiel" }] });
    expect(prepared.notes).toEqual(["The hook guard.mjs (hooks.PreToolUse[0]) guards nothing: no agent has a tool write_fiel."]);
  });
});
