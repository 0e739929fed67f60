import { describe, expect, it } from "vitest";
import { createPaint } from "../../src/output/paint.js";
import { createPlainScreen } from "../../src/output/plain/plain-screen.js";
import { type PlayedRun, playedRun, sampleRun } from "../played-run.js";
import { endOfRun, keepingSink, show, startOfRun } from "../show-run.js";

function shown(
  run: PlayedRun,
  options: { readonly coloured?: boolean; readonly columns?: number } = {},
): { readonly out: string; readonly err: string } {
  const out = keepingSink(options.columns ?? 140);
  const err = keepingSink();
  show(createPlainScreen({ out: out.sink, err: err.sink, paint: createPaint(options.coloured ?? false) }), run.records);
  return { out: out.text(), err: err.text() };
}

describe("the plain screen, for pipes and files", () => {
  it("tells a run line by line, then gives the answer in full and where the logs are", async () => {
    const { out, err } = shown(sampleRun());
    expect(err).toBe("");
    await expect(out).toMatchFileSnapshot("../golden/plain.txt");
  });

  it("tells failures, retries, refusals and stragglers in words", async () => {
    const run = playedRun(["ada", "bob", "cleo"]);
    run
      .at(1)
      .fail("ada", "OpenAI answered 503: overloaded", "backend_transient")
      .at(2)
      .fail("ada", "OpenAI answered 503: overloaded", "backend_transient");
    run.at(3).say({ type: "nothing_offered", agent: "bob", round: 0, code: "no_tool_calls", tool: null, detail: "", text: "hm" });
    run.at(4).answer("bob", "Use LRU.").at(5).answer("cleo", "Use ARC.");
    run.at(6).say({ type: "vote_offered", agent: "bob", round: 1, target: "agent9", reason: "?", confidence: null });
    run.at(7).vote("bob", "agent3", "adapts").at(8).vote("cleo", "agent3", "mine");
    run.at(9).say({ type: "presentation_failed", agent: "cleo", why: "error", partial: "" });
    await expect(shown(run).out).toMatchFileSnapshot("../golden/plain-trouble.txt");
  });

  it("writes no escape character without colour, and only colours with it", () => {
    expect(shown(sampleRun()).out).not.toContain("\u001b");
    const coloured = shown(sampleRun(), { coloured: true }).out;
    expect(coloured).toContain("\u001b[");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours and nothing else
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(shown(sampleRun()).out);
  });

  it("puts warnings on stderr", () => {
    const out = keepingSink();
    const err = keepingSink();
    const screen = createPlainScreen({ out: out.sink, err: err.sink, paint: createPaint(false) });
    screen.begin(startOfRun("Why?"));
    screen.event({ type: "notice", level: "warning", agent: null, message: "model \u001b[31mx" });
    screen.event({ type: "notice", level: "info", agent: null, message: "fine" });
    expect(out.text()).toBe("");
    expect(err.text()).toBe("massgen: warning: model ␛[31mx\n");
  });

  it("shows one agent without votes and winners", async () => {
    const run = playedRun(["solo"]).at(2.3);
    run.answer("solo", "42");
    const out = keepingSink();
    show(
      createPlainScreen({ out: out.sink, err: out.sink, paint: createPaint(false) }),
      run.records,
      startOfRun("Why?", { logDirectory: null, statusFile: null }),
      {
        ...endOfRun(run.records, 2300),
        result: {
          ...endOfRun(run.records).result,
          logDirectory: null,
          attemptDirectory: null,
          finalAnswerPath: null,
          finalDirectory: null,
        },
      },
    );
    await expect(out.text()).toMatchFileSnapshot("../golden/plain-single.txt");
  });
});
