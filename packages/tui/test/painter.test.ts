import { describe, expect, it } from "vitest";
import { openTui } from "../src/index.js";
import { createPainter } from "../src/terminal/painter.js";
import { fakeTerminal } from "./fake-terminal.js";
import { played } from "./play.js";

describe("painting", () => {
  it("writes only the rows that changed, as one update", () => {
    const { terminal, written } = fakeTerminal();
    const painter = createPainter(terminal);
    painter.paint(["one", "two", "three"], 20);
    painter.paint(["one", "2", "three"], 20);
    painter.paint(["one", "2", "three"], 20);
    expect(written).toHaveLength(2);
    expect(written[1]).toBe("\u001b[?2026h\u001b[2;1H2  \u001b[?2026l");
  });
});

describe("a run on the screen", () => {
  it("never clears, and leaves the terminal as it was", async () => {
    const fake = fakeTerminal();
    const ticks: (() => void)[] = [];
    const asked: string[] = [];
    const tui = openTui({
      terminal: fake.terminal,
      question: "Which?",
      simulated: false,
      monotonic: () => 0,
      every: (_ms, callback) => {
        ticks.push(callback);
        return () => asked.push("frames stopped");
      },
      onAnswerNow: () => asked.push("answer now"),
      onStop: () => asked.push("stop"),
    });
    for (const event of await played(["ada", "bob"])) {
      tui.event(event);
      for (const tick of ticks) tick();
    }
    await tui.end({ answer: "Use ARC.", status: "completed" });
    tui.close();
    tui.close();
    const all = fake.written.join("");
    expect(all).not.toContain("\u001b[2J");
    expect(all.endsWith("\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[?25h\u001b[0m\u001b[?1049l")).toBe(true);
    expect(fake.raw).toEqual([true, false]);
    expect(asked).toEqual(["frames stopped"]);
  });

  it("gives the terminal back while it is paused, hears no key meanwhile, and draws all of it again", () => {
    const fake = fakeTerminal();
    const asked: string[] = [];
    const tui = openTui({
      terminal: fake.terminal,
      question: "Which?",
      simulated: false,
      monotonic: () => 0,
      every: () => () => {},
      onAnswerNow: () => {},
      onStop: () => asked.push("stop"),
    });
    const [first, second] = [tui.pause(), tui.pause()];
    expect(fake.written.at(-1)).toMatch(/1049l$/);
    const before = fake.written.length;
    fake.type("?");
    fake.type("q");
    fake.type("y");
    first();
    first();
    expect(fake.written).toHaveLength(before);
    second();
    expect(fake.written.slice(before).join("")).toMatch(/1049h.*\[1;1H.*\[24;1H/s);
    expect(fake.raw).toEqual([true, false, true]);
    expect(asked).toEqual([]);
    tui.close();
    const closed = fake.written.length;
    tui.pause()();
    expect(fake.written).toHaveLength(closed);
  });

  it("stays for who is reading, until they leave", async () => {
    const fake = fakeTerminal();
    const tui = openTui({
      terminal: fake.terminal,
      question: "Which?",
      simulated: false,
      monotonic: () => 0,
      every: () => () => {},
      onAnswerNow: () => {},
      onStop: () => {},
    });
    fake.type("?");
    let isOver = false;
    const over = tui.end({ answer: "x", status: "completed" }).then(() => {
      isOver = true;
    });
    await Promise.resolve();
    expect(isOver).toBe(false);
    fake.type("q");
    fake.type("q");
    await over;
    tui.close();
  });
});
