import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type CommandRunner,
  type ContainerOptions,
  createCommandRunner,
  createContainer,
  findContainerTool,
  type ProcessResult,
  readyImage,
  type Sandbox,
  type Walls,
} from "@massgen/exec";
import { isAlive } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exec, sourceHost } from "../source-host.js";
import { until } from "../until.js";

const fakeDocker = fileURLToPath(new URL("../fixtures/fake-docker.sh", import.meta.url));

describe.skipIf(process.platform !== "linux")("commands in a container, with a stand-in for docker", () => {
  let folder = "";
  let workspace = "";
  let home = "";
  let extra: Omit<Walls, "network"> = { writable: [], readable: [], protected: [], hidden: [] };
  let open: Sandbox[] = [];

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "exec-container-")));
    workspace = join(folder, "ws");
    home = join(folder, "homes/ada");
    for (const path of [workspace, home, join(folder, "bin"), join(folder, "project/.git"), join(folder, "a,b")])
      await mkdir(path, { recursive: true });
    await writeFile(join(folder, "project/.env"), "S=1");
    await writeFile(join(folder, "image"), "");
    // The tool gets no variable but its own, so the stand-in has its folder written in.
    await writeFile(join(folder, "bin/docker"), `#!/bin/bash\nFAKE='${folder}' exec '${fakeDocker}' "$@"\n`, { mode: 0o755 });
    extra = { writable: [], readable: [], protected: [], hidden: [] };
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((sandbox) => sandbox.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const toolEnv = (): Record<string, string> => ({ PATH: process.env["PATH"] ?? "" });
  const calls = async (verb: string): Promise<readonly string[]> =>
    (await readFile(join(folder, "calls"), "utf8")).split("\n").filter((line) => line.startsWith(`${verb} `));

  function runnerWith(options: Partial<ContainerOptions> = {}): CommandRunner {
    const sandbox = createContainer({
      ...{ tool: join(folder, "bin/docker"), version: "docker 28.0.0", toolEnv: toolEnv(), workspace, home },
      ...{ image: "good", runId: "20260101_000000_abcdef", agent: "agent1", memory: "2g", cpus: 2, processes: 512 },
      ...{ network: "none", user: "1000:1000", sudo: false, mounts: [], ...options },
    });
    open.push(sandbox);
    return createCommandRunner({
      ...{ sandbox, workspace, home, network: "none", grants: () => extra },
      environment: {
        ...{ host: {}, hostHome: home, runId: "20260101_000000_abcdef", portBase: null, passthrough: [], autoVenv: false },
        extra: { PLANTED: "a secret value" },
      },
    });
  }
  const run = async (runner: CommandRunner, command: string, timeoutMs = 20_000): Promise<ProcessResult> => {
    const running = await runner.start({ command, workDir: ".", timeoutMs });
    return running.ended;
  };

  it("T4.14: has no network, no capability, the user's id, limits and labels", async () => {
    await run(runnerWith(), "true");
    const [created] = await calls("run");
    for (const option of [
      "--network none",
      "--cap-drop ALL",
      "--security-opt no-new-privileges",
      "--user 1000:1000",
      "--pids-limit 512",
      "--memory 2g --memory-swap 2g",
      "--cpus 2",
      "--label massgen.run=20260101_000000_abcdef",
      "--label massgen.agent=agent1",
      "--init",
    ])
      expect(created).toContain(option);
    expect(created).not.toMatch(/privileged(?!\b.*no-new)|docker\.sock|--cap-add/);
  });

  it("T4.5: sudo is given only by name, with five capabilities", async () => {
    await run(runnerWith({ sudo: true }), "true");
    const [created] = await calls("run");
    expect(created?.match(/--cap-add \w+/g)).toHaveLength(5);
    expect(created).not.toContain("no-new-privileges");
  });

  it("mounts what is granted at the same place, read-only where it is, nothing of what is hidden", async () => {
    extra = {
      writable: [join(folder, "project")],
      readable: [join(folder, "a,b")],
      protected: [join(folder, "project/.git")],
      hidden: [join(folder, "project/.env")],
    };
    await run(runnerWith(), "true");
    const created = (await calls("run"))[0]?.replaceAll("\\", "") ?? "";
    expect(created).toContain(`type=bind,source=${folder}/project,target=${folder}/project `);
    expect(created).toContain(`source=${folder}/project/.git,target=${folder}/project/.git,readonly`);
    expect(created).toContain(`"source=${folder}/a,b","target=${folder}/a,b",readonly`);
    expect(created).toContain(`source=${folder}/homes/.masked,target=${folder}/project/.env,readonly`);
    expect(created.indexOf(`target=${folder}/project,`)).toBeLessThan(created.indexOf(".git,readonly"));
  });

  it("gives back output and exit code, and keeps values out of arguments", async () => {
    const result = await run(runnerWith(), "echo $PLANTED; pwd; exit 4");
    expect(result).toMatchObject({ exitCode: 4, endedBy: "itself" });
    expect(result.stdout.head).toBe(`a secret value\n${workspace}\n`);
    expect(await readFile(join(folder, "calls"), "utf8")).not.toContain("secret");
    await until(async () => !(await readdir(join(folder, "homes"))).some((name) => name.startsWith(".env-")));
  });

  it("T2.2: is one container for many commands, and a new one when the walls change", async () => {
    const runner = runnerWith();
    await Promise.all([run(runner, "true"), run(runner, "true")]);
    expect(await calls("run")).toHaveLength(1);
    extra = { ...extra, writable: [join(folder, "project")] };
    await run(runner, "true");
    expect(await calls("run")).toHaveLength(2);
    expect(await calls("rm")).toHaveLength(1);
  });

  it("T4.11: what a command started inside ends there at its deadline, with its last words", async () => {
    const result = await run(
      runnerWith(),
      "trap 'echo bye; exit 7' TERM; sleep 300 & echo pid $!; setsid sleep 301 & echo pid $!; wait",
      500,
    );
    expect(result.endedBy).toBe("deadline");
    expect(result.stdout.head).toContain("bye");
    const pids = [...result.stdout.head.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isAlive));
  });

  it("a container that cannot end a command is restarted", async () => {
    await writeFile(join(folder, "deaf"), "");
    const result = await run(runnerWith(), `echo ready; exec -a ${folder}-inside sleep 300`, 300);
    await rm(join(folder, "deaf"));
    expect(result.endedBy).toBe("deadline");
    expect(await calls("restart")).not.toEqual([]);
  }, 40_000);

  it("pulls a missing image, unless it may not", async () => {
    await rm(join(folder, "image"));
    await expect(run(runnerWith({ pull: "never" }), "true")).rejects.toThrow(
      'The image good is not on this machine, and command_line_docker_pull is "never".',
    );
    await expect(run(runnerWith({ image: "bad" }), "true")).rejects.toThrow('docker 28.0.0: "pull" failed: not found');
    expect((await run(runnerWith(), "true")).exitCode).toBe(0);
    await run(runnerWith({ pull: "always" }), "true");
    expect(await calls("pull")).toHaveLength(3);
  });

  it("puts packages into an image of their own, once, under a name made of them", async () => {
    await rm(join(folder, "image"));
    const options = {
      ...{ tool: join(folder, "bin/docker"), version: "docker 28.0.0", toolEnv: toolEnv(), image: "good", pull: "missing" as const },
      preinstall: { python: ["pandas>=2"], npm: ["@scope/x"], system: ["jq"] },
    };
    const name = await readyImage(options);
    expect(name).toMatch(/^massgen\/prepared:[0-9a-f]{16}$/);
    expect((await readFile(join(folder, "buildfile"), "utf8")).split("\n")).toEqual([
      "FROM good",
      "USER root",
      'RUN ["apt-get","update"]',
      'RUN ["apt-get","install","-y","--no-install-recommends","--","jq"]',
      'RUN ["pip","install","--no-cache-dir","--","pandas>=2"]',
      'RUN ["npm","install","--global","--","@scope/x"]',
      "",
    ]);
    expect(await readyImage(options)).toBe(name);
    expect(await calls("build")).toHaveLength(1);
    expect(await readyImage({ ...options, preinstall: { python: [], npm: [], system: [] } })).toBe("good");
  });

  it.each(["/", "/etc", "/var/run/docker.sock"])("refuses to mount %s", async (source) => {
    const runner = runnerWith({ mounts: [{ source, target: "/mnt/x", mode: "ro" }] });
    await expect(run(runner, "true")).rejects.toThrow(`${source} is not mounted into a container`);
  });

  it("T4.14: a daemon that is down is said with what to do, and nothing falls back to this machine", async () => {
    const host = { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, OPENAI_API_KEY: "planted" };
    const found = await findContainerTool({ host });
    expect(found).toMatchObject({ found: true, tool: join(folder, "bin/docker"), version: "docker 28.0.0", toolEnv: { PATH: host.PATH } });
    await writeFile(join(folder, "down"), "");
    // Only the stand-in is on the path: a podman of this machine would do instead.
    await symlink("/bin/bash", join(folder, "bin/bash"));
    expect(await findContainerTool({ host: { PATH: join(folder, "bin") } })).toMatchObject({
      found: false,
      reason: "No container daemon answers (docker: Cannot connect to the Docker daemon at unix:///run/x.sock.).",
      remedy: expect.stringContaining("systemctl start docker"),
    });
    expect(await findContainerTool({ host: { PATH: "/no/such/folder" } })).toMatchObject({
      found: false,
      reason: expect.stringContaining("neither docker nor podman is installed"),
    });
  });

  it("a host that is killed leaves no container behind", async () => {
    const host = `
      import { createContainer, defaultLimits, startProcess } from "@massgen/exec";
      const [folder, path] = process.argv.slice(1);
      const sandbox = createContainer({ tool: folder + "/bin/docker", version: "docker", toolEnv: { PATH: path },
        workspace: folder + "/ws", home: folder + "/homes/ada", image: "good", runId: "r", agent: "agent1", memory: "2g", cpus: 1,
        processes: 64, network: "none", user: null, sudo: false, mounts: [] });
      await sandbox.prepare({ argv: ["true"], cwd: folder + "/ws", env: {}, limits: defaultLimits },
        { writable: [folder + "/ws"], readable: [], protected: [], hidden: [], network: "none" });
      console.log("ready");
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, [...sourceHost, host, folder, process.env["PATH"] ?? ""], {
      cwd: exec,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await until(async () => (await calls("rm")).some((line) => line.startsWith("rm -f massgen-r-")));
  }, 30_000);
});
