import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

let folder = "";
const received: { readonly path: string; readonly text: string }[] = [];
const collector = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  request.on("end", () => {
    received.push({ path: request.url ?? "", text });
    response.end("{}");
  });
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-cli-otel-"));
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await new Promise<void>((resolve) => collector.close(() => resolve()));
  await rm(folder, { recursive: true, force: true });
});

async function demo(env: Readonly<Record<string, string>>): Promise<number> {
  const { io } = fakeIo({ cwd: folder, env });
  return await runCli(["demo", "Is the moon made of cheese?", "--automation", "--no-logs"], io, createSession());
}

describe("traces and metrics of a run", { timeout: 30_000 }, () => {
  it("are sent nowhere unless an endpoint is set", async () => {
    expect(await demo({})).toBe(0);
    expect(received).toEqual([]);
  });

  it("go to the endpoint, without a word of the question, and say that the run is simulated", async () => {
    const { port } = collector.address() as AddressInfo;
    expect(await demo({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })).toBe(0);
    const all = received.map(({ text }) => text).join("");
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
    for (const part of ["invoke_agent massgen", "chat simulated-atlas", "massgen.simulated", "gen_ai.client.token.usage"])
      expect(all).toContain(part);
    expect(all).not.toContain("cheese");
  });

  it("go there for every run of a comparison, each on its own", async () => {
    received.length = 0;
    const { port } = collector.address() as AddressInfo;
    const { io } = fakeIo({ cwd: folder, env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
    expect(await runCli(["compare", "--demo", "--no-logs"], io, createSession())).toBe(0);
    const all = received.map(({ text }) => text).join("");
    const runs = new Set([...all.matchAll(/"massgen\.run\.id","value":\{"stringValue":"([^"]+)"/g)].map(([, id]) => id));
    expect(runs.size).toBe(4);
  });
});
