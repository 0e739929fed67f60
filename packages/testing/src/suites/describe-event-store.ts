import { type Durability, type EventStore, MassgenError, type Recorded } from "@massgen/contracts";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeTurns } from "../macrotask.js";
import { decision, finish, RUN, type Said, say } from "./records.js";

export interface EventStoreUnderTest {
  readonly store: EventStore;
  /** Another instance over the same data, as a second process would have. Without it the tests of two instances are skipped. */
  readonly openAgain?: () => Promise<EventStore>;
  readonly close?: () => Promise<void>;
}

/**
 * Registers tests of every obligation of `EventStore`. `open` gives an empty store each time.
 *
 * @example
 * describeEventStore("events.jsonl", async () => {
 *   const folder = await mkdtemp(join(tmpdir(), "store-"));
 *   return { store: createEventsFile(folder), close: () => rm(folder, { recursive: true }) };
 * });
 */
export function describeEventStore(name: string, open: () => Promise<EventStore | EventStoreUnderTest>): void {
  async function opened(): Promise<EventStoreUnderTest> {
    const given = await open();
    const subject: EventStoreUnderTest = "store" in given ? given : { store: given };
    onTestFinished(() => subject.close?.());
    return subject;
  }

  describe(`${name} is an EventStore`, () => {
    it("has nothing of a run it does not know", async () => {
      const { store } = await opened();
      expect(await readAll(store, "20260101_000000_nobody")).toEqual([]);
    });

    it("gives back what was appended, field by field and in order", async () => {
      const { store } = await opened();
      const records = await appendAll(store, [["a"], ["b", "c", "d"], ["e"]]);
      expect(await readAll(store)).toEqual(records);
    });

    it("keeps what was buffered in order with what was flushed", async () => {
      const { store } = await opened();
      const records = await appendAll(store, [["a"], ["b", "c"], ["d"], ["e"]], (place) => (place % 2 === 0 ? "buffered" : "flushed"));
      expect(await readAll(store)).toEqual(records);
    });

    it("reads from after a given record on", async () => {
      const { store } = await opened();
      const records = await appendAll(store, [["a", "b"], ["c"]]);
      for (const after of [0, 1, 2, 3, 99]) expect(await readAll(store, RUN, after)).toEqual(records.slice(after));
    });

    it("keeps runs apart", async () => {
      const { store } = await opened();
      const mine = decision(0, ["mine"], { runId: "20260101_000000_aaaaaa" });
      const yours = decision(0, ["yours", "too"], { runId: "20260101_000000_bbbbbb" });
      await store.append("20260101_000000_aaaaaa", 0, mine, "flushed");
      await store.append("20260101_000000_bbbbbb", 0, yours, "flushed");
      expect(await readAll(store, "20260101_000000_aaaaaa")).toEqual(mine);
      expect(await readAll(store, "20260101_000000_bbbbbb")).toEqual(yours);
    });

    it.each(["flushed", "buffered"] as const)(
      "refuses a %s append after a record that is not the last, and keeps nothing of it",
      async (durability) => {
        const { store } = await opened();
        const records = await appendAll(store, [["a"], ["b"]]);
        for (const after of [0, 1, 3, 99]) {
          await expect(store.append(RUN, after, decision(after, ["late"]), durability)).rejects.toSatisfy(isConflict);
        }
        expect(await readAll(store)).toEqual(records);
        await store.append(RUN, 2, decision(2, ["c"]), durability);
        expect((await readAll(store)).map((record) => record.seq)).toEqual([1, 2, 3]);
      },
    );

    it("lets one of several writers win when all of them append after the same record", async () => {
      const { store } = await opened();
      const results = await Promise.allSettled(
        WRITERS.map((writer) => store.append(RUN, 0, decision(0, [writer, writer, writer]), "flushed")),
      );
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      for (const result of results) if (result.status === "rejected") expect(result.reason).toSatisfy(isConflict);
      const texts = textsOf(await readAll(store));
      expect(texts).toHaveLength(3);
      expect(new Set(texts).size).toBe(1);
    });

    it("never interleaves two writers that try again after a conflict", async () => {
      const { store } = await opened();
      await Promise.all(["x", "y"].map((writer) => appendPersistently(store, writer, 12)));
      expectWholeTriples(await readAll(store), 24);
    });

    it("never interleaves two instances over the same data", async (context) => {
      const { store, openAgain } = await opened();
      if (openAgain === undefined) return context.skip("no second instance was offered");
      const second = await openAgain();
      await Promise.all([appendPersistently(store, "x", 12), appendPersistently(second, "y", 12)]);
      expectWholeTriples(await readAll(second), 24);
      expect(await readAll(store)).toEqual(await readAll(second));
    });

    it("shows another instance what was flushed", async (context) => {
      const { store, openAgain } = await opened();
      if (openAgain === undefined) return context.skip("no second instance was offered");
      const records = await appendAll(store, [["a"], ["b", "c"]]);
      expect(await readAll(await openAgain())).toEqual(records);
    });

    it("never shows a reader a part of a decision", async () => {
      const { store } = await opened();
      let writing = true;
      const writer = appendAll(
        store,
        Array.from({ length: 20 }, (_, place) => ["1", "2", "3", "4", `${place}`]),
      ).finally(() => {
        writing = false;
      });
      while (writing) {
        expect((await readAll(store)).length % 5).toBe(0);
        // A store that reads from memory would never let the disk answer the writer.
        await takeTurns(1);
      }
      await writer;
    });

    it("gives a reader that follows each record once, whenever it came, and ends with the run", async () => {
      const { store } = await opened();
      const early = readAll(store, RUN, 0, { follow: true });
      const first = await appendAll(store, [["a"], ["b", "c"]]);
      const late = readAll(store, RUN, 0, { follow: true });
      const tail = readAll(store, RUN, 2, { follow: true });
      const more = await appendAll(store, [["d"], ["e"]], () => "buffered", 3);
      const end = finish(5);
      await store.append(RUN, 5, end, "flushed");
      const all = [...first, ...more, ...end];
      expect(await early).toEqual(all);
      expect(await late).toEqual(all);
      expect(await tail).toEqual(all.slice(2));
      expect(await readAll(store, RUN, 0, { follow: true })).toEqual(all);
    });

    it("ends a reader that follows, without an error, when its signal aborts", async () => {
      const { store } = await opened();
      const records = await appendAll(store, [["a"]]);
      const stop = new AbortController();
      const seen: Recorded[] = [];
      for await (const record of store.read(RUN, { follow: true, signal: stop.signal })) {
        seen.push(record);
        queueMicrotask(() => stop.abort());
      }
      expect(seen).toEqual(records);
      expect(await readAll(store, RUN, 0, { follow: true, signal: AbortSignal.abort() })).toEqual([]);
    });

    it("lets a reader leave without disturbing the others", async () => {
      const { store } = await opened();
      await appendAll(store, [["a"], ["b"]]);
      for await (const record of store.read(RUN, { follow: true })) if (record.seq === 1) break;
      const steady = readAll(store, RUN, 0, { follow: true });
      await store.append(RUN, 2, finish(2), "flushed");
      expect((await steady).map((record) => record.seq)).toEqual([1, 2, 3]);
    });

    it("carries any text unchanged", async () => {
      const { store } = await opened();
      const records = await appendAll(store, [TRICKY_TEXTS]);
      expect(textsOf(await readAll(store))).toEqual(TRICKY_TEXTS);
      expect(await readAll(store)).toEqual(records);
    });

    it("carries answers of a megabyte", async () => {
      const { store } = await opened();
      const long = "Größe 大きさ 📦 \n".repeat(80_000);
      await appendAll(store, [["a", long, "b"], [long]]);
      expect(textsOf(await readAll(store)).map((text) => text.length)).toEqual([1, long.length, 1, long.length]);
      expect(textsOf(await readAll(store, RUN, 3))).toEqual([long]);
    });
  });
}

const WRITERS = ["x", "y", "z", "w"];

const TRICKY_TEXTS: readonly string[] = [
  "",
  "line one\nline two\r\nline three\u2028four\u2029five\u0085six",
  "quotes \" \\ ' ` and </script>",
  "nul \u0000 bell \u0007 escape \u001b[31m",
  "Ünïcödé, 日本語, العربية, 👩‍👩‍👧‍👦, e\u0301",
  "\uFEFFbyte order mark first",
  '{"seq":1,"type":"run_finished"}',
];

async function readAll(
  store: EventStore,
  runId = RUN,
  after = 0,
  options: { readonly follow?: boolean; readonly signal?: AbortSignal } = {},
): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  for await (const record of store.read(runId, { after, ...options })) records.push(record);
  return records;
}

async function appendAll(
  store: EventStore,
  decisions: readonly (readonly string[])[],
  durability: (place: number) => Durability = () => "flushed",
  after = 0,
): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  for (const [place, texts] of decisions.entries()) {
    const facts = decision(after + records.length, texts);
    await store.append(RUN, after + records.length, facts, durability(place));
    records.push(...facts);
  }
  return records;
}

/** Appends `times` decisions of three facts, reading the end anew after each conflict. */
async function appendPersistently(store: EventStore, writer: string, times: number): Promise<void> {
  for (let done = 0, attempts = 0; done < times; attempts++) {
    // A store that conflicts with itself would keep two writers busy for ever.
    if (attempts > 100 * times) throw new Error(`Writer ${writer} did not get ${times} decisions in with ${attempts} attempts.`);
    const end = (await readAll(store)).length;
    try {
      await store.append(RUN, end, decision(end, [`${writer}${done}`, `${writer}${done}`, `${writer}${done}`]), "flushed");
      done += 1;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

function expectWholeTriples(records: readonly Recorded[], count: number): void {
  expect(records.map((record) => record.seq)).toEqual(Array.from({ length: count * 3 }, (_, place) => place + 1));
  const texts = textsOf(records);
  for (let at = 0; at < texts.length; at += 3) expect(new Set(texts.slice(at, at + 3)).size).toBe(1);
  expect(new Set(texts).size).toBe(count);
}

function isConflict(error: unknown): boolean {
  return MassgenError.is(error, "STORE_CONFLICT");
}

function textsOf(records: readonly Recorded[]): readonly string[] {
  return records.map((record) => say.read(record as Said));
}
