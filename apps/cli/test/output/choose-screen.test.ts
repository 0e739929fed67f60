import { describe, expect, it } from "vitest";
import type { OutputRequest } from "../../src/args/request.js";
import { chooseScreen } from "../../src/output/choose-screen.js";
import { wantsColour } from "../../src/output/paint.js";
import { keepingSink } from "../show-run.js";

const asked = (mode: OutputRequest["mode"]): OutputRequest => ({ mode, outputFile: null, logs: true, debug: false });
const terminal = { ...keepingSink().sink, isTerminal: true };
const pipe = keepingSink().sink;

describe("which screen", () => {
  it.each([
    [null, terminal, {}, "live"],
    [null, terminal, { TERM: "dumb" }, "plain"],
    [null, pipe, { TERM: "xterm" }, "plain"],
    [null, pipe, { FORCE_COLOR: "1" }, "plain"],
    ["plain", terminal, {}, "plain"],
    ["silent", terminal, {}, "silent"],
    ["automation", terminal, {}, "automation"],
    ["events", terminal, {}, "events"],
  ] as const)("%j on %o with %j: %s", (mode, out, env, expected) => {
    expect(chooseScreen(asked(mode), { out, env, stdinIsTerminal: true })).toBe(expected);
  });
});

describe("the full screen", () => {
  it.each([
    [terminal, true, {}, "tui"],
    [terminal, false, {}, "live"],
    [pipe, true, {}, "plain"],
    [terminal, true, { TERM: "dumb" }, "plain"],
  ] as const)("on %o, keys: %s, %j: %s", (out, stdinIsTerminal, env, expected) => {
    expect(chooseScreen({ ...asked(null), display: "textual" }, { out, env, stdinIsTerminal })).toBe(expected);
  });
});

describe("colours", () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: "dumb" }, true, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  ])("%j, terminal %s: %s", (env, isTerminal, expected) => {
    expect(wantsColour(env, isTerminal)).toBe(expected);
  });
});
