import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@massgen/client";
import { createSimulatedTeam } from "@massgen/simulator";
import { postgresMissing } from "@massgen/testing/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCrowd } from "./crowd.js";

describe.skipIf(postgresMissing !== null)(`massgen worker${postgresMissing === null ? "" : `: ${postgresMissing}`}`, () => {
  it("sends the spans of the runs it plays, and no word of them", { timeout: 60_000 }, async () => {
    const received: string[] = [];
    const collector = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (part: string) => received.push(part));
      request.on("end", () => response.end("{}"));
    });
    collector.listen(0, "127.0.0.1");
    await once(collector, "listening");
    onTestFinished(() => void collector.close());
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const team = createSimulatedTeam({ models: ["ada-model", "bob-model"], pace: { firstTokenMs: 1, tokensPerSecond: 0 } });
    const crowd = await openCrowd(["ada", "bob"], team, 30, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    onTestFinished(() => crowd.close());
    const client = createClient({ baseUrl: await crowd.serve() });
    const worker = crowd.worker();
    const { id } = await client.startRun({ question: "Is the moon made of cheese?" });
    for await (const _ of client.watch(id));
    worker.child.kill("SIGTERM");
    expect(await once(worker.child, "exit")).toEqual([0, null]);
    const all = received.join("");
    for (const part of ["invoke_agent massgen", "chat ada-model", id, "gen_ai.client.token.usage"]) expect(all).toContain(part);
    expect(all).not.toContain("cheese");
  });
});
