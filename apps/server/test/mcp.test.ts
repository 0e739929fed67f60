import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { hashKey, keyRing } from "../src/index.js";
import { type Served, serve } from "./serve.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function serving(respond: Respond): Promise<Served> {
  const served = await serve(respond, ["ada", "bob"], { keys: keyRing([{ name: "a", hash: hashKey("a-key") }]) });
  closing.push(() => served.close());
  return served;
}
async function connected({ url }: Served, key = "a-key"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as never);
  closing.push(() => client.close());
  return client;
}
const twoAgents = (): Respond =>
  scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
    "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
  });
const textOf = (result: unknown): string =>
  (result as CallToolResult).content.map((part) => (part.type === "text" ? part.text : "")).join("");
const call = (client: Client, name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

describe("a team as an MCP server", () => {
  it("answers a question with progress and tells why it won; the run can be looked at afterwards", async () => {
    const client = await connected(await serving(twoAgents()));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["massgen_run", "massgen_status", "massgen_read_answer"]);
    const progress: { readonly progress: number; readonly message?: string | undefined }[] = [];
    const result = await client.callTool(
      { name: "massgen_run", arguments: { question: "Which cache?", context: "We have 1 GB." } },
      undefined,
      {
        onprogress: (one) => progress.push(one),
      },
    );
    expect(result.structuredContent).toMatchObject({ status: "completed", answer: "ARC it is.", winner: "bob", agents: ["ada", "bob"] });
    expect(textOf(result)).toMatch(/^ARC it is\.[\s\S]*# Decision/);
    expect(progress.map((one) => one.progress)).toEqual(progress.map((_, index) => index + 1));
    expect(progress.map(({ message }) => message).join("\n")).toContain("bob voted for agent2.1");

    expect((await call(client, "massgen_status")).structuredContent).toEqual(result.structuredContent);
    expect(textOf(await call(client, "massgen_read_answer"))).toBe("ARC it is.");
    expect(textOf(await call(client, "massgen_read_answer", { which: "agent1.1" }))).toBe("Use LRU.");
    expect(textOf(await call(client, "massgen_read_answer", { which: "decision" }))).toContain("adapts");
    const wrong = await call(client, "massgen_read_answer", { which: "agent9.1" });
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining("agent1.1, agent2.1")]);
  });

  it("does not wait when it is told so, and a call that is cancelled cancels its run", async () => {
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const served = await serving(() => {
      onAsked();
      return { kind: "mute" };
    });
    const client = await connected(served);
    const begun = await call(client, "massgen_run", { question: "One?", wait: false });
    expect(begun.structuredContent).toMatchObject({ status: "running", answer: null });
    const cancel = new AbortController();
    const waiting = client.callTool({ name: "massgen_run", arguments: { question: "Two?" } }, undefined, { signal: cancel.signal });
    await asked;
    await expect.poll(() => served.simulator.requests.length).toBeGreaterThanOrEqual(4);
    cancel.abort("enough");
    await expect(waiting).rejects.toThrow();
    const { run_id: first } = begun.structuredContent as { readonly run_id: string };
    const states = async () =>
      (await (await fetch(`${served.url}/api/runs`, { headers: { authorization: "Bearer a-key" } })).json()).runs as readonly {
        id: string;
        state: string;
      }[];
    await expect.poll(async () => (await states()).find(({ id }) => id !== first)?.state).toBe("cancelled");
    expect((await states()).find(({ id }) => id === first)?.state).toBe("running");
  });

  it("says what is wrong with a call as a result, and keeps sessions to the key they were opened with", async () => {
    const served = await serving(() => ({ kind: "failure", status: 400 }));
    const client = await connected(served);
    for (const args of [
      { question: "x" },
      { question: "x", config: "a.yaml", models: ["m"] },
      { question: "x", config: "../../secret.yaml" },
    ]) {
      const result = await call(client, "massgen_run", args);
      expect(result.isError).toBe(true);
      expect(textOf(result)).not.toContain(served.folder);
    }
    await expect(connected(served, "other-key")).rejects.toThrow();
  });
});
