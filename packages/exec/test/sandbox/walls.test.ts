import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { createUnsandboxed, type ProcessResult } from "@massgen/exec";
import { isAlive } from "@massgen/testing/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, sandbox } from "../bench.js";
import { until } from "../until.js";

const why = sandbox.found ? "" : `: skipped: ${sandbox.reason} ${sandbox.remedy}`;

/** The folders and links of FS-01, as the final agent sees them: it may write the project but for what is protected. */
function layOut(folder: string): void {
  const file = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  file("ws/agent/notes.txt", "own notes\n");
  file("ws/agent-private/key.txt", "sibling secret\n");
  file("ws/Agent2/other.txt", "another agent\n");
  file("project/src/main.txt", "main\n");
  file("project/src/sub dir/ünïcode ☂.txt", "rain\n");
  file("project/.env", "PROJECT_TOKEN=0000\n");
  file("project/LICENSE", "protected licence\n");
  file("project/data/frozen/a.txt", "frozen\n");
  file("project/data/free.txt", "free\n");
  file("project/.massgen/log.jsonl", "real names\n");
  file("reference/read.txt", "read only\n");
  file("outside/secret.txt", "outside secret\n");
  symlinkSync("../../outside", join(folder, "ws/agent/way-out"));
  symlinkSync("../../outside/secret.txt", join(folder, "ws/agent/innocent.txt"));
  symlinkSync("../../outside/not-yet.txt", join(folder, "ws/agent/dangling.txt"));
  symlinkSync("../../project/LICENSE", join(folder, "ws/agent/licence-link"));
  symlinkSync("notes.txt", join(folder, "ws/agent/inner-link.txt"));
  linkSync(join(folder, "outside/secret.txt"), join(folder, "reference/hard-link.txt"));
}

const grants = (folder: string) => ({
  writable: [join(folder, "project")],
  readable: [join(folder, "reference")],
  protected: [join(folder, "project/LICENSE"), join(folder, "project/data/frozen")],
  hidden: [join(folder, "project/.env"), join(folder, "project/.massgen")],
});

const UNTOUCHED: Readonly<Record<string, string>> = {
  "outside/secret.txt": "outside secret\n",
  "ws/agent-private/key.txt": "sibling secret\n",
  "ws/Agent2/other.txt": "another agent\n",
  "project/.env": "PROJECT_TOKEN=0000\n",
  "project/LICENSE": "protected licence\n",
  "project/data/frozen/a.txt": "frozen\n",
  "project/.massgen/log.jsonl": "real names\n",
  "reference/read.txt": "read only\n",
};

/** What none of the attempts may print. */
const SECRETS = /sibling secret|another agent|PROJECT_TOKEN|outside secret(?! by hard link)|real names|root:[$!*]/;

/** `@` is the folder of the layout. */
const FORBIDDEN: readonly string[] = [
  // Reading what is not granted.
  "cat @/ws/agent-private/key.txt",
  "cat ../agent-private/key.txt",
  "cat ../Agent2/other.txt",
  "cat ../../outside/secret.txt",
  "cat innocent.txt",
  "cat way-out/secret.txt",
  "cat @/project/.env",
  "cd @/project && cat ./src/../.env",
  "cat @/project/.massgen/log.jsonl",
  "ls @/project/.massgen",
  "ls @/outside",
  "cp @/project/.env mine",
  "ln @/project/.env mine && cat mine",
  "ln -s @/outside/secret.txt planted && cat planted",
  "tar cf - @/outside",
  "cat /proc/1/r''oot@/outside/secret.txt",
  "cat /proc/self/r''oot@/outside/secret.txt",
  "cat /proc/$PPID/cwd/../agent-private/key.txt",
  "cat /etc/shadow",
  "ls /etc/ssh/*",
  "dd if=@/outside/secret.txt",
  `python3 -c "print(open('@/outside/secret.txt').read())"`,
  "cat ~/../agent-private 2>/dev/null || ls ~/.ssh/id_rsa",
  "strings /dev/sda || strings /dev/vda || dd if=/dev/mem count=1",
  "ls /var/run/docker.sock /run",
  "find / -name secret.txt 2>/dev/null | grep .",
  "chmod 777 @/project/.env && cat @/project/.env",
  // Writing what is not granted.
  "echo x > innocent.txt",
  "echo x > dangling.txt",
  "echo x > way-out/new.txt",
  "mkdir -p way-out/deep/er",
  "echo x > @/project/LICENSE",
  "echo x > @/project/src/../LICENSE",
  "echo x > licence-link",
  "rm -f @/project/LICENSE",
  "mv @/project/LICENSE @/project/other",
  "mv notes.txt @/project/LICENSE",
  "sh -c 'echo x > ../../project/LICENSE'",
  `f=LIC; cp notes.txt "../../project/\${f}ENSE"`,
  `python3 -c "open('../../project/.env','a').write('x')"`,
  "truncate -s 0 @/project/data/frozen/a.txt",
  "mv @/project/data/frozen/a.txt mine.txt && ! test -e @/project/data/frozen/a.txt",
  "mv @/project/data/frozen @/project/elsewhere",
  "mv @/project/data @/project/data2",
  "rm -rf @/project/data",
  "ln -f notes.txt @/project/LICENSE",
  "umount @/project/.env",
  "mount -t tmpfs none @/project",
  "echo x > @/reference/read.txt",
  "cp notes.txt @/reference/notes.txt",
  "touch @/reference/read.txt",
  "chmod 777 @/reference/read.txt",
  "echo x >> @/reference/hard-link.txt",
  "echo x > /etc/massgen-was-here",
  "echo x > /usr/bin/massgen-was-here",
  "echo x > /massgen-was-here",
  "mkdir /ho''me/massgen-was-here || mkdir /ro''ot/massgen-was-here",
  "echo x > @/project/.massgen/x",
  // The kernel, devices, privileges.
  "cat /proc/sys/kernel/core_pattern > saved && cat saved > /proc/sys/kernel/core_pattern",
  "echo 1 > /proc/sys/vm/drop_caches",
  "echo b > /proc/sysrq-trigger",
  "mknod disk b 8 0 || mknod disk b 254 0",
  "unshare --user --map-root-user true",
  "unshare --mount true",
  "chroot / true",
  "hostname massgen-was-here",
  "kill -9 $(cat /proc/1/stat | cut -d' ' -f1) && sleep 1 && false",
  "ping -c 1 -W 1 127.0.0.1",
];

describe.skipIf(!sandbox.found)(`the walls of the sandbox${why}`, () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench({ sandboxed: true, grants });
    layOut(bench.folder);
  });
  afterEach(() => bench.close());

  const run = async (command: string, on: Bench = bench): Promise<ProcessResult> => {
    const running = await on.runner.start({ command: command.replaceAll("@", on.folder), workDir: ".", timeoutMs: 20_000 });
    return running.ended;
  };

  it("FS-01: no attempt at what is not granted succeeds, shows a secret, or changes a file", async () => {
    const escaped: string[] = [];
    for (const command of FORBIDDEN) {
      const result = await run(command);
      const changed = Object.entries(UNTOUCHED).filter(([path, text]) => readFileSync(join(bench.folder, path), "utf8") !== text);
      if (result.exitCode === 0 || SECRETS.test(result.both.head) || changed.length > 0) escaped.push(`${command}\n${result.both.head}`);
    }
    expect(escaped).toEqual([]);
  }, 60_000);

  it.each([
    ["cat notes.txt && cat ./sub/../notes.txt; cat inner-link.txt", "own notes"],
    ["echo y > inner-link.txt && test -L inner-link.txt && cat notes.txt", "y"],
    ["mkdir -p new/deep && echo x > new/deep/file.txt && cat new/deep/file.txt", "x"],
    ["echo x > @/project/src/main.txt && cat @/project/src/main.txt", "x"],
    ["cat '@/project/src/sub dir/ünïcode ☂.txt'", "rain"],
    ["cat @/project/LICENSE @/project/data/frozen/a.txt", "protected licence\nfrozen"],
    ["cp @/reference/read.txt copy.txt && cat copy.txt", "read only"],
    ["ls ../../reference && cat ../../reference/read.txt", "read only"],
    ["rm way-out && ! test -e way-out && echo gone", "gone"],
    ["echo kept > $TMPDIR/a && cat /tmp/a && echo $HOME | grep -q homes && touch ~/b && echo fine", "kept\nfine"],
    ["echo x > @/project/data/more.txt && rm @/project/data/free.txt && ls @/project/data", "frozen\nmore.txt"],
    ["cat <(echo piped) && echo x | tee >(cat >/dev/null) && echo y > /dev/null", "piped\nx"],
  ])("FS-01: %s works", async (command, output) => {
    const result = await run(command);
    expect(result.both.head).toContain(output);
  });

  it("what one command puts into /tmp the next one finds there, and nobody else", async () => {
    await run("echo mine > /tmp/shared");
    expect((await run("cat /tmp/shared")).stdout.head).toBe("mine\n");
    const other = await openBench({ sandboxed: true });
    try {
      expect((await run("cat /tmp/shared", other)).exitCode).toBe(1);
    } finally {
      await other.close();
    }
  });

  it("a folder to run in that may only be read stays as it is (T4.15)", async () => {
    const running = await bench.runner.start({
      command: "cat read.txt; echo x > read.txt",
      workDir: join(bench.folder, "reference"),
      timeoutMs: 20_000,
    });
    const { stdout, exitCode } = await running.ended;
    expect(stdout.head).toBe("read only\n");
    expect(exitCode).not.toBe(0);
  });

  it("grants are asked for before each command, so a presenter may write what others could not", async () => {
    let mayWrite = false;
    const later = await openBench({
      sandboxed: true,
      grants: (folder) => (mayWrite ? { writable: [join(folder, "project")] } : { readable: [join(folder, "project")] }),
    });
    try {
      layOut(later.folder);
      expect((await run("echo x > @/project/new", later)).exitCode).not.toBe(0);
      mayWrite = true;
      expect((await run("echo x > @/project/new", later)).exitCode).toBe(0);
    } finally {
      await later.close();
    }
  });

  it("processes that leave session and environment behind end with the command", async () => {
    const result = await run("setsid env -i /bin/sleep 4242 & echo ready");
    expect(result).toMatchObject({ exitCode: 0, survivors: [] });
    expect(execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" })).not.toContain("sleep 4242");
  });

  it("only processes of the sandbox are to be seen, and only their environment", async () => {
    const result = await run("ps -A -o pid= | wc -l; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c '^PATH='");
    const [processes, environments] = result.stdout.head.trim().split("\n").map(Number);
    expect(processes).toBeLessThan(12);
    expect(environments).toBeLessThan(12);
  });

  it("T4.2: the deadline ends the tree inside, politely first", async () => {
    const running = await bench.runner.start({
      command: "trap 'echo bye; exit 7' TERM; echo up; sleep 300 & wait",
      workDir: ".",
      timeoutMs: 1_000,
    });
    const result = await running.ended;
    expect(result.stdout.head).toBe("up\nbye\n");
    expect(result.endedBy).toBe("deadline");
    await until(() => !isAlive(running.pid));
  });
});

describe.skipIf(!sandbox.found)(`the network of the sandbox${why}`, () => {
  let bench: Bench;
  let server: Server;
  let connections = 0;
  beforeAll(async () => {
    bench = await openBench({ sandboxed: true });
    server = createServer((socket) => {
      connections += 1;
      socket.end("hello\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    await bench.close();
  });
  const connect = (): string => `exec 3<>/dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port} && cat <&3`;

  it("T4.7: is off, this machine included", async () => {
    const running = await bench.runner.start({ command: connect(), workDir: ".", timeoutMs: 20_000 });
    const result = await running.ended;
    expect(result.exitCode).not.toBe(0);
    expect(connections).toBe(0);
  });

  it("is there when the config says so, and said at the start", async () => {
    const open = await openBench({ sandboxed: true, more: { network: "host" } });
    try {
      const running = await open.runner.start({ command: connect(), workDir: ".", timeoutMs: 20_000 });
      expect((await running.ended).stdout.head).toBe("hello\n");
      expect(open.runner.report.sentence).toContain("network on");
    } finally {
      await open.close();
    }
  });

  it("tells what is in force", () => {
    expect(bench.runner.report).toMatchObject({
      kind: "bubblewrap",
      writes: "confined",
      reads: "confined",
      network: "none",
      processes: "held",
    });
    expect(createUnsandboxed().report("none")).toMatchObject({
      kind: "off",
      network: "host",
      sentence: expect.stringContaining("WITHOUT"),
    });
  });
});

describe.skipIf(!sandbox.found)(`limits${why}`, () => {
  it.each([
    ["memory of a process", { memoryBytes: 128 * 1024 ** 2 }, "python3 -c 'x = bytearray(400 * 1024 * 1024)'; echo code $?", /code [1-9]/],
    [
      "length of a file",
      { fileBytes: 1024 ** 2 },
      "head -c 5000000 /dev/zero > big; echo code $?; stat -c %s big",
      /code [1-9]\d*\n1048576/,
    ],
    ["open files", { openFiles: 32 }, 'for i in $(seq 3 60); do eval "exec $i</dev/null" || break; done; echo at $i', /at 3\d/],
    ["seconds on the processor", { cpuSeconds: 1 }, "while :; do :; done", /^$/],
  ])(
    "hold: %s",
    async (_name, limits, command, printed) => {
      const bench = await openBench({ sandboxed: true, more: { limits } });
      try {
        const running = await bench.runner.start({ command, workDir: ".", timeoutMs: 20_000 });
        const result = await running.ended;
        expect(result.endedBy).toBe("itself");
        expect(result.stdout.head).toMatch(printed);
        if (command.startsWith("while")) expect(result.exitCode).not.toBe(0);
      } finally {
        await bench.close();
      }
    },
    30_000,
  );
});
