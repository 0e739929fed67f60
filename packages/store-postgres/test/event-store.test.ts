import { MassgenError, type Recorded } from "@massgen/contracts";
import { postgresMissing, startPostgres, type TestPostgres } from "@massgen/testing/node";
import { describeEventStore } from "@massgen/testing/suites";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openPostgresStore, type PostgresStore } from "../src/index.js";

const named = postgresMissing === null ? "PostgreSQL" : `PostgreSQL: ${postgresMissing}`;

describe.skipIf(postgresMissing !== null)(named, () => {
  let postgres: TestPostgres;
  let schemas = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());

  describeEventStore("postgres", async () => {
    const options = { url: postgres.url, schema: `store_${++schemas}`, maxConnections: 4 };
    const store = await openPostgresStore(options);
    const others: (typeof store)[] = [];
    return {
      store,
      async openAgain() {
        const other = await openPostgresStore(options);
        others.push(other);
        return other;
      },
      async close() {
        for (const one of [store, ...others]) await one.close();
      },
    };
  });

  async function opened(): Promise<PostgresStore> {
    const store = await openPostgresStore({ url: postgres.url, schema: `store_${++schemas}`, maxConnections: 4 });
    onTestFinished(() => store.close());
    return store;
  }

  it("goes on following when the connection that listens is cut", async () => {
    const store = await opened();
    const seen: number[] = [];
    const following = (async () => {
      for await (const { seq } of store.read(RUN, { follow: true })) seen.push(seq);
    })();
    await store.append(RUN, 0, [fact(1, "phase_changed"), fact(2, "phase_changed")], "flushed");
    const other = new pg.Client({ connectionString: postgres.url });
    await other.connect();
    await other.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE 'LISTEN%'");
    await other.end();
    await store.append(RUN, 2, [fact(3, "run_finished")], "flushed");
    await following;
    expect(seen).toEqual([1, 2, 3]);
  });

  it("reads a log of more records than one query fetches, and ends with it also when it ends with a page", async () => {
    const store = await opened();
    for (let after = 0; after < 600; after += 100) {
      const decision = Array.from({ length: 100 }, (_, place) =>
        fact(after + place + 1, after + place === 599 ? "run_finished" : "phase_changed"),
      );
      await store.append(RUN, after, decision, "buffered");
    }
    const seen: number[] = [];
    for await (const { seq } of store.read(RUN, { follow: true })) seen.push(seq);
    expect(seen).toEqual(Array.from({ length: 600 }, (_, place) => place + 1));
  });

  it("ends readers that follow, and lets its process end, when it is closed", async () => {
    const store = await openPostgresStore({ url: postgres.url, schema: `store_${++schemas}` });
    const following = (async () => {
      for await (const _ of store.read(RUN, { follow: true }));
    })();
    await store.close();
    await following;
  });
});

describe("A PostgreSQL that is not there", () => {
  it("is told without the password of its address", async () => {
    const error = await openPostgresStore({ url: "postgres://user:hush-hush@127.0.0.1:1/nowhere" }).catch((reason: unknown) => reason);
    expect(MassgenError.is(error, "STORE_FAILED")).toBe(true);
    expect(`${error} ${(error as MassgenError).hint}`).not.toContain("hush");
  });

  it("is not asked for a schema that would be SQL", async () => {
    await expect(openPostgresStore({ url: "postgres://localhost", schema: "a; drop" })).rejects.toThrow('"a; drop" cannot be the name');
  });
});

const RUN = "20260101_000000_aaaaaa";

/** As far as the store looks at it. */
const fact = (seq: number, type: string): Recorded => ({ v: 1, runId: RUN, seq, at: seq, type }) as unknown as Recorded;
