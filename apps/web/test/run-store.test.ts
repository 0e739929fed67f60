import type { MassgenClient } from "@massgen/client";
import type { RunEvent } from "@massgen/contracts";
import { expect, it } from "vitest";
import { openRunStore } from "../src/run/run-store.js";

const delta = (text: string): RunEvent => ({ type: "content_delta", agent: "ada", channel: "work", text });
const clientOf = (events: () => AsyncIterable<RunEvent>): MassgenClient => ({ watch: events }) as unknown as MassgenClient;

it("shows all of a run at its end, and draws far less often than events come", async () => {
  const store = openRunStore(
    clientOf(async function* () {
      for (let n = 0; n < 1_000; n++) yield delta("x");
    }),
    "run",
  );
  let drawn = 0;
  await new Promise<void>((resolve) => {
    store.subscribe(() => {
      drawn += 1;
      if (store.current().connection === "over") resolve();
    });
  });
  expect(store.current().live.streams.get("ada")?.open?.text).toHaveLength(1_000);
  expect(drawn).toBeLessThan(10);
});

it("says why it cannot go on", async () => {
  const store = openRunStore(
    // biome-ignore lint/correctness/useYield: it fails before it has anything to say
    clientOf(async function* () {
      throw new Error("There is no run of that name.");
    }),
    "run",
  );
  await expect.poll(() => store.current().connection).toBe("failed");
  expect(store.current().error).toMatchObject({ message: "There is no run of that name." });
});
