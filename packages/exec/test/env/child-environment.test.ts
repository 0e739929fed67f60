import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChildEnvironment, childEnvironment, type EnvironmentOptions, isNeverPassed, isSecretName } from "@massgen/exec";
import { afterAll, describe, expect, it } from "vitest";
import { openBench, sandbox } from "../bench.js";

const folder = mkdtempSync(join(tmpdir(), "exec-env-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const workspace = join(folder, "ws");
mkdirSync(join(workspace, ".venv/bin"), { recursive: true });
mkdirSync(join(workspace, "bin"));

const build = (options: Partial<EnvironmentOptions> = {}): ChildEnvironment =>
  childEnvironment({
    host: { PATH: "/usr/bin:/bin" },
    hostHome: "/home/nobody-here",
    home: join(folder, "home"),
    workspace,
    workDir: folder,
    runId: "20260101_000000_abcdef",
    portBase: null,
    extra: {},
    passthrough: [],
    autoVenv: true,
    ...options,
  });

/** Names under which vendors and services keep their keys. */
const KEYS: readonly string[] = [
  ..."OPENAI ANTHROPIC GEMINI GOOGLE XAI GROQ MISTRAL CEREBRAS TOGETHER FIREWORKS OPENROUTER DEEPSEEK MOONSHOT ZAI NEBIUS QWEN DASHSCOPE COHERE PERPLEXITY AZURE_OPENAI POE KIMI SAMBANOVA NVIDIA HYPERBOLIC MINIMAX VOYAGE TAVILY SERPER BRAVE EXA"
    .split(" ")
    .map((vendor) => `${vendor}_API_KEY`),
  ..."AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE GOOGLE_APPLICATION_CREDENTIALS GITHUB_TOKEN GH_TOKEN HF_TOKEN HUGGING_FACE_HUB_TOKEN NPM_TOKEN SLACK_BOT_TOKEN DISCORD_TOKEN DATABASE_PASSWORD PGPASSWORD DATABASE_URL KUBECONFIG DOCKER_HOST SSH_AUTH_SOCK SSH_AGENT_PID DISPLAY DBUS_SESSION_BUS_ADDRESS GPG_AGENT_INFO AZURE_CLIENT_SECRET CLOUDFLARE_API_TOKEN STRIPE_SECRET_KEY JWT_PRIVATE_KEY SOMETHING_UNHEARD_OF".split(
    " ",
  ),
];
const planted = Object.fromEntries(KEYS.map((name) => [name, `planted-${name}`]));

describe("the environment of a command", () => {
  it("T4.1: holds no key of any vendor, and no variable nobody listed", () => {
    const { env } = build({ host: { PATH: "/usr/bin", ...planted } });
    expect(Object.values(env).filter((value) => value.includes("planted-"))).toEqual([]);
    expect(Object.keys(env).filter(isSecretName)).toEqual([]);
  });

  it("T4.1: a key that the config names is passed, and a value it gives is there", () => {
    const { env, refused } = build({ host: { PATH: "/usr/bin", ...planted }, passthrough: ["GH_TOKEN", "NOT_SET"], extra: { FOO: "1" } });
    expect(env).toMatchObject({ GH_TOKEN: "planted-GH_TOKEN", FOO: "1" });
    expect("NOT_SET" in env || "NPM_TOKEN" in env).toBe(false);
    expect(refused).toEqual([]);
  });

  it("what makes programs load foreign code is never passed, not even by name, and that is told", () => {
    const names = [
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "LD_LIBRARY_PATH",
      "DYLD_INSERT_LIBRARIES",
      "BASH_ENV",
      "ENV",
      "PYTHONSTARTUP",
      "GIT_CONFIG_GLOBAL",
    ];
    const { env, refused } = build({
      host: Object.fromEntries(names.map((name) => [name, "x"])),
      passthrough: names,
      extra: { PROMPT_COMMAND: "x" },
    });
    expect(Object.keys(env).filter(isNeverPassed)).toEqual([]);
    expect(refused).toEqual([...names, "PROMPT_COMMAND"]);
  });

  it("home, temporary files and caches are the child's own", () => {
    const { env } = build({ host: { PATH: "/usr/bin", HOME: "/home/me", TMPDIR: "/tmp", XDG_CONFIG_HOME: "/home/me/.config" } });
    const home = join(folder, "home");
    for (const name of ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "npm_config_cache", "PIP_CACHE_DIR", "CARGO_HOME"])
      expect(env[name]?.startsWith(home), name).toBe(true);
    expect(env).toMatchObject({ TERM: "dumb", NO_COLOR: "1", GIT_TERMINAL_PROMPT: "0", MASSGEN_RUN_ID: "20260101_000000_abcdef" });
  });

  it("the path keeps absolute folders that exist and that the agent cannot write to", () => {
    const host = { PATH: `.:bin::/usr/bin:/no/such/folder:${workspace}/bin:/bin:/usr/bin` };
    expect(build({ host }).env["PATH"]).toBe("/usr/bin:/bin");
    expect(build({ host: {} }).env["PATH"]).toBe("/usr/local/bin:/usr/bin:/bin");
  });

  it("a virtual environment of the folder comes first, unless switched off", () => {
    const venv = join(workspace, ".venv");
    expect(build({ workDir: workspace }).env).toMatchObject({ VIRTUAL_ENV: venv, PATH: `${venv}/bin:/usr/bin:/bin` });
    expect(build({ workDir: workspace, autoVenv: false }).env["VIRTUAL_ENV"]).toBeUndefined();
  });

  it("T4.13: agents get ports of their own", () => {
    expect(build({ portBase: 42_000 }).env["MASSGEN_PORT_BASE"]).toBe("42000");
    expect("MASSGEN_PORT_BASE" in build().env).toBe(false);
  });
});

for (const sandboxed of [false, true]) {
  it.skipIf(process.platform === "win32" || (sandboxed && !sandbox.found))(
    `T4.1: a real child ${sandboxed ? "in the sandbox" : "without one"} sees none of the keys of its host`,
    async () => {
      const bench = await openBench({ sandboxed, hostEnv: planted });
      try {
        const running = await bench.runner.start({
          command: "env; tr '\\0' '\\n' < /proc/self/environ 2>/dev/null",
          workDir: ".",
          timeoutMs: 20_000,
        });
        const { both } = await running.ended;
        expect(both.head).toContain("MASSGEN_RUN_ID=");
        expect(both.head).not.toContain("planted-");
      } finally {
        await bench.close();
      }
    },
  );
}
