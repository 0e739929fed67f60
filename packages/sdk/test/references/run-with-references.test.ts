import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../../src/index.js";

const cwd = await mkdtemp(join(tmpdir(), "massgen-refs-run-"));
afterAll(() => rm(cwd, { recursive: true }));
await mkdir(join(cwd, "src"));
await writeFile(join(cwd, "src", "a.ts"), "export const answer = 42;\n");

/** A model that reads the file that stands in its prompt, then answers with what was in it. */
async function ask(question: string, options: object) {
  const seen: SimulatedRequest[] = [];
  const simulator = await startSimulator({
    respond: (request) => {
      seen.push(request);
      const read = request.messages.find(({ role }) => role === "tool");
      if (read === undefined && request.tools.includes("read_file"))
        return { kind: "message", toolCalls: [{ name: "read_file", input: { path: join(cwd, "src", "a.ts") } }] };
      return { kind: "message", text: `It says: ${read?.text ?? "nothing"}` };
    },
  });
  try {
    const config = {
      agents: [{ id: "a", backend: { type: "chatcompletion", model: "m", base_url: simulator.baseUrl("chat_completions") } }],
    };
    return { result: await run(question, { config, cwd, env: {}, ...options }), seen };
  } finally {
    await simulator.close();
  }
}

describe("a run whose question names files", { timeout: 20_000 }, () => {
  it("gives every agent the file to read, and its absolute path in the question", async () => {
    const { result, seen } = await ask("What does @src/a.ts export?", { parseAtReferences: true });
    expect(seen[0]!.messages[0]!.text).toContain(`What does ${cwd}/src/a.ts export?`);
    expect(result.finalAnswer).toContain("answer = 42");
  });

  it("takes the text as it is unless asked", async () => {
    const { result, seen } = await ask("What does @src/a.ts export?", {});
    expect(seen[0]!.messages[0]!.text).toContain("What does @src/a.ts export?");
    expect(result.finalAnswer).toBe("It says: nothing");
  });

  it("takes paths as an option of their own", async () => {
    const { result } = await ask("What is in there?", { contextPaths: ["src"] });
    expect(result.finalAnswer).toContain("answer = 42");
  });

  it("does not begin when a path is missing", async () => {
    await expect(ask("What does @src/gone.ts export?", { parseAtReferences: true })).rejects.toMatchObject({ exitCode: 1 });
    await expect(ask("What?", { contextPaths: ["gone"] })).rejects.toMatchObject({ exitCode: 1 });
  });
});
