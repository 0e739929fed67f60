import { lutimes, mkdir, readdir, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CleanOptions, clean, createSession, listSessions, planClean, type SessionPlaces, takeLock } from "../src/index.js";
import { tempFolder } from "./temp-folder.js";

const NOW = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

interface Place {
  readonly base: string;
  readonly places: SessionPlaces;
  readonly options: (more: Partial<CleanOptions>) => CleanOptions;
  /** A log of so many bytes that was last changed so many days ago. */
  readonly log: (name: string, days: number, bytes?: number) => Promise<string>;
}

async function place(): Promise<Place> {
  const cwd = await tempFolder();
  const base = join(cwd, ".massgen/massgen_logs");
  await mkdir(base, { recursive: true });
  const places: SessionPlaces = { cwd, registryFile: join(cwd, "home/sessions.json"), now: () => NOW, zone: () => 0, onWarning: () => {} };
  return {
    base,
    places,
    options: (more) => ({ base, places, olderThanMs: null, maxBytes: null, ...more }),
    log: async (name, days, bytes = 1_000) => {
      const root = join(base, name);
      await mkdir(join(root, "ada"), { recursive: true });
      await writeFile(join(root, "events.jsonl"), "x".repeat(bytes));
      await writeFile(join(root, "status.json"), JSON.stringify({ finish_reason: "completed", meta: { question: `About ${name}` } }));
      await age(root, days);
      return root;
    },
  };
}

/** Everything below a folder was last changed so many days ago. */
async function age(path: string, days: number): Promise<void> {
  const at = new Date(NOW - days * DAY_MS);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await age(join(path, entry.name), days);
    else await lutimes(join(path, entry.name), at, at);
  }
  await utimes(path, at, at);
}

const names = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name);

describe("what a clean would remove", () => {
  it("by age: what was not used for so long, oldest first, and writes nothing", async () => {
    const { log, options, base } = await place();
    await log("log_b", 40);
    await log("log_a", 90);
    await log("log_c", 5);
    const plan = await planClean(options({ olderThanMs: 30 * DAY_MS }));
    expect(names(plan.removed)).toEqual(["log_a", "log_b"]);
    expect(names(plan.kept)).toEqual(["log_c"]);
    expect(plan.removed[0]).toMatchObject({ question: "About log_a", session: null, inUse: false });
    expect(await readdir(base)).toHaveLength(3);
  });

  it("by size: the oldest until the rest fits, and both limits together", async () => {
    const { log, options } = await place();
    await log("log_a", 90, 50_000);
    await log("log_b", 40, 50_000);
    await log("log_c", 5, 50_000);
    expect(names((await planClean(options({ maxBytes: 110_000 + 20_000 }))).removed)).toEqual(["log_a"]);
    expect(names((await planClean(options({ maxBytes: 0 }))).removed)).toEqual(["log_a", "log_b", "log_c"]);
    expect(names((await planClean(options({ maxBytes: 1e9, olderThanMs: 60 * DAY_MS }))).removed)).toEqual(["log_a"]);
    expect(names((await planClean(options({}))).removed)).toEqual([]);
  });

  it("one file that was changed lately keeps the whole log", async () => {
    const { log, options } = await place();
    const root = await log("log_a", 90);
    await writeFile(join(root, "ada/answer.txt"), "new");
    await utimes(join(root, "ada/answer.txt"), new Date(NOW - 60_000), new Date(NOW - 60_000));
    expect(names((await planClean(options({ olderThanMs: 0, maxBytes: 0 }))).removed)).toEqual([]);
  });

  it("nothing that a living process writes, whichever turn or attempt, and nothing whose process lives", async () => {
    const { log, options } = await place();
    const locked = await log("log_locked", 90);
    await mkdir(join(locked, "turn_2/attempt_1"), { recursive: true });
    const lock = takeLock(join(locked, "turn_2/attempt_1/events.jsonl"));
    const running = await log("log_running", 90);
    await writeFile(join(running, "status.json"), JSON.stringify({ finish_reason: "in_progress", meta: { pid: process.pid } }));
    const dead = await log("log_dead", 90);
    await writeFile(join(dead, "status.json"), JSON.stringify({ finish_reason: "in_progress", meta: { pid: 2 ** 22 + 1 } }));
    await writeFile(join(dead, "events.jsonl.lock"), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), started: null }));
    for (const root of [locked, running, dead]) await age(root, 90);
    const plan = await planClean(options({ olderThanMs: 30 * DAY_MS, maxBytes: 0 }));
    expect(names(plan.removed)).toEqual(["log_dead"]);
    expect(plan.kept.every(({ inUse }) => inUse)).toBe(true);
    lock.release();
  });
});

describe("cleaning", () => {
  it("removes what was planned and nothing beside it, and follows no link", async () => {
    const { log, options, base, places } = await place();
    const root = await log("log_a", 90);
    await log("log_b", 1);
    const outside = await tempFolder();
    await writeFile(join(outside, "mine.txt"), "mine");
    await symlink(outside, join(root, "ada/link"));
    await symlink(outside, join(base, "log_link"));
    await mkdir(join(base, "notes"));
    await age(root, 90);
    const { removed } = await planClean(options({ olderThanMs: 30 * DAY_MS }));
    expect(names((await clean(removed, { base, places })).removed)).toEqual(["log_a"]);
    expect((await readdir(base)).sort()).toEqual(["log_b", "log_link", "notes"]);
    expect(await readdir(outside)).toEqual(["mine.txt"]);
  });

  it("what came into use after it was planned stays, and is told", async () => {
    const { log, options, base, places } = await place();
    const root = await log("log_a", 90);
    const { removed } = await planClean(options({ olderThanMs: 30 * DAY_MS }));
    const lock = takeLock(join(root, "events.jsonl"));
    expect(await clean(removed, { base, places })).toMatchObject({ removed: [], left: [{ reason: "it is in use" }] });
    expect(await readdir(base)).toEqual(["log_a"]);
    lock.release();
  });

  it("finishes what an earlier clean was killed over", async () => {
    const { log, base, places } = await place();
    await rename(await log("log_a", 90), join(base, ".removing-log_a-0badcafe"));
    await clean([], { base, places });
    expect(await readdir(base)).toEqual([]);
  });
});

describe("conversations", () => {
  async function talk(at: Place, root: string | null) {
    const session = await createSession(at.places);
    const turn = await session.begin({
      task: "Which cache?",
      startedAt: NOW,
      logDirectory: root,
      origin: { configPath: null, model: null, logRoot: root },
    });
    await turn.finish({ status: "complete", finishReason: "completed", answer: "LRU", winner: "ada" });
    return session;
  }

  it("an open one keeps its log; a closed one goes with it, from the disk and from the list", async () => {
    const at = await place();
    const root = await at.log("log_a", 90);
    const session = await talk(at, root);
    await age(session.folder, 90);
    const all = at.options({ olderThanMs: 30 * DAY_MS });
    expect((await planClean(all)).removed).toEqual([]);
    await session.close();
    await age(session.folder, 90);
    const plan = await planClean(all);
    expect(plan.removed).toMatchObject([{ log: root, session: session.folder }]);
    await clean(plan.removed, at);
    const { sessions } = await listSessions(at.places);
    expect(sessions).toEqual([]);
    expect(await readdir(join(at.places.cwd, ".massgen/sessions"))).toEqual([]);
    expect(await readdir(at.base)).toEqual([]);
  });

  it("a conversation that was used lately keeps its old log", async () => {
    const at = await place();
    const session = await talk(at, await at.log("log_a", 90));
    await session.close();
    await age(session.folder, 2);
    expect((await planClean(at.options({ olderThanMs: 30 * DAY_MS }))).removed).toEqual([]);
  });

  it("one whose log is gone is old by itself", async () => {
    const at = await place();
    const session = await talk(at, join(at.base, "log_gone"));
    await session.close();
    await age(session.folder, 90);
    const { removed } = await planClean(at.options({ olderThanMs: 30 * DAY_MS }));
    expect(removed).toMatchObject([{ log: null, session: session.folder }]);
    expect((await clean(removed, at)).removed).toHaveLength(1);
  });
});
