import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import {
  createRedactor,
  createSession,
  listSessions,
  openNewestSession,
  openSession,
  type Session,
  type SessionPlaces,
  type TurnEnd,
  type TurnStart,
} from "../src/index.js";
import { newestFirst } from "../src/sessions/list-sessions.js";
import type { SessionEntry } from "../src/sessions/registry.js";
import { frozenRun, START, zone } from "./frozen-logs.js";
import { filesIn, jsonIn, playRun, textIn } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

interface Place extends SessionPlaces {
  readonly warnings: readonly string[];
  readonly folderOf: (id: string) => string;
}

async function place(cwd?: string, home?: string): Promise<Place> {
  const folder = cwd ?? (await tempFolder());
  const warnings: string[] = [];
  return {
    cwd: folder,
    registryFile: join(home ?? folder, "home", "sessions.json"),
    now: () => START,
    zone,
    onWarning: (message) => warnings.push(message),
    warnings,
    folderOf: (id) => join(folder, ".massgen", "sessions", id),
  };
}

const startOf = (task: string, logDirectory: string | null = null): TurnStart => ({
  task,
  startedAt: START,
  logDirectory,
  origin: { configPath: "team.yaml", model: "gpt-5-mini", logRoot: logDirectory },
});
const answered = (answer: string): TurnEnd => ({ status: "complete", finishReason: "completed", answer, winner: "ada" });
const CUT_OFF: TurnEnd = {
  status: "incomplete",
  finishReason: "cancelled",
  phase: "coordinating",
  votingComplete: false,
  winner: null,
  partial: [
    { agent: "ada", anon: "agent1", answer: "Use LRU, it is short.", answerCount: 1, vote: null },
    {
      agent: "bob",
      anon: "agent2",
      answer: "Use LFU.",
      answerCount: 1,
      vote: { agent: "bob", label: "agent2.1", reason: "Measured." },
    },
    { agent: "cleo", anon: "agent3", answer: null, answerCount: 0, vote: null },
  ],
};

async function ask(session: Session, task: string, end: TurnEnd): Promise<void> {
  await (await session.begin(startOf(task))).finish(end);
}

/** A closed session of so many whole turns. */
async function conversation(at: SessionPlaces, turns: number, id: string | null = null): Promise<string> {
  const session = await createSession(at, id);
  for (let turn = 1; turn <= turns; turn++) await ask(session, `Question ${turn}?`, answered(`Answer ${turn}.`));
  await session.close();
  return session.id;
}

const tasksOf = (session: Session): readonly string[] => session.turns().map(({ task }) => task);

describe("a session", () => {
  it("keeps question, answer and winner of every turn for the next process", async () => {
    const at = await place();
    const id = await conversation(at, 2);
    expect(id).toBe("session_20260102_101529");
    const session = await openNewestSession(at);
    expect(session.turns()).toMatchObject([
      { turn: 1, task: "Question 1?", answer: "Answer 1.", winner: "ada", status: "complete" },
      { turn: 2, task: "Question 2?", answer: "Answer 2.", winner: "ada", status: "complete" },
    ]);
    expect([session.id, session.configPath, await session.reserve(), session.notes]).toEqual([id, "team.yaml", 3, []]);
    await session.close();
    expect(await filesIn(at.folderOf(id))).toEqual([
      "SESSION_SUMMARY.txt",
      "turn_1/answer.txt",
      "turn_1/metadata.json",
      "turn_2/answer.txt",
      "turn_2/metadata.json",
      "winning_agents_history.json",
    ]);
    expect(await jsonIn(at.folderOf(id), "turn_2/metadata.json")).toMatchObject({
      turn: 2,
      winning_agent: "ada",
      task: "Question 2?",
      session_id: id,
      status: "complete",
    });
    expect(await jsonIn(at.folderOf(id), "winning_agents_history.json")).toEqual([
      { agent_id: "ada", turn: 1 },
      { agent_id: "ada", turn: 2 },
    ]);
    expect(await textIn(at.folderOf(id), "SESSION_SUMMARY.txt")).toContain("Question: Question 2?\nAnswer: Answer 2.\n");
    expect(at.warnings).toEqual([]);
  });

  it("keeps what every agent had when a turn is cut off, and the best of it under a line that says so", async () => {
    const at = await place();
    const work = await tempFolder();
    await writeFile(join(work, "draft.md"), "half");
    const session = await createSession(at);
    const turn = await session.begin(startOf("Which cache?"));
    await turn.finish(CUT_OFF, { workspaces: new Map([["cleo", (folder: string) => cp(work, folder, { recursive: true })]]) });
    await session.close();
    const again = await openNewestSession(at);
    const [read] = again.turns();
    expect(read?.partial).toEqual(CUT_OFF.status === "incomplete" ? CUT_OFF.partial : []);
    expect(read).toMatchObject({ status: "incomplete", phase: "coordinating", winner: null });
    // Bob's is shorter, but has a vote.
    expect(read?.answer).toBe("[Incomplete: this turn was cut off (coordinating). The best answer that was there, by bob:]\n\nUse LFU.");
    expect(await readFile(join(read?.workspaces.get("cleo") ?? "", "draft.md"), "utf8")).toBe("half");
    await again.close();
  });

  it("copies the files of a result, links as links", async () => {
    const at = await place();
    const work = await tempFolder();
    await mkdir(join(work, "src"));
    await writeFile(join(work, "src", "a.ts"), "export {};\n");
    const session = await createSession(at);
    await (await session.begin(startOf("Write it."))).finish(answered("Done."), { workspace: work });
    expect(await readFile(join(session.turns()[0]?.workspace ?? "", "src", "a.ts"), "utf8")).toBe("export {};\n");
    await session.close();
  });

  it("is open in one place at a time", async () => {
    const at = await place();
    const id = await conversation(at, 1);
    const session = await openSession(at, id);
    await expect(openSession(at, id)).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    await session.close();
    await session.close();
    await (await openSession(at, id)).close();
  });

  it("in which nothing was asked leaves nothing", async () => {
    const at = await place();
    await (await createSession(at)).close();
    expect(await readdir(join(at.cwd, ".massgen", "sessions"))).toEqual([]);
    expect(await listSessions(at)).toEqual({ sessions: [], total: 0 });
  });

  it.each(["..", "a/b", "", ".hidden", "x".repeat(65), "a b"])("cannot be called %j", async (id) => {
    await expect(createSession(await place(), id)).rejects.toMatchObject({ code: "USAGE", exitCode: 2 });
  });

  it("that does not exist is an error that names those that do", async () => {
    const at = await place();
    const id = await conversation(at, 1);
    await expect(openSession(at, "other")).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
      exitCode: 1,
      hint: expect.stringContaining(id),
    });
    await expect(openNewestSession(await place())).rejects.toMatchObject({ code: "SESSION_NOT_FOUND", exitCode: 1 });
  });

  it("holds no secret, and neither does the list", async () => {
    const at = await place();
    const [given, shaped] = ["correct-horse-battery", `AI${"za"}SyA0123456789SECRETghijklmnopqrstuv`];
    const session = await createSession(at);
    const turn = await session.begin(startOf(`Is ${given} or ${shaped} safe?`), createRedactor([given]));
    await turn.finish({ ...CUT_OFF, ...answered(`No: ${given} ${shaped}`) });
    await (await session.begin(startOf(given), createRedactor([given]))).finish({
      ...CUT_OFF,
      partial: [{ agent: "ada", anon: "agent1", answer: `${given} ${shaped}`, answerCount: 1, vote: null }],
    } as TurnEnd);
    await session.close();
    for (const file of await filesIn(at.cwd)) {
      const text = await textIn(at.cwd, file);
      expect([file, text.includes(given), text.includes(shaped)]).toEqual([file, false, false]);
    }
    expect(session.turns()[0]?.answer).toBe("No: [REDACTED] [REDACTED]");
  });
});

const row = (id: string, startedAt: string): SessionEntry => ({
  id,
  folder: `/there/${id}`,
  startedAt,
  endedAt: null,
  status: "completed",
  configPath: null,
  model: null,
  description: "",
  logDirectory: null,
  turns: 1,
});

describe("the newest of many", () => {
  it("are by the moment, in whatever zone; of the same second the later number; and what has no date is last", () => {
    const rows = [
      row("s_9", "2026-01-01T10:00:00Z"),
      row("undated", "then"),
      row("s_10", "2026-01-01T10:00:00Z"),
      row("west", "2026-01-01T09:30:00-02:00"),
      row("east", "2026-01-01T11:30:00+02:00"),
    ];
    const order = ["west", "s_10", "s_9", "east", "undated"];
    for (let limit = 0; limit <= order.length + 1; limit++)
      expect(newestFirst(rows, limit).map(({ id }) => id)).toEqual(order.slice(0, limit));
    expect(newestFirst(rows).map(({ id }) => id)).toEqual(order);
  });

  it("come from every folder that is there, once each; folders of others that the list does not know are theirs", async () => {
    const home = await tempFolder();
    const [here, elsewhere] = [await place(undefined, home), await place(undefined, home)];
    await conversation(here, 1, "one");
    await conversation(elsewhere, 1, "far");
    await conversation(elsewhere, 1, "gone");
    await rm(elsewhere.folderOf("gone"), { recursive: true });
    // Two folders that the list never heard of.
    for (const at of [here, elsewhere]) await conversation({ ...at, registryFile: join(home, "other.json") }, 1, "unlisted");
    const { sessions, total } = await listSessions(here);
    expect(sessions.map(({ folder }) => folder).sort()).toEqual(
      [here.folderOf("one"), here.folderOf("unlisted"), elsewhere.folderOf("far")].sort(),
    );
    expect(total).toBe(3);
    expect((await listSessions(here, 1)).sessions).toHaveLength(1);
  });
});

describe("a turn whose process ended", () => {
  it("after the run and before the result was saved, is made up from its log", async () => {
    const { folder: logs, log } = await playRun(frozenRun("voidedVotes"));
    const at = await place();
    const session = await createSession(at, "mine");
    await session.begin(startOf("Compare two caching strategies", log.root));
    await session.close();
    const again = await openSession(at, "mine");
    expect(again.notes).toEqual([]);
    expect(again.turns()).toMatchObject([{ turn: 1, status: "complete", logDirectory: log.root, task: "Compare two caching strategies" }]);
    expect(again.turns()[0]?.answer).toBe(log.view().state.finalAnswer);
    await again.close();
    expect(logs).not.toBe("");
  });

  it("in the middle of the run, is left out with a note and keeps its number", async () => {
    const at = await place();
    const id = await conversation(at, 2);
    const session = await openSession(at, id);
    await session.begin(startOf("Question 3?", "/nowhere"));
    await session.close();
    const again = await openSession(at, id);
    expect(again.notes).toEqual(["Turn 3 was cut off before it had a result; it is left out."]);
    expect([again.turns().length, await again.reserve()]).toEqual([2, 4]);
    await again.close();
  });

  it("is listed as interrupted; a session that is open is active", async () => {
    const at = await place();
    const session = await createSession(at);
    await session.begin(startOf("Why?"));
    expect((await listSessions(at)).sessions).toMatchObject([{ status: "active", description: "Why?" }]);
    // What a process leaves that was killed: the row, and the lock of a number that no longer runs.
    const lock = join(session.folder, "session.lock");
    const held = await readFile(lock, "utf8");
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const registry = await readFile(at.registryFile, "utf8");
    await session.close();
    await writeFile(at.registryFile, registry);
    await writeFile(lock, held.replace(/"pid":\d+/, `"pid":${dead}`));
    expect((await listSessions(at)).sessions).toMatchObject([{ status: "interrupted" }]);
  });
});

const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
const kinds: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  half,
  empty: () => Buffer.alloc(0),
  nul: (bytes) => Buffer.concat([half(bytes), Buffer.alloc(bytes.length - half(bytes).length)]),
  tail: (bytes) => Buffer.concat([bytes, bytes.subarray(Math.floor(bytes.length * 0.7))]),
  utf8: (bytes) => Buffer.concat([bytes.subarray(0, 10), Buffer.from([0xc3]), bytes.subarray(10)]),
  crlf: (bytes) => Buffer.from(bytes.toString("utf8").replace(/\n/g, "\r\n")),
};
const damage = async (kind: string, file: string): Promise<void> => writeFile(file, kinds[kind]!(await readFile(file)));

describe("damage (SE-01)", () => {
  it.each(["half", "empty", "nul", "tail"])("1–4: a list that is damaged (%s) is kept aside and made again", async (kind) => {
    const home = await tempFolder();
    const [here, elsewhere] = [await place(undefined, home), await place(undefined, home)];
    for (const id of ["one", "two", "three"]) await conversation(here, 2, id);
    await conversation(elsewhere, 1, "far");
    await damage(kind, here.registryFile);
    const before = await readFile(here.registryFile);
    const { sessions } = await listSessions(here);
    expect(
      sessions
        .map(({ id }) => id)
        .filter((id) => id !== "far")
        .sort(),
    ).toEqual(["one", "three", "two"]);
    expect(sessions[0]).toMatchObject({ turns: 2, configPath: "team.yaml", description: "Question 1?", status: "completed" });
    expect(here.warnings).toEqual([expect.stringContaining(`kept as ${here.registryFile}.damaged`)]);
    expect(await readFile(`${here.registryFile}.damaged`)).toEqual(before);
    // The list is whole again, new sessions go into it, and every folder adds its own.
    await conversation(here, 1, "four");
    await conversation(elsewhere, 1, "five");
    expect((await listSessions(elsewhere)).sessions.map(({ id }) => id).sort()).toEqual(["far", "five", "four", "one", "three", "two"]);
    expect(JSON.parse(await readFile(here.registryFile, "utf8")).sessions.length).toBeGreaterThanOrEqual(5);
  });

  it("5: metadata of turn 2 of 3: turns 1 and 3 are there, and it is said", async () => {
    const at = await place();
    const id = await conversation(at, 3);
    await damage("half", join(at.folderOf(id), "turn_2", "metadata.json"));
    const session = await openNewestSession(at);
    expect([tasksOf(session), await session.reserve()]).toEqual([["Question 1?", "Question 3?"], 4]);
    expect(session.notes).toEqual([expect.stringMatching(/^Turn 2 could not be read and is left out: .*metadata\.json/)]);
    await session.close();
  });

  it("6: the answer of turn 3 of 3 is gone: turns 1 and 2 go on, and turn 3 is not written over", async () => {
    const at = await place();
    const id = await conversation(at, 3);
    await rm(join(at.folderOf(id), "turn_3", "answer.txt"));
    const session = await openNewestSession(at);
    expect([tasksOf(session), session.notes.length]).toEqual([["Question 1?", "Question 2?"], 1]);
    await ask(session, "Question 4?", answered("Answer 4."));
    await session.close();
    expect(await jsonIn(at.folderOf(id), "turn_3/metadata.json")).toMatchObject({ task: "Question 3?" });
    expect(await jsonIn(at.folderOf(id), "turn_4/metadata.json")).toMatchObject({ task: "Question 4?" });
  });

  it("7: metadata of turn 1 of 1 is empty: nothing readable, nothing removed", async () => {
    const at = await place();
    const id = await conversation(at, 1);
    await damage("empty", join(at.folderOf(id), "turn_1", "metadata.json"));
    const files = await filesIn(at.folderOf(id));
    for (const opening of [() => openNewestSession(at), () => openSession(at, id)]) {
      const error: unknown = await opening().catch((cause: unknown) => cause);
      expect(MassgenError.is(error) && error.exitCode).toBe(1);
      expect(String(error)).toMatch(/nothing that can be read/);
    }
    expect(await filesIn(at.folderOf(id))).toEqual(files);
  });

  it("8: an answer that is no UTF-8 is read with replacement characters", async () => {
    const at = await place();
    const id = await conversation(at, 1);
    await writeFile(join(at.folderOf(id), "turn_1", "answer.txt"), kinds["utf8"]!(Buffer.from("A long answer.")));
    const session = await openNewestSession(at);
    expect(session.turns()[0]?.answer).toBe("A long ans\ufffdwer.");
    await session.close();
  });

  it("9: line ends of another system in every file change nothing", async () => {
    const at = await place();
    const id = await conversation(at, 2);
    const session = await openSession(at, id);
    await ask(session, "Cut?", CUT_OFF);
    const before = session.turns();
    await session.close();
    for (const file of await filesIn(at.folderOf(id))) await damage("crlf", join(at.folderOf(id), file));
    await damage("crlf", at.registryFile);
    const again = await openSession(at, id);
    expect([again.turns(), again.notes]).toEqual([before, []]);
    await again.close();
    expect(at.warnings).toEqual([]);
  });

  it("12: a turn that the disk does not take is an error that names its folder; older turns are as they were", async () => {
    const at = await place();
    const id = await conversation(at, 1);
    const session = await openSession(at, id);
    const turn = await session.begin(startOf("Question 2?"));
    // Stands in for a disk that takes no more: the place of the file is taken by a folder.
    await mkdir(join(at.folderOf(id), "turn_2", "answer.txt.tmp"));
    await expect(turn.finish(answered("Answer 2."))).rejects.toMatchObject({
      code: "STORE_FAILED",
      exitCode: 2,
      message: expect.stringContaining(join(at.folderOf(id), "turn_2")),
    });
    expect(tasksOf(session)).toEqual(["Question 1?"]);
    await session.close();
  });
});

describe("the list of sessions", () => {
  it("gives an id once, also to folders that begin in the same second", async () => {
    const home = await tempFolder();
    const places = await Promise.all(Array.from({ length: 6 }, () => place(undefined, home)));
    const sessions = await Promise.all(places.map((at) => createSession(at)));
    expect(sessions.map(({ id }) => id).sort()).toEqual([
      "session_20260102_101529",
      "session_20260102_101529_2",
      "session_20260102_101529_3",
      "session_20260102_101529_4",
      "session_20260102_101529_5",
      "session_20260102_101529_6",
    ]);
    await Promise.all(sessions.map((session) => ask(session, "Why?", answered("So."))));
    await Promise.all(sessions.map((session) => session.close()));
    expect((await listSessions(places[0]!)).total).toBe(6);
  });

  it("shows the newest first, and as many as are wanted", async () => {
    const at = await place();
    for (const [index, id] of ["a", "b", "c"].entries()) await conversation({ ...at, now: () => START + index * 60_000 }, 1, id);
    const { sessions, total } = await listSessions(at, 2);
    expect([sessions.map(({ id }) => id), total]).toEqual([["c", "b"], 3]);
  });

  it("leaves rows and keys of other programs as they are, and sessions out whose folder is gone", async () => {
    const at = await place();
    await mkdir(join(at.cwd, "home"));
    const foreign = { session_id: "theirs", start_time: "2025-01-01T00:00:00", log_directory: "x", own: [1] };
    await writeFile(at.registryFile, JSON.stringify({ sessions: [foreign] }, null, 2));
    const id = await conversation(at, 1);
    expect(JSON.parse(await readFile(at.registryFile, "utf8")).sessions).toEqual([foreign, expect.objectContaining({ session_id: id })]);
    await rm(at.folderOf(id), { recursive: true });
    expect((await listSessions(at)).total).toBe(0);
  });

  it("that cannot be written costs a warning and no conversation", async () => {
    const at = await place();
    await writeFile(join(at.cwd, "home"), "a file where the folder should be");
    const id = await conversation(at, 1);
    expect(at.warnings.length).toBeGreaterThan(0);
    expect((await listSessions(at)).sessions).toMatchObject([{ id, turns: 1 }]);
  });
});
