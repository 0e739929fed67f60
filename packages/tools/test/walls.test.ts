import { execFileSync } from "node:child_process";
import { chmod, readFile, rename, rm, symlink, unlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Desk, fails, openDesk, treeHash } from "./desk.js";

interface Attempt {
  readonly n: number;
  readonly op: "read" | "write" | "delete" | "move" | "copy" | "command";
  readonly path: string;
  readonly to?: string;
  readonly text?: string;
  readonly allow: boolean;
  readonly only?: string;
}

const attempts = JSON.parse(await readFile(new URL("fixtures/walls/table.json", import.meta.url), "utf8")) as readonly Attempt[];

/** The folders, files and links the table speaks of. */
async function openWalls(): Promise<Desk> {
  const desk = await openDesk({
    presents: true,
    grants: (at) => ({
      contexts: [
        { path: at("project"), permission: "write", protectedPaths: ["LICENSE", ".env", "data/frozen"] },
        { path: at("reference"), permission: "read" },
      ],
    }),
  });
  await desk.put("ws/notes.txt", "own notes\n");
  await desk.put("ws-private/key.txt", "sibling secret\n");
  await desk.put("agent-private/key.txt", "sibling secret\n");
  await desk.put("project/src/main.txt", "main\n");
  await desk.put("project/src/sub dir/ünïcode ☂.txt", "rain\n");
  await desk.put("project/.env", "PROJECT_TOKEN=0000\n");
  await desk.put("project/LICENSE", "protected licence\n");
  await desk.put("project/data/frozen/a.txt", "frozen\n");
  await desk.put("reference/read.txt", "read only\n");
  await desk.put("outside/secret.txt", "outside secret\n");
  await desk.link("../outside", "ws/way-out");
  await desk.link("../outside/secret.txt", "ws/innocent.txt");
  await desk.link("../outside/not-yet.txt", "ws/dangling.txt");
  await desk.link("../project/LICENSE", "ws/licence-link");
  await desk.link("notes.txt", "ws/inner-link.txt");
  return desk;
}
const WALLED = ["outside", "ws-private", "agent-private", "project/.env", "project/LICENSE", "project/data/frozen", "reference"];
const wallHash = async (desk: Desk): Promise<readonly string[]> => Promise.all(WALLED.map((path) => treeHash(desk.at(path))));

/** The tool call of an attempt; what has to be read first is read. */
function callOf(desk: Desk, { op, path, to, text }: Attempt): readonly [string, Record<string, string | boolean>] {
  // The layout here has the workspace one level higher than the table.
  const placed = (one: string): string =>
    one
      .replace("@/ws/agent-private", "@/ws-private")
      .replace(/^@/, desk.top)
      .replace(/^\.\.\/\.\.\//, "../");
  if (op === "read") return ["read_file", { path: placed(path) }];
  if (op === "write") return ["write_file", { path: placed(path), content: text ?? "" }];
  if (op === "delete") return ["delete_path", { path: placed(path), recursive: true }];
  return [op === "move" ? "move_path" : "copy_path", { source: placed(path), destination: placed(to ?? "") }];
}

describe.each(["call", "dispatch"] as const)("FS-01 by %s", (by) => {
  const cases = attempts.filter(({ op, only }) => op !== "command" && only === undefined);

  it.each(cases.map((attempt) => [attempt.n, attempt.op, attempt.path, attempt] as const))("%i: %s %s", async (_n, _op, _path, attempt) => {
    const desk = await openWalls();
    const before = await wallHash(desk);
    const [tool, input] = callOf(desk, attempt);
    if (attempt.op === "write" && attempt.allow) await desk.call("read_file", { path: input["path"]! });
    const answer = await desk[by](tool, input);
    expect({ ...answer, allow: answer.ok }).toMatchObject({ allow: attempt.allow });
    if (!attempt.allow) expect(answer.text).toMatch(/^Error \[[A-Z_]+\]: /);
    expect(answer.text).not.toContain("secret\n");
    expect(await wallHash(desk)).toEqual(before);
    if (attempt.n === 11)
      expect([await desk.text("ws/notes.txt"), (await readFile(desk.at("ws/inner-link.txt"))).toString()]).toEqual(["y", "y"]);
  });
});

/** What an agent writes to get out; `@` stands for the folder around everything. */
const ESCAPES: readonly string[] = [
  ...[
    "../outside/secret.txt",
    "./../outside/secret.txt",
    "a/../../outside/secret.txt",
    "way-out/../../outside/secret.txt",
    "..//outside///secret.txt",
  ],
  ...[
    "@/outside/secret.txt",
    "@/ws/../outside/secret.txt",
    "@/ws/way-out/secret.txt",
    "way-out/secret.txt",
    "innocent.txt",
    "@/WS/../outside/secret.txt",
  ],
  ...["loop/a", "chain", "deep/link/secret.txt", "deep/link/../outside/secret.txt", "dangling.txt", "hop/secret.txt"],
  ...[
    "/etc/passwd",
    "/proc/self/environ",
    `/proc/self/${"root"}/etc/passwd`,
    "/proc/self/cwd",
    "/dev/zero",
    "/dev/stdin",
    "/dev/fd/0",
    "/sys/kernel",
    "proc-link",
  ],
  ...[
    "~/.ssh/id_rsa",
    "~root/x",
    "~",
    "$HOME/x",
    "%2e%2e/outside/secret.txt",
    "..%2foutside",
    "file://@/outside/secret.txt",
    "\\..\\outside",
  ],
  ...[
    "a\0b",
    "../outside/secret.txt\0.png",
    "a\nb\u0007",
    "\u202e../outside/secret.txt",
    "．．/outside/secret.txt",
    "..\u200b/outside/secret.txt",
    ".\u2024/outside",
  ],
  ...["C:\\Windows\\x", "\\\\server\\share", "NUL/../../outside", "a/".repeat(2_500), "x".repeat(5_000), `${"d".repeat(300)}/x`],
  ...[
    "../ws-private/key.txt",
    "@/ws-private/key.txt",
    "@/project/LICENSE/../../outside/secret.txt",
    "@/project/data/frozen/../../../outside/secret.txt",
  ],
];

const TRIES: readonly ((path: string) => readonly [string, Record<string, unknown>])[] = [
  (path) => ["read_file", { path }],
  (path) => ["read_many_files", { paths: [path] }],
  (path) => ["write_file", { path, content: "x" }],
  (path) => ["edit_file", { path, old_string: "", new_string: "x" }],
  (path) => ["edit_file", { path, old_string: "secret", new_string: "x", replace_all: true }],
  (path) => ["delete_path", { path, recursive: true }],
  (path) => ["move_path", { source: path, destination: "stolen.txt" }],
  (path) => ["move_path", { source: "notes.txt", destination: path }],
  (path) => ["copy_path", { source: path, destination: "stolen.txt" }],
  (path) => ["copy_path", { source: "notes.txt", destination: path, overwrite: true }],
  (path) => ["copy_files_batch", { source_base: path, destination_base: "stolen" }],
  (path) => ["copy_files_batch", { source_base: ".", destination_base: path, overwrite: true }],
  (path) => ["grep", { pattern: "secret", path, mode: "content" }],
  (path) => ["glob", { pattern: "**", path }],
  (path) => ["list_directory", { path, show_hidden: true, include_ignored: true }],
  (path) => ["create_directory", { path }],
  (path) => ["compare_files", { file1: path, file2: "notes.txt" }],
  (path) => ["compare_directories", { dir1: path, dir2: ".", content_diff: true }],
  (path) => ["delete_files_batch", { base_path: path, include: ["**"] }],
  (path) => ["file_info", { path }],
];

describe("an agent that tries everything", { timeout: 60_000 }, () => {
  it.each(ESCAPES)("T2.7 T2.8 %j: no tool reads or changes anything outside, asked or not asked before", async (wayOut) => {
    const desk = await openWalls();
    await desk.link("loop", "ws/loop");
    await desk.link("chain2", "ws/chain");
    await desk.link("../outside/secret.txt", "ws/chain2");
    await desk.link("../../outside", "ws/deep/link");
    await desk.link("/proc/self", "ws/proc-link");
    await desk.link("..", "ws/hop");
    const path = wayOut.replace("@", desk.top);
    for (const attempt of TRIES) {
      const [tool, input] = attempt(path);
      for (const by of ["call", "dispatch"] as const) {
        const before = await wallHash(desk);
        const { text } = await desk[by](tool, input as never);
        expect({ tool, by, text, leaks: /outside secret|sibling secret|PROJECT_TOKEN|root:x:/.test(text) }).toMatchObject({ leaks: false });
        expect({ tool, by, walls: await wallHash(desk) }).toEqual({ tool, by, walls: before });
      }
    }
    await expect(readFile(desk.at("outside/not-yet.txt"))).rejects.toThrow("ENOENT");
    await expect(readFile(desk.at("ws/stolen.txt"), "utf8").catch(() => "")).resolves.not.toContain("secret");
  });

  it("T2.1 T1.14 refuses changes in what is only lent, and says when that will change", async () => {
    const desk = await openDesk({ grants: (at) => ({ views: [at("view")], contexts: [{ path: at("project"), permission: "write" }] }) });
    await desk.put("view/agent1/f", "f");
    await desk.put("project/f", "f");
    expect(await fails(desk.call("write_file", { path: desk.at("project/new"), content: "x" }), "READ_ONLY")).toContain("final presenter");
    await fails(desk.call("write_file", { path: desk.at("view/agent1/f"), content: "x" }), "READ_ONLY");
    await fails(desk.call("delete_files_batch", { base_path: desk.at("project"), include: ["**"] }), "READ_ONLY").catch(async () => {
      expect(await desk.text("project/f")).toBe("f");
    });
    expect(await desk.text("project/f")).toBe("f");
  });

  it("opens no device, pipe or socket, and does not wait for one", async () => {
    const desk = await openDesk();
    execFileSync("mkfifo", [desk.at("ws/pipe")]);
    for (const [tool, input] of [
      ["read_file", { path: "pipe" }],
      ["grep", { pattern: "x", path: "pipe" }],
      ["copy_path", { source: "pipe", destination: "copy" }],
    ] as const)
      expect(await desk.call(tool, input)).toMatchObject({ ok: false });
    expect((await desk.call("grep", { pattern: "x" })).text).toBe("No match.");
  });

  it("T2.22 a policy that breaks denies, and nothing is done", async () => {
    const desk = await openDesk();
    const { createFileTools } = await import("../src/node/index.js");
    const { callTool } = await import("./desk.js");
    const broken = { ...desk.policy, decide: () => Promise.reject(new Error("lost its mind")) };
    const tools = createFileTools({ workspace: { root: desk.at("ws") }, policy: () => broken, roots: async () => [] });
    await expect(callTool(tools, "write_file", { path: "a", content: "x" })).rejects.toThrow("lost its mind");
    await expect(readFile(desk.at("ws/a"))).rejects.toThrow("ENOENT");
  });

  it("shows no real path of the system when something fails there", async () => {
    const desk = await openDesk();
    await desk.put("ws/locked/a.txt", "a");
    await chmod(desk.at("ws/locked"), 0o500);
    const { text } = await desk.call("write_file", { path: "locked/b.txt", content: "x" });
    await chmod(desk.at("ws/locked"), 0o700);
    expect(text).not.toContain(desk.top);
  });
});

/** Puts a link where the folder or file was, and back, while `work` runs. A tool may make something anew in between. */
async function swapping(desk: Desk, path: string, target: string, work: () => Promise<void>): Promise<number> {
  let [swaps, isOver] = [0, false];
  const free = (): Promise<void> => rm(desk.at(path), { recursive: true, force: true }).catch(() => {});
  const steps = [
    () => rename(desk.at(path), desk.at(`${path}.real`)),
    () => symlink(target, desk.at(path)),
    () => unlink(desk.at(path)),
    () => rename(desk.at(`${path}.real`), desk.at(path)),
  ];
  const swapper = (async () => {
    while (!isOver) {
      for (const step of steps)
        await step().catch(() =>
          free()
            .then(step)
            .catch(() => {}),
        );
      swaps++;
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await swapper;
  }
  return swaps;
}

describe("T2.9 a link swapped in between decision and use", { timeout: 60_000 }, () => {
  const ROUNDS = 60;

  it("never leads a reading, searching or copying tool out", async () => {
    const desk = await openDesk();
    await desk.put("ws/dir/f.txt", "inside\n");
    await desk.put("outside/f.txt", "top secret\n");
    const swaps = await swapping(desk, "ws/dir", "../outside", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const [tool, input] of [
          ["read_file", { path: "dir/f.txt" }],
          ["grep", { pattern: ".", mode: "content" }],
          ["copy_path", { source: "dir", destination: `copy${round}` }],
          ["compare_files", { file1: "dir/f.txt", file2: "dir/f.txt" }],
          ["list_directory", { depth: 3 }],
        ] as const)
          expect((await desk.call(tool, input)).text).not.toContain("top secret");
      }
    });
    expect(swaps).toBeGreaterThan(0);
    expect((await desk.call("grep", { pattern: "top secret" })).text).toBe("No match.");
  });

  it("never leads a writing, moving or deleting tool out", async () => {
    const desk = await openDesk({ rules: { readBeforeOverwrite: false, readBeforeDelete: false } });
    await desk.put("ws/dir/f.txt", "inside\n");
    await desk.put("ws/mine.txt", "mine\n");
    await desk.put("outside/f.txt", "top secret\n");
    await desk.put("outside/sub/g.txt", "deep secret\n");
    const before = await treeHash(desk.at("outside"));
    const swaps = await swapping(desk, "ws/dir", "../outside", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await desk.call("write_file", { path: "dir/f.txt", content: `round ${round}\n` });
        await desk.call("write_file", { path: `dir/sub/new${round}.txt`, content: "x" });
        await desk.call("edit_file", { path: "dir/f.txt", old_string: "r", new_string: "R", replace_all: true });
        await desk.call("copy_path", { source: "mine.txt", destination: "dir/copied.txt", overwrite: true });
        await desk.call("move_path", { source: "dir/copied.txt", destination: "dir/moved.txt", overwrite: true });
        await desk.call("create_directory", { path: `dir/made${round}` });
        await desk.call("delete_files_batch", { base_path: "dir", include: ["f.txt", "sub/g.txt"] });
        await desk.call("delete_path", { path: "dir/sub", recursive: true });
      }
    });
    expect(swaps).toBeGreaterThan(0);
    expect(await treeHash(desk.at("outside"))).toBe(before);
  });

  it("never leads out through the file itself", async () => {
    const desk = await openDesk({ rules: { readBeforeOverwrite: false } });
    await desk.put("ws/f.txt", "inside\n");
    await desk.put("outside/f.txt", "top secret\n");
    await swapping(desk, "ws/f.txt", "../outside/f.txt", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        expect((await desk.call("read_file", { path: "f.txt" })).text).not.toContain("top secret");
        expect((await desk.call("grep", { pattern: ".", mode: "content" })).text).not.toContain("top secret");
        await desk.call("copy_path", { source: "f.txt", destination: `c${round}.txt` });
      }
    });
    expect((await desk.call("grep", { pattern: "top secret" })).text).toBe("No match.");
    expect(await desk.text("outside/f.txt")).toBe("top secret\n");
  });
});
