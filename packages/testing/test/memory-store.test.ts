import { memoryStore } from "@massgen/testing";
import { describeEventStore } from "@massgen/testing/suites";

describeEventStore("memoryStore", async () => {
  const store = memoryStore();
  return { store, openAgain: () => Promise.resolve(store) };
});
