import type { ActivityFact, Delta, ToolCallPart, ToolHandler, ToolOutput } from "@massgen/contracts";
import { brokenCall, newAnswer, runVirtual, testAmbient, text, toolCall, vote } from "@massgen/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headOf, previewOf, tailOf } from "../src/text/cut-text.js";
import { capOutput } from "../src/tools/cap-output.js";
import { dispatchCalls } from "../src/tools/dispatch.js";
import { nearestName } from "../src/tools/nearest-name.js";
import { factsOf, lastMessage, messageText, textOf as requestText, runTeam } from "./support/run-team.js";
import { after, said, tool } from "./support/tool.js";

const call = (name: string, input: ToolCallPart["input"] = {}, callId = `c-${name}`): ToolCallPart => ({
  type: "tool_call",
  callId,
  tool: name,
  input,
});

async function dispatched(
  tools: readonly ToolHandler[],
  calls: readonly ToolCallPart[],
  refusal: string | null = null,
  signal = new AbortController().signal,
) {
  const ambient = testAmbient();
  const reports: ActivityFact[] = [];
  const deltas: Delta[] = [];
  const outputs = await runVirtual(
    ambient.clock,
    dispatchCalls(
      calls,
      {
        agent: "ada",
        round: 3,
        tools,
        atOnce: 8,
        knownNames: tools.map((one) => one.spec.name),
        ambient,
        signal,
        resultCapChars: 1000,
        input: ["text"],
        channel: "work",
        guards: [],
        hooks: [],
        consent: async () => "nobody is there to be asked",
        witnesses: [],
        redact: (text) => text,
        onServed: () => {},
        recall: null,
        inject: () => {},
        report: (fact) => reports.push(fact),
        emit: (delta) => deltas.push(delta),
      },
      refusal,
    ),
  );
  return { outputs: calls.map((one) => outputs.get(one)), texts: calls.map((one) => textOf(outputs.get(one))), reports, deltas, ambient };
}
const textOf = (output: ToolOutput | undefined): string =>
  (output?.parts ?? []).map((part) => (part.type === "text" ? part.text : part.mediaType)).join("|");

describe("dispatching", () => {
  it("T3.16: runs reading tools side by side and everything else alone, and gives results in call order", async () => {
    const log: string[] = [];
    const timed = (name: string, ms: number, risk: ToolHandler["risk"]): ToolHandler =>
      tool(
        name,
        async (_input, context) => {
          log.push(`+${name}`);
          const output = await after(ms, name, context);
          log.push(`-${name}`);
          return output;
        },
        { risk },
      );
    const { texts, ambient } = await dispatched(
      [timed("slow", 500, "read"), timed("fast", 100, "read"), timed("write", 50, "write"), timed("late", 10, "read")],
      [call("slow"), call("fast"), call("write"), call("late")],
    );
    expect(texts).toEqual(["slow", "fast", "write", "late"]);
    expect(log).toEqual(["+slow", "+fast", "-fast", "-slow", "+write", "-write", "+late", "-late"]);
    expect(ambient.clock.monotonic()).toBe(560);
  });

  it.each<[string, ToolHandler, ToolCallPart, string]>([
    [
      "throws",
      tool("x", () => {
        throw new Error("no such table");
      }),
      call("x"),
      "x failed: no such table",
    ],
    [
      "throws something odd",
      tool("x", () => {
        throw "odd";
      }),
      call("x"),
      "x failed: odd",
    ],
    [
      "gives back nothing of use",
      tool("x", () => undefined as unknown as ToolOutput),
      call("x"),
      "x gave back something that is no result.",
    ],
    [
      "takes too long",
      tool("x", (_input, context) => after(99_000, "late", context), { timeoutMs: 2_500 }),
      call("x"),
      "x did not finish within 2.5 seconds and was stopped.",
    ],
    [
      "never listens",
      tool("x", () => new Promise(() => {}), { timeoutMs: 2_500 }),
      call("x"),
      "x did not finish within 2.5 seconds and was stopped.",
    ],
    ["gets a list", tool("x", () => said("ran")), call("x", [1]), "The arguments of x must be a JSON object; nothing was run: [1]"],
    [
      "gets what cannot be read",
      tool("x", () => said("ran")),
      { ...call("x"), inputError: '{"a":' },
      'The arguments of x could not be read as a JSON object and nothing was run: {"a":',
    ],
    [
      "is not there",
      tool("search_files", () => said("ran")),
      call("serach_files"),
      'There is no tool called "serach_files". Did you mean search_files?',
    ],
    [
      "is like nothing there",
      tool("search_files", () => said("ran")),
      call("bake"),
      'There is no tool called "bake". Your tools: search_files.',
    ],
  ])("a tool that %s gives an error result without a stack", async (_name, handler, one, expected) => {
    const { outputs, texts, reports } = await dispatched([handler], [one]);
    expect(texts).toEqual([expected]);
    expect(outputs[0]?.isError).toBe(true);
    expect(reports.map((fact) => fact.type)).toEqual(["tool_start", "tool_complete"]);
    expect(reports[1]).toMatchObject({ agent: "ada", round: 3, ok: false, resultPreview: expected.slice(0, 200) });
  });

  it("a deadline that did not pass leaves nothing behind", async () => {
    const { ambient } = await dispatched([tool("x", () => said("ok"), { timeoutMs: 1_000 })], [call("x")]);
    expect(ambient.clock.sleepers()).toEqual([]);
  });

  it("an abort ends running tools at once and starts no other", async () => {
    const controller = new AbortController();
    const started: string[] = [];
    const hang = (name: string): ToolHandler =>
      tool(
        name,
        () => {
          started.push(name);
          return new Promise(() => {});
        },
        { risk: "write" },
      );
    setImmediate(() => controller.abort());
    const { texts } = await dispatched([hang("a"), hang("b")], [call("a"), call("b")], null, controller.signal);
    expect(texts).toEqual(["a was cancelled.", ""]);
    expect(started).toEqual(["a"]);
  });

  it("progress is shown to people", async () => {
    const { deltas } = await dispatched(
      [
        tool("x", (_input, context) => {
          context.progress("halfway");
          return said("ok");
        }),
      ],
      [call("x")],
    );
    expect(deltas).toEqual([{ type: "tool_progress", agent: "ada", callId: "c-x", note: "halfway" }]);
  });

  it("in a round: each call has its own result, in one message", async () => {
    const { backends, outcome } = await runTeam(
      { ada: [[text("Looking."), toolCall("now"), brokenCall("now", "{"), toolCall("nwo")], text("noon")] },
      { agents: { ada: { tools: [tool("now", () => said("12:00"))] } } },
    );
    const told = lastMessage(backends["ada"]!.requests[1]);
    expect(told.role === "tool" && told.results.map(({ output }) => output.isError)).toEqual([false, true, true]);
    expect(messageText(told)).toContain("12:00");
    expect(outcome.finalAnswer).toBe("noon");
  });
});

describe("results", () => {
  const cap = (output: ToolOutput, maxChars = 100, keep: "head" | "ends" = "ends", input: readonly string[] = ["text"]): ToolOutput =>
    capOutput(output, { maxChars, keep, input });

  it("one limit holds for the whole result, and says how much was left out", () => {
    const blocks: ToolOutput = {
      parts: Array.from({ length: 4000 }, (_, index) => ({ type: "text", text: `${index}`.padStart(1000, ".") }) as const),
      isError: false,
    };
    const [part, ...rest] = cap(blocks, 1000).parts;
    expect(rest).toEqual([]);
    const text = part?.type === "text" ? part.text : "";
    expect(text.length).toBeLessThan(1_150);
    expect(text).toContain("of 4003999 characters left out: a result may have 1000");
    expect(text.endsWith("3999")).toBe(true);
  });

  it("keeps the head of what can be read on", () => {
    const text = textOf(cap(said("abcdefghij".repeat(50)), 20, "head"));
    expect(text).toBe("abcdefghijabcdefghij\n[… 480 of 500 characters left out: a result may have 20 …]");
  });

  it("never splits a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.nat(70), (text, chars) => {
        for (const piece of [headOf(text, chars), tailOf(text, chars), previewOf(text, Math.max(1, chars))])
          expect(/\p{Cs}/u.test(piece)).toBe(/\p{Cs}/u.test(text));
        expect(text.startsWith(headOf(text, chars)) && text.endsWith(tailOf(text, chars))).toBe(true);
        expect(headOf(text, chars).length).toBeGreaterThanOrEqual(Math.min(text.length, chars) - 1);
      }),
    );
    expect(headOf("a😀b", 2)).toBe("a");
    expect(tailOf("a😀b", 2)).toBe("b");
    expect(previewOf("😀".repeat(3), 4)).toBe("😀…");
  });

  it("an empty result is said in words, and pictures go only to models that see", () => {
    expect(textOf(cap({ parts: [], isError: false }))).toBe("(The tool gave back nothing.)");
    const picture = { type: "media", mediaType: "image/png", data: new Uint8Array(4) } as const;
    expect(textOf(cap({ parts: [picture], isError: false }))).toBe("[image/png left out: this model cannot take it in]");
    expect(cap({ parts: [picture], isError: false }, 100, "ends", ["text", "image"]).parts).toEqual([picture]);
    expect(textOf(cap({ parts: [{ ...picture, mediaType: "application/pdf" }], isError: false }, 100, "ends", ["pdf"]))).toBe(
      "application/pdf",
    );
  });

  it("the cap of a run is an option", async () => {
    const { backends } = await runTeam(
      { ada: [toolCall("big"), text("ok")] },
      { resultCapChars: 50, agents: { ada: { tools: [tool("big", () => said("x".repeat(500)))] } } },
    );
    expect(messageText(lastMessage(backends["ada"]!.requests[1]))).toContain("450 of 500 characters left out");
  });

  it("previews on record have at most 200 characters", async () => {
    const { facts } = await runTeam(
      { ada: [toolCall("big", { text: "y".repeat(500) }), text("ok")] },
      { agents: { ada: { tools: [tool("big", () => said("😀".repeat(500)))] } } },
    );
    expect(factsOf(facts, "tool_start")[0]!.argsPreview).toHaveLength(200);
    expect(factsOf(facts, "tool_complete")[0]).toMatchObject({ outputChars: 1000, resultPreview: `${"😀".repeat(99)}…` });
  });
});

describe("the name that was meant", () => {
  it.each([
    ["new_anwser", "new_answer"],
    ["Vote", "vote"],
    ["votes", "vote"],
    ["mcp__desk__lokup", "mcp__desk__lookup"],
    ["xyz", null],
    ["", null],
  ])("%s", (name, expected) => {
    expect(nearestName(name, ["new_answer", "vote", "mcp__desk__lookup"])).toBe(expected);
  });
});

describe("tools that change", () => {
  it("a changed list is seen from the agent's next round on; within a round the definitions stay", async () => {
    const offered = [tool("mcp__s__old", async () => said("old"))];
    const added = tool("mcp__s__new", async () => said("new"));
    const run = await runTeam(
      {
        ada: (request) => {
          if (requestText(request).includes("<current_answers>")) return vote("agent1", "good");
          // The list grows while the first round is under way.
          if (request.messages.length === 2 && offered.length === 1) {
            offered.push(added);
            return toolCall("mcp__s__old", {});
          }
          return newAnswer("done");
        },
      },
      { agents: { ada: { tools: [tool("own", async () => said("own"))], changingTools: () => [...offered] } }, mode: "refine" },
    );
    const names = run.backends["ada"]!.requests.map(({ tools }) =>
      tools.map(({ name }) => name).filter((name) => !/vote|new_answer/.test(name)),
    );
    expect(names.slice(0, 2)).toEqual([
      ["own", "mcp__s__old"],
      ["own", "mcp__s__old"],
    ]);
    expect(names[2]).toEqual(["own", "mcp__s__old", "mcp__s__new"]);
  });
});
