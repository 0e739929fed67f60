import { describe, expect, it } from "vitest";
import { consentDialog, type Dialog, reviewDialog } from "../src/dialogs/dialog.js";
import { createStyle, frameRows, openTui, type ProposedFile, press, type ScreenState, type Tui } from "../src/index.js";
import { type FakeTerminal, fakeTerminal } from "./fake-terminal.js";
import { opened } from "./play.js";

const files: readonly ProposedFile[] = [
  { path: "/p/new.sh", line: "added     /p/new.sh  +1 · tools run it by themselves", diff: "--- a\n+++ b\n@@ -0,0 +1 @@\n+echo\n" },
  { path: "/p/a.ts", line: "modified  /p/a.ts  +1 -1", diff: "@@ -1 +1 @@\n-old\u001b[31m\n+new\n" },
  { path: "/p/x.png", line: "added     /p/x.png  no text, 9 bytes", diff: null },
];
const asking = (dialog: Dialog): ScreenState => ({ ...opened(), dialog, nowMs: 10_000 });
const pressed = (state: ScreenState, ...keys: readonly string[]): ScreenState => keys.reduce((now, key) => press(now, key).state, state);
const picture = (state: ScreenState, rows = 15): string =>
  frameRows(state, { columns: 72, rows }, createStyle("none"))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: pictures are reviewed without colours
    .map((row) => row.replaceAll(/\u001b\[[\d;]*m/g, "").trimEnd())
    .join("\n");

describe("a call that wants consent", () => {
  const state = asking(consentDialog({ agent: "ada", prompt: "Run rm -rf build? It costs money." }, 0));

  it("is shown with its keys, and each of them answers it", () => {
    expect(picture(state)).toMatch(
      /ada asks[\s\S]*Run rm -rf build\? It costs money\.[\s\S]*o allow this once {2}r allow for this run {2}d refuse/,
    );
    for (const [key, approval] of [
      ["o", "allow_once"],
      ["r", "allow_run"],
      ["d", "deny"],
    ])
      expect(press(state, key!)).toMatchObject({ state: { dialog: null }, request: { is: "consent", approval } });
  });

  it("agrees by nothing else, and by nothing that was typed before it could be read", () => {
    for (const key of ["enter", "y", "space", "a", "q", "escape", "1"])
      expect(press(state, key)).toMatchObject({ state: { dialog: { kind: "consent" } }, request: null });
    expect(press({ ...state, nowMs: 150 }, "o")).toMatchObject({ state: { dialog: { kind: "consent" } }, request: null });
  });

  it("can be answered by stopping the run", () => {
    const stopping = press(state, "ctrl+c");
    expect(picture(stopping.state)).toContain("Stop the run?");
    expect(press(stopping.state, "y").request).toBe("stop");
    expect(picture(pressed(stopping.state, "escape"))).toContain("ada asks");
  });
});

describe("the review of changes", () => {
  const state = asking(reviewDialog(files, "It is **done**.", 0));

  it("lists what would be changed, as reviewed", async () => {
    await expect(picture(pressed(state, "down", "space"))).toMatchFileSnapshot("golden/review-list.txt");
    await expect(picture(pressed(state, "down", "enter"))).toMatchFileSnapshot("golden/review-diff.txt");
    expect(picture(pressed(state, "t"))).toMatch(/The answer they belong to[\s\S]*It is done\./);
    expect(picture(pressed(state, "enter", "right", "right", "right"))).toMatch(/x\.png \(3 of 3\)[\s\S]*no text, 9 bytes/);
  });

  it("gives every row of a long line its sign and its colour, and takes a removed list item for no head", () => {
    const diff = `--- a\n+++ b\n@@ -1 +1 @@\n-- a list item\n+${"word ".repeat(40).trim()}\n kept\n`;
    const long = asking({ ...reviewDialog([{ path: "/p/a.md", line: "", diff }], "", 0), page: "diff" });
    const rows = frameRows(long, { columns: 72, rows: 20 }, createStyle("dark"));
    const added = rows.filter((row) => row.includes("word"));
    expect(added).toHaveLength(4);
    for (const row of added) expect(row).toContain("\u001b[32m+word");
    expect(rows.find((row) => row.includes("a list item"))).toContain("\u001b[31m-- a list item");
    expect(rows.find((row) => row.includes("+++ b"))).toContain("\u001b[1m+++ b");
  });

  it("applies all, none, the marked ones, or decides later", () => {
    const decided = (...keys: readonly string[]): unknown => {
      const last = keys.at(-1)!;
      return press(pressed(state, ...keys.slice(0, -1)), last).request;
    };
    expect(decided("a")).toEqual({ is: "review", decision: { accept: "all" } });
    expect(decided("n")).toEqual({ is: "review", decision: { accept: "none" } });
    expect(decided("l")).toEqual({ is: "review", decision: { accept: "later" } });
    expect(decided("y")).toBeNull();
    expect(decided("space", "down", "space", "space", "down", "enter", "space", "y")).toEqual({
      is: "review",
      decision: { accept: "some", paths: ["/p/new.sh", "/p/x.png"] },
    });
  });
});

describe("whoever waits for an answer", () => {
  const open = (): { readonly tui: Tui; readonly fake: FakeTerminal; readonly clock: { now: number } } => {
    const fake = fakeTerminal();
    const clock = { now: 0 };
    const nothing = (): void => {};
    const tui = openTui({
      terminal: fake.terminal,
      question: "Which?",
      simulated: false,
      monotonic: () => clock.now,
      every: () => nothing,
      onAnswerNow: nothing,
      onStop: nothing,
    });
    return { tui, fake, clock };
  };
  const turn = async (): Promise<void> => {
    for (let step = 0; step < 5; step++) await Promise.resolve();
  };
  const signal = new AbortController().signal;

  it("gets them one after the other, and not from letters that came in a crowd", async () => {
    const { tui, fake, clock } = open();
    const first = tui.ask({ agent: "ada", prompt: "one?" }, signal);
    const second = tui.review(files, "answer", signal);
    await turn();
    clock.now = 1000;
    fake.type("order");
    fake.type("o");
    expect(await first).toBe("allow_once");
    await turn();
    fake.type("a");
    clock.now = 2000;
    fake.type("n");
    expect(await second).toEqual({ accept: "none" });
    tui.close();
  });

  it("hears that nobody answers when the run is over or the screen is gone", async () => {
    const { tui, fake } = open();
    const stop = new AbortController();
    const withdrawn = tui.ask({ agent: null, prompt: "one?" }, stop.signal);
    await turn();
    stop.abort();
    await expect(withdrawn).rejects.toThrow("nobody answers");
    expect(fake.written.at(-1)).not.toContain("one?");
    const left = tui.ask({ agent: null, prompt: "two?" }, signal);
    await turn();
    tui.close();
    await expect(left).rejects.toThrow("nobody answers");
    await expect(tui.ask({ agent: null, prompt: "three?" }, signal)).rejects.toThrow("nobody answers");
  });
});
