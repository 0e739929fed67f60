import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "@massgen/exec";
import { type SimulatedReply, type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/index.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-verify-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** m1 writes what is wrong and everybody votes for it; m2 writes what is right. */
function respond({ model, messages }: SimulatedRequest): SimulatedReply {
  const text = messages.map((message) => message.text).join("\n");
  if (text.includes("The team has decided")) return { kind: "message", text: "Done." };
  if (text.includes("<current_answers>"))
    return { kind: "message", toolCalls: [{ name: "vote", input: { agent_id: "agent1", reason: "I like it" } }] };
  if (!messages.some(({ role }) => role === "tool"))
    return { kind: "message", toolCalls: [{ name: "write_file", input: { path: "sum.txt", content: model === "m1" ? "5" : "4" } }] };
  return { kind: "message", toolCalls: [{ name: "new_answer", input: { content: `${model} says so` } }] };
}

async function play(orchestrator: Record<string, unknown>) {
  const simulator = await startSimulator({ respond });
  try {
    const backend = { type: "chatcompletion", base_url: simulator.baseUrl("chat_completions"), api_key: "key-12345678", cwd: "ws" };
    const result = await run("What is 2 + 2?", {
      config: { agents: ["m1", "m2"].map((model) => ({ id: `id-${model}`, backend: { ...backend, model } })), orchestrator },
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, OPENAI_API_KEY: "sk-planted-1234567890" },
      enableLogging: true,
    });
    return { result, prompts: simulator.requests.map(({ canonicalText }) => canonicalText) };
  } finally {
    await simulator.close();
  }
}

const sandbox = await findSandbox({ platform: process.platform, path: process.env["PATH"] ?? "", hostHome: tmpdir() });
const check = 'test "$(cat sum.txt)" = 4 || { echo "sum.txt is $(cat sum.txt), env has $(env | grep -c planted) keys"; exit 3; }';

describe.skipIf(!sandbox.found)("W21: answers that the user's command checks", () => {
  it("are shown to voters with what it said, without names, and stand in the decision", async () => {
    const { result, prompts } = await play({ verify: check });
    expect(result.winner).toBe("id-m1");
    const shown = prompts.filter((prompt) => prompt.includes("<check of="));
    expect(shown.length).toBeGreaterThanOrEqual(2);
    const failed = '<check of="agent1" result="failed, exit code 3">\nsum.txt is 5, env has 0 keys\n</check>';
    const passed = '<check of="agent2" result="passed"></check>';
    expect(shown.some((prompt) => prompt.includes(failed) && prompt.includes(passed))).toBe(true);
    const decision = await readFile(join(result.logDirectory!, "decision.md"), "utf8");
    expect(decision).toMatch(/^\| agent1\.1 .*failed \(exit code 3\).*sum\.txt is 5/m);
    expect(decision).toMatch(/^\| agent2\.1 .*passed/m);
  });

  it("cannot win where the check is required and another passed, whatever the votes say", async () => {
    const { result } = await play({ verify: check, verify_required: true });
    expect(result).toMatchObject({ winner: "id-m2", status: "completed" });
    const decision = await readFile(join(result.logDirectory!, "decision.md"), "utf8");
    expect(decision).toContain("agent1.1 failed the check, which another answer passed, and could not win.");
  });

  it("where nothing passes, votes decide", async () => {
    expect((await play({ verify: "false", verify_required: true })).result.winner).toBe("id-m1");
  });

  it("a check that hangs is ended at its limit and counts as failed", async () => {
    const { prompts } = await play({ verify: "sleep 60", verify_timeout_seconds: 1 });
    expect(prompts.some((prompt) => prompt.includes("It was ended after 1 s."))).toBe(true);
  });
});
