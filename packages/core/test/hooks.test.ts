import type {
  Hook,
  HookPoint,
  HookResult,
  PermissionPolicy,
  PolicyVerdict,
  ToolCallPart,
  ToolHandler,
  ToolOutput,
} from "@massgen/contracts";
import { runVirtual, testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import type { AskConsent } from "../src/tools/consent.js";
import { dispatchCalls, type ToolGuard } from "../src/tools/dispatch.js";
import { matches } from "../src/tools/hooks.js";
import { permit } from "../src/tools/permit.js";
import { tool } from "./support/tool.js";

const callOf = (name: string, input: ToolCallPart["input"] = { path: "a" }): ToolCallPart => ({
  type: "tool_call",
  callId: "c1",
  tool: name,
  input,
});
const textsOf = (output: ToolOutput | undefined): string =>
  (output?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("|");

interface Setup {
  readonly hooks?: readonly Hook[];
  readonly guards?: readonly ToolGuard[];
  readonly witnesses?: readonly ToolGuard[];
  readonly redact?: (text: string) => string;
  readonly call?: ToolCallPart;
  readonly consent?: AskConsent;
}

const nobody: AskConsent = async () => "nobody is there to be asked";

/** Runs one call of `write_file`, and tells what reached the tool, the model and the conversation. */
async function play({
  hooks = [],
  guards = [],
  witnesses = [],
  redact = (text) => text,
  call = callOf("write_file"),
  consent = nobody,
}: Setup) {
  const ran: unknown[] = [];
  const injected: string[] = [];
  const ambient = testAmbient();
  const write: ToolHandler = tool("write_file", (input) => {
    ran.push(input);
    return { parts: [{ type: "text", text: "written" }], isError: false };
  });
  const outputs = await runVirtual(
    ambient.clock,
    dispatchCalls(
      [call],
      {
        agent: "ada",
        round: 0,
        tools: [write],
        atOnce: 8,
        knownNames: ["write_file"],
        ambient,
        signal: new AbortController().signal,
        resultCapChars: 10_000,
        input: ["text"],
        channel: "work",
        guards,
        hooks,
        consent,
        witnesses,
        redact,
        onServed: () => {},
        recall: null,
        inject: (text) => injected.push(text),
        report: () => {},
        emit: () => {},
      },
      null,
    ),
  );
  const output = outputs.get(call);
  return { ran, injected, text: textsOf(output), isError: output?.isError };
}

const hook = (run: (point: HookPoint) => HookResult | Promise<HookResult>, rest: Partial<Hook> = {}): Hook => ({
  name: "guard.ts",
  at: "tool.before",
  timeoutMs: 1000,
  onError: "deny",
  run: async (point) => run(point),
  ...rest,
});
const allow: HookResult = { decision: "allow" };

describe("hooks before a call", () => {
  it("let it run as it is when all allow it", async () => {
    expect(await play({ hooks: [hook(() => allow), hook(() => allow)] })).toMatchObject({ ran: [{ path: "a" }], text: "written" });
  });

  it("refuse it: the first refusal counts and later hooks are not asked", async () => {
    let asked = 0;
    const later = hook(() => {
      asked += 1;
      return allow;
    });
    const played = await play({ hooks: [hook(() => ({ decision: "deny", reason: "not on Fridays" })), later] });
    expect(played).toMatchObject({ ran: [], isError: true, text: "write_file was refused by the hook guard.ts: not on Fridays" });
    expect(asked).toBe(0);
  });

  it("that want a person asked refuse when there is none", async () => {
    expect(await play({ hooks: [hook(() => ({ decision: "ask", reason: "costs money" }))] })).toMatchObject({ ran: [], isError: true });
  });

  it("change the input one after another", async () => {
    const add = (letter: string): Hook =>
      hook((point) => ({ decision: "allow", input: { path: `${(point.input as { path: string }).path}${letter}` } }));
    expect((await play({ hooks: [add("b"), add("c")] })).ran).toEqual([{ path: "abc" }]);
  });

  it("cannot slip a changed input past the guards", async () => {
    const guards: readonly ToolGuard[] = [({ input }) => ((input as { path: string }).path === "/etc" ? "denied by policy" : null)];
    const played = await play({ guards, hooks: [hook(() => ({ decision: "allow", input: { path: "/etc" } }))] });
    expect(played).toMatchObject({ ran: [], text: "denied by policy" });
  });

  it("cannot allow what a guard has refused, and are not even asked", async () => {
    let asked = 0;
    const hooks = [
      hook(() => {
        asked += 1;
        return allow;
      }),
    ];
    expect(await play({ guards: [() => "denied by policy"], hooks })).toMatchObject({ ran: [], text: "denied by policy" });
    expect(asked).toBe(0);
  });

  it("that hand over an input that is no object refuse it", async () => {
    expect(await play({ hooks: [hook(() => ({ decision: "allow", input: [] }))] })).toMatchObject({ ran: [], isError: true });
  });

  it.each<[string, (point: HookPoint) => HookResult | Promise<HookResult>]>([
    ["throw", () => Promise.reject(new Error("boom"))],
    ["never answer", () => new Promise(() => {})],
    ["answer with nothing", () => undefined as unknown as HookResult],
    ["answer with an unknown decision", () => ({ decision: "maybe" }) as unknown as HookResult],
  ])("that %s refuse the call, or change nothing where they may fail", async (_what, run) => {
    expect(await play({ hooks: [hook(run)] })).toMatchObject({ ran: [], isError: true, text: expect.stringContaining("guard.ts failed") });
    expect(await play({ hooks: [hook(run, { onError: "continue" })] })).toMatchObject({ ran: [{ path: "a" }], text: "written" });
  });

  it("are asked only about the tools they are for", async () => {
    const deny = hook(() => ({ decision: "deny" }), { matcher: "read_*|mcp__github__*" });
    expect(await play({ hooks: [deny] })).toMatchObject({ text: "written" });
  });
});

describe("hooks after a call", () => {
  it("see what came of it, and what they add is marked as ours", async () => {
    const seen: HookPoint[] = [];
    const after = hook(
      (point) => {
        seen.push(point);
        return { decision: "allow", inject: { text: "Mind the budget.", placement: "tool_result" } };
      },
      { at: "tool.after" },
    );
    const played = await play({ hooks: [after] });
    expect(played.text).toBe("written|\n[From the system, not from the tool]\nMind the budget.");
    expect(seen).toMatchObject([{ at: "tool.after", tool: "write_file", input: { path: "a" }, output: { isError: false } }]);
  });

  it("can say something of its own behind all results, cut to 4,000 characters", async () => {
    const after = hook(() => ({ decision: "allow", inject: { text: "x".repeat(9000), placement: "user_message" } }), { at: "tool.after" });
    const { injected, text } = await play({ hooks: [after] });
    expect([injected.length, injected[0]?.match(/x/g)?.length, text]).toEqual([1, 4000, "written"]);
  });

  it("that fail change nothing", async () => {
    expect((await play({ hooks: [hook(() => Promise.reject(new Error("boom")), { at: "tool.after" })] })).text).toBe("written");
  });
});

describe("what a model reads of a result", () => {
  it("has no secrets in it", async () => {
    expect((await play({ redact: (text) => text.replace("written", "[redacted]") })).text).toBe("[redacted]");
  });
});

describe("witnesses", () => {
  it("hear only of calls that nobody refused", async () => {
    const heard: string[] = [];
    const witnesses: readonly ToolGuard[] = [
      ({ input }) => {
        heard.push(JSON.stringify(input));
        return null;
      },
    ];
    await play({ witnesses, hooks: [hook(() => ({ decision: "deny" }))] });
    await play({ witnesses, hooks: [hook(() => ({ decision: "allow", input: { path: "b" } }))] });
    expect(heard).toEqual(['{"path":"b"}']);
  });
});

describe("permission", () => {
  const policy = (verdict: PolicyVerdict, presenting: PolicyVerdict = verdict): PermissionPolicy => ({
    resolve: async (_agent, _op, path) => ({ lexical: path, real: path }),
    decide: async () => verdict,
    forPresentation: () => policy(presenting),
  });
  const denied: PolicyVerdict = { type: "deny", rule: "READ_ONLY", reason: "Error [READ_ONLY]: a" };
  const allowed: PolicyVerdict = { type: "allow", rule: "workspace" };

  it.each([
    [allowed, "written"],
    [denied, "Error [READ_ONLY]: a"],
    [{ type: "ask", rule: "risk", reason: "It deletes." } as const, "nobody is there to be asked"],
  ])("%j", async (verdict, text) => {
    expect((await play({ guards: [permit(policy(verdict), "ada", "work", nobody)] })).text).toContain(text);
  });

  it("is that of the presenter in the presentation, and of nobody else", async () => {
    expect((await play({ guards: [permit(policy(denied, allowed), "ada", "work", nobody)] })).text).toContain("READ_ONLY");
    expect((await play({ guards: [permit(policy(denied, allowed), "ada", "presentation", nobody)] })).text).toBe("written");
    expect((await play({ guards: [permit(policy(denied, allowed), "ada", "evaluation", nobody)] })).text).toContain("READ_ONLY");
  });

  it("that cannot be found out is refused", async () => {
    const broken: PermissionPolicy = { ...policy(allowed), decide: () => Promise.reject(new Error("EIO")) };
    expect(await play({ guards: [permit(broken, "ada", "work", nobody)] })).toMatchObject({ ran: [], isError: true });
  });
});

it.each([
  ["*", "anything", true],
  ["write_file", "write_file", true],
  ["write_file", "write_files", false],
  ["write_file|read_*", "read_file", true],
  ["mcp__github__*", "mcp__github__create_issue", true],
  ["mcp__github__*", "mcp__gitlab__create_issue", false],
  ["a.c", "abc", false],
  [" a | b ", "b", true],
])("the matcher %j means %j: %j", (matcher, name, expected) => {
  expect(matches(matcher, name)).toBe(expected);
});
