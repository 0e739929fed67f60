import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import { type SimulatedReply, type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareRun, readRunLog, replayRun } from "../src/index.js";
import { artefactsIn, exact, published } from "./check-log.js";

let folder = "";
let log = "";
let asked = 0;

const call = (name: string, input: Record<string, string>) => ({ name, input });

/** Each writes a file, looks at it, is refused one outside of its folder, answers, and votes; the presenter does something that cannot be taken back. */
function respond({ model, messages }: SimulatedRequest): SimulatedReply {
  asked += 1;
  const text = messages.map((message) => message.text).join("\n");
  const results = messages.filter(({ role }) => role === "tool").length;
  if (text.includes("The team has decided"))
    return results === 0
      ? { kind: "message", toolCalls: [call("custom_tool__publish_page", { page: "sum" })] }
      : { kind: "message", text: "The sum is 4." };
  if (text.includes("<current_answers>"))
    return { kind: "message", toolCalls: [call("vote", { agent_id: "agent2", reason: "It passed the check." })] };
  if (results === 0)
    return {
      kind: "message",
      toolCalls: [call("write_file", { path: "sum.txt", content: model === "m1" ? "5" : "4" }), call("read_file", { path: "sum.txt" })],
    };
  if (results <= 2) return { kind: "message", toolCalls: [call("write_file", { path: "/etc/massgen-test", content: "no" })] };
  return { kind: "message", toolCalls: [call("new_answer", { content: `${model} has the sum in sum.txt.` })] };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-replay-hands-"));
  await writeFile(
    join(folder, "tools.mjs"),
    `import { defineTool, z } from ${JSON.stringify(import.meta.resolve("@massgen/tools"))};
export const publish_page = defineTool({ name: "publish_page", description: "Puts a page online.", input: z.object({ page: z.string() }), risk: "external", run: ({ page }) => "online since " + process.hrtime.bigint() + ": " + page });
`,
  );
  const simulator = await startSimulator({ respond });
  try {
    const backend = {
      type: "chatcompletion",
      base_url: simulator.baseUrl("chat_completions"),
      api_key: "key-12345678",
      cwd: "ws",
      enable_mcp_command_line: true,
      command_line_sandbox: "off",
      custom_tools: [{ path: "./tools.mjs", function: "publish_page" }],
    };
    const prepared = await prepareRun({
      question: "What is 2 + 2?",
      loaded: validateConfig({
        agents: ["m1", "m2", "m3"].map((model) => ({ id: `id-${model}`, backend: { ...backend, model } })),
        orchestrator: {
          record: true,
          seed: 7,
          verify: 'test "$(cat sum.txt)" = 4',
          coordination: { max_orchestration_restarts: 1 },
        },
      }),
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      cwd: folder,
      modulesFrom: [folder],
      logs: { cwd: folder, version: "1" },
    });
    log = prepared.logDirectory ?? "";
    await prepared.start().finished;
  } finally {
    await simulator.close();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a recorded run with tools, files and a check", () => {
  it("I8: is made again by the engine, and no tool runs", async () => {
    const original = await readRunLog(log);
    const types = original.map(({ type }) => type);
    expect(types).toContain("tool_complete");
    expect(types).toContain("irreversible_tool_ran");
    expect(original.some((record) => record.type === "answer_submitted" && record.snapshot !== null)).toBe(true);
    expect(original.some((record) => record.type === "answer_submitted" && record.verification?.passed === false)).toBe(true);
    expect(original.some((record) => record.type === "tool_complete" && !record.ok)).toBe(true);
    const before = asked;
    const { records, difference } = await replayRun(log);
    expect(difference).toBeNull();
    expect(records.map(({ type }) => type)).toEqual(types);
    expect(asked).toBe(before);
  });

  it("parts from the log where a tool gave something else", async () => {
    const edited = join(folder, "edited");
    await cp(log, edited, { recursive: true });
    const file = join(edited, "llm_calls.jsonl");
    await writeFile(file, (await readFile(file, "utf8")).replaceAll("online since", "offline since"));
    const { difference } = await replayRun(edited);
    expect(difference?.recorded[0]).toMatchObject({ type: "tool_complete", name: "custom_tool__publish_page" });
    expect(JSON.stringify(difference?.replayed)).toContain("offline since");
  });

  it("leaves files that fit their schemas, to the last key", async () => {
    const { artefacts, unknown } = await artefactsIn(log);
    expect(unknown).toEqual([]);
    const kinds = artefacts.flatMap(({ schema, document }) =>
      schema === "llm-call.schema.json" ? [(document as { readonly kind: string }).kind] : [],
    );
    expect(new Set(kinds)).toEqual(new Set(["run", "call", "tool", "files", "check"]));
    for (const { path, schema, document } of artefacts) {
      const [open, closed] = [published.get(schema), exact.get(schema)];
      expect([path, open?.(document), open?.errors ?? []]).toEqual([path, true, []]);
      expect([path, closed?.(document), closed?.errors ?? []]).toEqual([path, true, []]);
    }
  });

  it("a torn last line of the record is passed over", async () => {
    const torn = join(folder, "torn");
    await cp(log, torn, { recursive: true });
    await appendFile(join(torn, "llm_calls.jsonl"), '{"kind":"tool","agent');
    expect((await replayRun(torn)).difference).toBeNull();
  });
});
