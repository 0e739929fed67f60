import { requireConfig, type UiConfig, validateConfig } from "@massgen/config";
import { describe, expect, it } from "vitest";
import type { OutputRequest } from "../../src/args/request.js";
import { outputOf } from "../../src/commands/run.js";
import type { Io } from "../../src/io.js";
import { chooseScreen, chooseTheme } from "../../src/output/choose-screen.js";
import { wantsColour } from "../../src/output/paint.js";
import { keepingSink } from "../show-run.js";

const flags: OutputRequest = { mode: null, outputFile: null, logs: true, debug: false };
const ui = (more: object): UiConfig => requireConfig(validateConfig({ agents: [{ id: "a", backend: { type: "groq" } }], ui: more })).ui;
const terminal = { ...keepingSink().sink, isTerminal: true };
const pipe = keepingSink().sink;

interface Asked {
  readonly flags?: Partial<OutputRequest>;
  readonly ui?: object;
  readonly out?: Io["out"];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdinIsTerminal?: boolean;
}

describe("which screen", () => {
  it.each<[what: string, asked: Asked, screen: string]>([
    ["a terminal", {}, "tui"],
    ["a pipe", { out: pipe, env: { TERM: "xterm" } }, "plain"],
    ["a pipe that wants colours", { out: pipe, env: { FORCE_COLOR: "1" } }, "plain"],
    ["a terminal that cannot move its cursor", { env: { TERM: "dumb" } }, "plain"],
    ["a terminal, and nobody who presses keys", { stdinIsTerminal: false }, "live"],
    ["CI with a terminal", { env: { CI: "true" } }, "plain"],
    ["no CI after all", { env: { CI: "false" } }, "tui"],
    ["CI that asks for the screen", { flags: { display: "textual" }, env: { CI: "1" } }, "tui"],
    ["--display rich", { flags: { display: "rich" } }, "live"],
    ["--display rich on a pipe", { flags: { display: "rich" }, out: pipe }, "plain"],
    ["--display textual", { flags: { display: "textual" } }, "tui"],
    ["--display textual on a pipe", { flags: { display: "textual" }, out: pipe }, "plain"],
    ["--display textual on a dumb terminal", { flags: { display: "textual" }, env: { TERM: "dumb" } }, "plain"],
    ["--display textual without keys", { flags: { display: "textual" }, stdinIsTerminal: false }, "live"],
    ["--no-display", { flags: { mode: "plain" } }, "plain"],
    ["--no-display beside --display", { flags: { mode: "plain", display: "textual" } }, "plain"],
    ["--automation", { flags: { mode: "automation" } }, "automation"],
    ["--stream-events", { flags: { mode: "events" } }, "events"],
    ["--debug, which is lines", { flags: { debug: true } }, "live"],
    ["--debug on the screen", { flags: { debug: true, display: "textual" } }, "tui"],
    ["rich_terminal", { ui: { display_type: "rich_terminal" } }, "tui"],
    ["textual_terminal", { ui: { display_type: "textual_terminal" } }, "tui"],
    ["textual_terminal on a pipe", { ui: { display_type: "textual_terminal" }, out: pipe }, "plain"],
    ["simple", { ui: { display_type: "simple" } }, "plain"],
    ["silent", { ui: { display_type: "silent" } }, "silent"],
    ["none", { ui: { display_type: "none" } }, "silent"],
    ["automation_mode", { ui: { automation_mode: true } }, "automation"],
    ["automation_mode before display_type", { ui: { automation_mode: true, display_type: "textual" } }, "automation"],
    ["a flag before the config", { ui: { automation_mode: true }, flags: { mode: "events" } }, "events"],
    ["ui.debug", { ui: { debug: true } }, "live"],
    ["screen_reader", { ui: { screen_reader: true } }, "plain"],
    ["screen_reader, overruled by the variable", { ui: { screen_reader: true }, env: { MASSGEN_SCREEN_READER: "0" } }, "tui"],
    ["MASSGEN_SCREEN_READER", { env: { MASSGEN_SCREEN_READER: "1" } }, "plain"],
    ["an empty MASSGEN_SCREEN_READER", { env: { MASSGEN_SCREEN_READER: "" } }, "tui"],
    ["a screen reader, and a display that is asked for", { env: { MASSGEN_SCREEN_READER: "1" }, flags: { display: "rich" } }, "live"],
  ])("%s: %j", (_what, { flags: more, ui: keys, out = terminal, env = {}, stdinIsTerminal = true }, expected) => {
    const given = { ...flags, ...more };
    const output = keys === undefined ? given : outputOf(given, ui(keys));
    expect(chooseScreen(output, { out, env, stdinIsTerminal })).toBe(expected);
  });
});

describe("which colours the screen has", () => {
  it.each<[env: Readonly<Record<string, string>>, ui: object, theme: string]>([
    [{}, {}, "dark"],
    [{}, { theme: "light" }, "light"],
    [{}, { theme: "contrast" }, "contrast"],
    [{}, { theme: "none" }, "none"],
    [{ MASSGEN_THEME: "light" }, { theme: "contrast" }, "light"],
    [{ MASSGEN_THEME: "" }, { theme: "contrast" }, "contrast"],
    [{ NO_COLOR: "1", MASSGEN_THEME: "light" }, { theme: "light" }, "none"],
    [{ FORCE_COLOR: "0" }, {}, "none"],
  ])("%j with %j: %s", (env, keys, theme) => {
    expect(chooseTheme({ env, out: terminal }, ui(keys))).toEqual({ theme, fault: null });
  });

  it("says so where MASSGEN_THEME names none", () => {
    expect(chooseTheme({ env: { MASSGEN_THEME: "drak" }, out: terminal })).toEqual({
      theme: "dark",
      fault: 'MASSGEN_THEME is "drak"; it can be dark, light, contrast, none.',
    });
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
