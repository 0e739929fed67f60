import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createWorkspaces } from "@massgen/workspace";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRun } from "./open-run.js";
import { readTree, tempFolder, writeTree } from "./temp-folder.js";

const RUN_A = "20260102_101529_aaaaaa";
const RUN_B = "20260102_101529_bbbbbb";
const WEEK_MS = 7 * 24 * 3_600_000;

/** A process of its own that opens a run, publishes once, and then as often as it can, until it is killed. */
async function startRun(base: string, runId: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("publish-for-ever.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", "--conditions=@massgen/source", program, base, runId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout!, "data");
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

describe("folders of a run", () => {
  it("T1.1, T1.2: equal relative names give folders of their own; the rest of .massgen is ours alone", async () => {
    const { base, run } = await openRun();
    const roots = await Promise.all(["zeta", "alpha", "mid"].map(async (id) => (await run.open(id)).root));
    expect(new Set(roots).size).toBe(3);
    for (const root of roots) expect(root).toMatch(/\.massgen\/workspaces\/work_[0-9a-f]{8}$/);
    expect(readFileSync(join(base, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("T1.2: an empty folder given by its path is used as it is", async () => {
    const given = join(await tempFolder(), "mine");
    const { run } = await openRun({ agents: [{ id: "ada", anon: "agent1", cwd: given }] });
    const ada = await run.open("ada");
    expect(ada.root).toBe(given);
    writeTree(given, { "a.txt": "one" });
    expect((await run.manifestOf(await ada.publish())).files.map(({ path }) => path)).toEqual(["a.txt"]);
    await ada.clear();
    expect(Object.keys(readTree(given))).toEqual([".massgen-workspace"]);
  });

  it("T1.2: a given folder with files of somebody else is refused, and nothing in it is touched", async () => {
    const given = await tempFolder();
    writeTree(given, { "thesis.tex": "years of work" });
    await expect(openRun({ agents: [{ id: "ada", anon: "agent1", cwd: given }] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: expect.stringContaining("context_paths"),
    });
    expect(readTree(given)).toEqual({ "thesis.tex": "years of work" });
  });

  it("what a given folder holds from an earlier run is never removed and never replaced", async () => {
    const given = join(await tempFolder(), "mine");
    const agents = [{ id: "ada", anon: "agent1", cwd: given }] as const;
    const { base, run } = await openRun({ agents, runId: RUN_A });
    writeTree(given, { "old/a.txt": "old" });
    await run.close();
    const later = await openRun({ agents, runId: RUN_B, baseDir: base });
    const ada = await later.run.open("ada");
    writeTree(given, { "new.txt": "new" });
    const ref = await ada.publish();
    writeTree(given, { "old/b.txt": "by the user, meanwhile" });
    await ada.clear();
    await ada.restore(ref);
    const { [".massgen-workspace"]: _, ...files } = readTree(given);
    expect(files).toEqual({ "old/a.txt": "old", "old/b.txt": "by the user, meanwhile", "new.txt": "new" });
  });

  it("T1.1: the same folder, one in the other, or one in a writable context path is refused, naming both", async () => {
    const dir = await tempFolder();
    mkdirSync(join(dir, "real"));
    symlinkSync("real", join(dir, "link"));
    const two = (a: string, b: string) =>
      openRun({
        agents: [
          { id: "ada", anon: "agent1", cwd: join(dir, a) },
          { id: "bob", anon: "agent2", cwd: join(dir, b) },
        ],
      });
    for (const [a, b] of [
      ["x", "x"],
      ["x", "x/y"],
      ["real/w", "link/w"],
      ["X", "x"],
    ])
      await expect(two(a!, b!)).rejects.toThrow(/"ada".*"bob".*overlap/);
    await expect(
      openRun({ agents: [{ id: "ada", anon: "agent1", cwd: join(dir, "p/w") }], writablePaths: [join(dir, "p")] }),
    ).rejects.toThrow(/overlap/);
  });

  it.each(["..", "../x", "a/../../x", ".massgen/../x"])("a name that leads out is refused: %s", async (cwd) => {
    await expect(openRun({ agents: [{ id: "ada", anon: "agent1", cwd }] })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("a link where a folder of ours is to be is refused; .massgen itself may be one", async () => {
    const dir = await tempFolder();
    mkdirSync(join(dir, "elsewhere"));
    symlinkSync("elsewhere", join(dir, ".massgen"));
    await (await openRun({ baseDir: join(dir, ".massgen") })).run.close();
    symlinkSync("/", join(dir, "elsewhere", "trap"));
    await expect(openRun({ baseDir: join(dir, ".massgen"), snapshotDir: "trap", runId: RUN_B })).rejects.toMatchObject({
      code: "PATH_DENIED",
    });
  });

  it("ids of any kind get folders that differ, and no id leads out of them", async () => {
    const ids = ["ada", "Ada", "../../x", "a/b", "ü".repeat(80), "con"];
    const { base, run } = await openRun({ agents: ids.map((id, i) => ({ id, anon: `agent${i + 1}` as const, cwd: "w" })) });
    for (const id of ids) {
      const workspace = await run.open(id);
      writeFileSync(join(workspace.root, "id"), id);
      await workspace.publish();
    }
    const folders = readdirSync(join(base, "snapshots", "20260102_101529_k7q2mz"));
    expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(ids.length);
  });
});

describe("runs side by side", () => {
  it("T1.11: share nothing, and the end of one leaves the other as it is", async () => {
    const { base, run } = await openRun({ runId: RUN_A });
    const other = await openRun({ runId: RUN_B, baseDir: base });
    const [a, b] = [await run.open("zeta"), await other.run.open("zeta")];
    writeTree(a.root, { "a.txt": "of a" });
    writeTree(b.root, { "b.txt": "of b" });
    const refs = [await a.publish(), await b.publish()];
    const views = [
      await run.refreshView("mid", new Map([["agent1", refs[0]!]])),
      await other.run.refreshView("mid", new Map([["agent1", refs[1]!]])),
    ];
    expect(views.map(({ path }) => readTree(path))).toEqual([{ "agent1/a.txt": "of a" }, { "agent1/b.txt": "of b" }]);
    await run.close();
    expect(readTree(views[1]!.path)).toEqual({ "agent1/b.txt": "of b" });
    await b.restore(refs[1]!);
  });

  it("a run that is being played is not played twice, nor is a given folder used by two", async () => {
    const base = join(await tempFolder(), ".massgen");
    await startRun(base, RUN_A);
    await expect(openRun({ baseDir: base, runId: RUN_A })).rejects.toMatchObject({ code: "RUN_BUSY" });
    const given = join(await tempFolder(), "mine");
    const agents = [{ id: "ada", anon: "agent1", cwd: given }] as const;
    await openRun({ agents, baseDir: base, runId: RUN_B });
    await expect(openRun({ agents, baseDir: base, runId: "third" })).rejects.toMatchObject({ code: "RUN_BUSY" });
  }, 60_000);

  it("T1.12: kill -9 leaves no half version; the next run sweeps views and homes of the dead alone, and old runs as a whole", async () => {
    const base = join(await tempFolder(), ".massgen");
    const live = await openRun({ baseDir: base, runId: RUN_B });
    const { view } = await live.run.open("zeta");
    await killed(await startRun(base, RUN_A));
    mkdirSync(join(base, "workspaces", "not-ours"));
    expect(readdirSync(join(base, "temp_workspaces")).toSorted()).toEqual([RUN_A, RUN_B]);

    const warnings: string[] = [];
    const onWarning = (message: string): number => warnings.push(message);
    await (await openRun({ baseDir: base, runId: "next", onWarning })).run.close();
    expect(readdirSync(join(base, "temp_workspaces"))).toEqual([RUN_B]);
    expect(readdirSync(join(base, "home"))).toEqual([RUN_B]);
    expect(existsSync(view)).toBe(true);

    const versions = readdirSync(join(base, "snapshots", RUN_A, "ada"));
    for (const version of versions.filter((name) => !name.endsWith(".tmp")))
      expect(Object.keys(readTree(join(base, "snapshots", RUN_A, "ada", version, "workspace")))).toHaveLength(200);

    const agents = [{ id: "ada", anon: "agent1", cwd: "work" }] as const;
    const again = await openRun({ baseDir: base, runId: RUN_A, agents });
    expect(readdirSync(join(base, "snapshots", RUN_A, "ada")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    const ada = await again.run.open("ada");
    await ada.restore({ agent: "ada", version: "v0001" });
    expect(Object.keys(readTree(ada.root))).toHaveLength(200);
    expect(versions).not.toContain((await ada.publish()).version);
    await again.run.close();

    const { root } = ada;
    await (
      await openRun({ baseDir: base, runId: "later", retentionMs: WEEK_MS, now: () => Date.now() + 2 * WEEK_MS, onWarning })
    ).run.close();
    expect(existsSync(root)).toBe(false);
    expect(readdirSync(join(base, "snapshots")).toSorted()).toEqual([RUN_B, "later"]);
    expect(readdirSync(join(base, "workspaces")).filter((name) => name === "not-ours")).toHaveLength(1);
    expect(warnings).toEqual([]);
  }, 60_000);

  it("a record that names folders outside of .massgen is not believed", async () => {
    const dir = await tempFolder();
    const base = join(dir, ".massgen");
    await (await openRun({ baseDir: base, runId: RUN_A })).run.close();
    writeTree(dir, { "precious/a.txt": "mine" });
    symlinkSync("../precious", join(base, "planted"));
    const file = join(base, "runs", `${RUN_A}.json`);
    const record = JSON.parse(readFileSync(file, "utf8"));
    const passing = [join(dir, "precious"), "/", base, join(base, "planted"), join(base, "planted", "..", "..", "precious")];
    writeFileSync(file, JSON.stringify({ ...record, folders: { ...record.folders, passing } }));
    const warnings: string[] = [];
    await (await openRun({ baseDir: base, runId: RUN_B, onWarning: (message) => warnings.push(message) })).run.close();
    expect(readTree(join(dir, "precious"))).toEqual({ "a.txt": "mine" });
    expect(existsSync(join(base, "snapshots"))).toBe(true);
    expect(warnings).toHaveLength(5);
  });

  it("a process nobody can look at is taken for dead after five minutes of silence", async () => {
    const { base, run } = await openRun({ runId: RUN_A });
    const { view } = await run.open("zeta");
    const file = join(base, "runs", `${RUN_A}.json`);
    const record = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(`${file}.new`, JSON.stringify({ ...record, process: { ...record.process, host: "another" } }));
    renameSync(`${file}.new`, file);
    const sweepAfter = async (ms: number): Promise<boolean> => {
      const heard = Date.now() / 1000;
      utimesSync(file, heard, heard);
      const next = await createWorkspaces({ baseDir: base, runId: RUN_B, agents: [], now: () => heard * 1000 + ms });
      await next.close();
      return existsSync(view);
    };
    expect(await sweepAfter(4 * 60_000)).toBe(true);
    expect(await sweepAfter(6 * 60_000)).toBe(false);
  });
});
