import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/index.js";

const fakeDocker = fileURLToPath(new URL("../../exec/test/fixtures/fake-docker.sh", import.meta.url));

describe.skipIf(process.platform !== "linux")("commands in containers, with a stand-in for docker", { timeout: 30_000 }, () => {
  let folder = "";
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "massgen-docker-")));
    await mkdir(join(folder, "bin"));
    await writeFile(join(folder, "image"), "");
    await writeFile(join(folder, "bin/docker"), `#!/bin/bash\nFAKE='${folder}' exec '${fakeDocker}' "$@"\n`, { mode: 0o755 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const calls = async (verb: string): Promise<readonly string[]> =>
    (await readFile(join(folder, "calls"), "utf8").catch(() => "")).split("\n").filter((line) => line.startsWith(`${verb} `));

  async function play(backend: object, env: Readonly<Record<string, string>> = {}, others: readonly object[] = []) {
    const seen: string[] = [];
    let requests = 0;
    const command = 'echo "in: $(pwd)"; echo "given: $DEPLOY_NAME $DEPLOY_TOKEN $OPENAI_API_KEY$SPARE"';
    const respond = scriptedTeam({ "m-model": [step.tool("execute_command", { command }), step.answer("Done.")] });
    const simulator = await startSimulator({
      respond: (request) => {
        requests += 1;
        seen.push(request.messages.map(({ text }) => text).join("\n"));
        return respond(request);
      },
    });
    const shared = {
      type: "chatcompletion",
      model: "m-model",
      base_url: simulator.baseUrl("chat_completions"),
      api_key: "key-12345678",
      cwd: "ws",
      enable_mcp_command_line: true,
    };
    try {
      const agents = [
        { ...shared, command_line_execution_mode: "docker", ...backend },
        ...others.map((other) => ({ ...shared, ...other })),
      ];
      const result = await run("Work.", {
        config: {
          agents: agents.map((one, index) => ({ id: ["ada", "bob"][index], backend: one })),
          orchestrator: { single_agent_mode: "refine" },
        },
        cwd: folder,
        env: { PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`, HOME: folder, OPENAI_API_KEY: "sk-planted-1234567890", ...env },
        enableLogging: true,
      });
      return { result, shown: seen.join("\n") };
    } catch (error) {
      expect(requests, "no model is asked before everything is there").toBe(0);
      throw error;
    } finally {
      await simulator.close();
    }
  }

  it("T4.14: run in one container per agent, as the config says, which is gone at the end", async () => {
    await writeFile(join(folder, ".gitconfig"), "[user]\n");
    await writeFile(join(folder, "deploy.env"), "DEPLOY_TOKEN=tok-4711-abcdef\n");
    const { result, shown } = await play(
      {
        command_line_docker_image: "good",
        command_line_docker_memory_limit: "1g",
        command_line_docker_network_mode: "bridge",
        command_line_docker_credentials: { mount: ["git_config", "ssh_keys"], env_vars: ["DEPLOY_NAME"], env_file: "deploy.env" },
      },
      { DEPLOY_NAME: "staging-east", SPARE: "never" },
    );
    expect(shown).toMatch(/in: .*\/\.massgen\/workspaces\//);
    // A secret that is passed by name reaches the command, and nobody else.
    expect(shown).toContain("given: staging-east [REDACTED]");
    expect(shown).not.toMatch(/sk-planted|never/);
    const [created = "", ...more] = await calls("run");
    expect(more).toEqual([]);
    for (const option of [
      "--network bridge",
      "--memory 1g",
      "--cpus 2",
      "--cap-drop ALL",
      "--label massgen.agent=agent1",
      `--user ${process.getuid?.()}:${process.getgid?.()}`,
    ])
      expect(created).toContain(option);
    expect(created.replaceAll("\\", "")).toMatch(new RegExp(`source=${folder}/\\.gitconfig,target=[^,]+/\\.gitconfig,readonly`));
    expect(await calls("rm")).toHaveLength(1);
    const status = JSON.parse(await readFile(join(result.logDirectory!, "status.json"), "utf8"));
    expect(status.agents.ada.sandbox).toBe("docker");
    const log = await readFile(join(result.logDirectory!, "massgen.log"), "utf8");
    expect(log).toContain("Commands run in a container of good (docker 28.0.0); network bridge.");
    expect(log).toContain("Commands of ada have no ssh_keys: there is no ~/.ssh.");
  });

  it("T4.14: a daemon that is down, or no docker at all, stops the run with what to do", async () => {
    await writeFile(join(folder, "down"), "");
    await symlink("/bin/bash", join(folder, "bin/bash"));
    // Only the stand-in is on the path: a podman of this machine would do instead.
    await expect(play({}, { PATH: join(folder, "bin") })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      exitCode: 1,
      message: expect.stringContaining("No container daemon answers (docker: Cannot connect"),
      hint: expect.stringContaining("systemctl start docker"),
    });
    await expect(play({}, { PATH: "/nonexistent" })).rejects.toMatchObject({
      message: expect.stringContaining("neither docker nor podman is installed"),
    });
  });

  it.each([
    [{ command_line_docker_image: "bad", command_line_docker_pull: "missing" }, '"pull" failed: not found'],
    [{ command_line_docker_image: "good", command_line_docker_pull: "never" }, 'command_line_docker_pull is "never"'],
    [{ command_line_docker_credentials: { additional_mounts: { nowhere: { bind: "/x" } } } }, "The mount nowhere does not exist."],
    [{ command_line_docker_credentials: { additional_mounts: { "/etc": { bind: "/x" } } } }, "/etc is not mounted into a container"],
    [{ command_line_docker_credentials: { env_file: "none.env" } }, "The env_file none.env cannot be read."],
  ])("%j stops the run", async (backend, message) => {
    await rm(join(folder, "image"));
    await expect(play(backend)).rejects.toMatchObject({ code: "CONFIG_INVALID", exitCode: 1, message: expect.stringContaining(message) });
  });

  it("nothing is opened for one agent when another lacks its sandbox", async () => {
    const others = [{ command_line_sandbox: "require" }];
    await symlink("/bin/bash", join(folder, "bin/bash"));
    for (const program of ["touch", "sleep", "env", "setsid"]) await symlink(`/usr/bin/${program}`, join(folder, "bin", program));
    await expect(play({ command_line_docker_image: "good" }, { PATH: join(folder, "bin") }, others)).rejects.toMatchObject({
      message: expect.stringContaining("Commands need a sandbox, and there is none."),
    });
    expect(await calls("run")).toEqual([]);
  });
});
