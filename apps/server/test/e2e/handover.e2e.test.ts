import { once } from "node:events";
import { createClient } from "@massgen/client";
import type { Recorded } from "@massgen/contracts";
import { createSimulatedTeam } from "@massgen/simulator";
import { postgresMissing } from "@massgen/testing/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCrowd } from "./crowd.js";

describe.skipIf(postgresMissing !== null)(`massgen worker${postgresMissing === null ? "" : `: ${postgresMissing}`}`, () => {
  it("leaves to the next worker at once what does not end in time", { timeout: 60_000 }, async () => {
    const pace = { firstTokenMs: 1_500, tokensPerSecond: 0 };
    const crowd = await openCrowd(["ada", "bob"], createSimulatedTeam({ models: ["ada-model", "bob-model"], pace }), 60);
    onTestFinished(() => crowd.close());
    const client = createClient({ baseUrl: await crowd.serve() });
    const worker = crowd.worker("--drain-seconds", "1");
    const { id } = await client.startRun({ question: "Why?" });
    for await (const event of client.watch(id)) if (event.type === "round_started") break;
    worker.child.kill("SIGTERM");
    const [code] = await once(worker.child, "exit");
    expect(code).toBe(0);
    crowd.worker();
    const facts: Recorded[] = [];
    for await (const event of client.watch(id)) if ("seq" in event) facts.push(event);
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, place) => place + 1));
    expect(facts.filter(({ type }) => type === "run_resumed")).toHaveLength(1);
    expect(facts.at(-1)).toMatchObject({ type: "run_finished", status: "completed" });
  });
});
