import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeEventStore } from "@massgen/testing/suites";
import { createEventsFileStore, type EventsFileStore } from "../src/index.js";

describeEventStore("events.jsonl", async () => {
  const folder = await mkdtemp(join(tmpdir(), "massgen-store-"));
  const opened: EventsFileStore[] = [];
  const openStore = (): EventsFileStore => {
    const store = createEventsFileStore({ folderOf: (runId) => join(folder, runId) });
    opened.push(store);
    return store;
  };
  return {
    store: openStore(),
    openAgain: () => Promise.resolve(openStore()),
    async close() {
      for (const store of opened) await store.close();
      await rm(folder, { recursive: true });
    },
  };
});
