import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { consentDialog, reviewDialog } from "../src/dialogs/dialog.js";
import { createStyle, frameRows, press, type ScreenState, type Size } from "../src/index.js";
import { folded, opened, played, until } from "./play.js";

const style = createStyle("none");
const SIZES: readonly Size[] = [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
];
const team = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => ["atlas", "birch", "cedar"][index] ?? `agent_${index + 1}`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: pictures are reviewed without colours
const COLOURS = /\u001b\[[\d;]*m/g;
const picture = (state: ScreenState, size: Size): string =>
  frameRows(state, size, style)
    .map((row) => row.replaceAll(COLOURS, "").trimEnd())
    .join("\n");
const pressed = (state: ScreenState, ...keys: readonly string[]): ScreenState => keys.reduce((now, key) => press(now, key).state, state);

describe("the screen", () => {
  for (const count of [1, 3, 10])
    for (const size of SIZES)
      it(`shows ${count} agents on ${size.columns}×${size.rows} as reviewed: at work, and at the end`, async () => {
        const events = await played(team(count));
        const half = folded(until(events, count === 1 ? "round_started" : "vote_cast"));
        const name = `golden/${count}-agents-${size.columns}x${size.rows}`;
        await expect(picture(half, size)).toMatchFileSnapshot(`${name}-working.txt`);
        const over = { ...folded(events), outcome: { answer: "Use ARC.", status: "completed" } };
        await expect(picture(over, size)).toMatchFileSnapshot(`${name}-over.txt`);
      });

  it("has exactly the rows and at most the cells of the window, whatever is in it", async () => {
    const hostile = "漢字とかな👩‍👩‍👧‍👦 שלום עולם مرحبا e\u0301\u0301\u0301 \u001b[31mred\u001b]0;title\u0007 \u202eevil ﷽ ".repeat(20);
    const events = await played(["名前の長いエージェント一号", "b", "🦊fox"], () => ({
      answer: `${hostile}\n\n\`\`\`\n${hostile}\n\`\`\``,
      reason: hostile,
    }));
    for (const at of [5, 20, 40, events.length]) {
      const state = folded(events.slice(0, at), opened(hostile));
      const file = { path: hostile, line: hostile, diff: hostile };
      const asking = [consentDialog({ agent: "ada", prompt: hostile }, 0), reviewDialog([file], hostile, 0)];
      const listing = { is: "there", value: { files: [{ path: hostile, bytes: 1 }], isCut: true } } as const;
      const preview = { is: "there", value: { text: `${hostile}\n${hostile}`, bytes: 1, isCut: true } } as const;
      const looking = [null, { path: `${hostile}.ts`, preview }].map((open) => ({ agent: hostile, listing, open }));
      for (const modal of [null, "o", "?", "b", "v", "d", "c", "e", "f", "m", "q", ...asking, ...looking]) {
        const shown =
          modal === null
            ? state
            : typeof modal === "string"
              ? pressed(state, modal)
              : "agent" in modal && "listing" in modal
                ? {
                    ...pressed(state, "w"),
                    files: modal,
                    modal: { name: modal.open === null ? "files" : "file", at: 0, scroll: 0, shows: "text" } as const,
                  }
                : pressed({ ...state, dialog: modal }, "enter");
        for (const columns of [20, 33, 100, 141])
          for (const rows of [5, 15, 40]) {
            const frame = frameRows(shown, { columns, rows }, createStyle("dark"));
            expect(frame.length).toBe(rows);
            for (const row of frame) expect({ row, fits: visibleWidth(row) <= columns }).toEqual({ row, fits: true });
          }
      }
    }
  });

  it("TT-01: what models, vendors and files say never commands the terminal", async () => {
    const evil =
      "a\u001b]0;owned\u0007b\u001b]52;c;ZXZpbA==\u0007c\u001b[2Jd\u009b31me\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\f\rg\u202eh [x](http://evil/\u001b[31m)";
    const events = await played(["ada\u001b[31m", "bob"], () => ({ answer: evil, reason: evil }));
    const state = { ...folded(events, opened(evil)), notices: [evil] };
    const consent = { ...state, dialog: consentDialog({ agent: "ada", prompt: evil }, 0) };
    const review = { ...state, dialog: reviewDialog([{ path: evil, line: evil, diff: evil }], evil, 0) };
    const dialogs = [consent, review, pressed(review, "enter"), pressed(review, "t")];
    for (const shown of [state, ...["b", "v", "d", "c", "e", "f"].map((key) => pressed(state, key)), ...dialogs]) {
      const frame = frameRows(shown, { columns: 120, rows: 40 }, createStyle("dark")).join("\n");
      // Only our own colours are left, and the end of them.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
      expect(frame.replaceAll(/\u001b\[(?:0|[1-9;\d]{1,5})m/g, "")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });

  it("empties the votes when a new answer makes them void", async () => {
    const events = await played(team(3));
    const voted = folded(until(events, "vote_cast", 2));
    expect(picture(voted, { columns: 120, rows: 34 })).toMatch(/→ agent1\.1/);
    const answer = events.find((event) => event.type === "answer_submitted");
    const { lastSeq } = voted.view;
    const voided = folded([{ ...answer!, seq: lastSeq + 1, label: "agent3.2", agent: "cedar", round: 9 } as never], voted);
    expect(picture(voided, { columns: 120, rows: 34 })).not.toMatch(/→ agent1\.1/);
  });
});

describe("keys", () => {
  it("choose agents, scroll, open and close", async () => {
    const state = folded(await played(team(3)));
    expect(pressed(state, "tab", "tab").selected).toBe(2);
    expect(pressed(state, "tab", "tab", "tab", "shift+tab").selected).toBe(2);
    expect(pressed(state, "2").selected).toBe(1);
    expect(pressed(state, "9").selected).toBe(0);
    expect(pressed(state, "k", "k", "pageUp", "j").scrolledUp).toBe(11);
    expect(pressed(state, "pageUp", "end").scrolledUp).toBe(0);
    expect(pressed(state, "b", "left", "left", "right").modal).toMatchObject({ name: "answers", at: 1 });
    expect(pressed(state, "?", "escape").modal).toBeNull();
    expect(pressed(state, "v", "c").modal).toMatchObject({ name: "cost" });
  });

  it("ask before they stop, and once over only leave", async () => {
    const events = await played(team(3));
    const state = folded(until(events, "vote_cast"));
    expect(press(state, "q")).toMatchObject({ request: null, state: { modal: { name: "cancel" } } });
    expect(press(pressed(state, "q"), "escape")).toMatchObject({ request: null, state: { modal: null } });
    expect(press(pressed(state, "ctrl+c"), "y")).toMatchObject({ request: "stop", state: { isStopping: true } });
    expect(press({ ...state, outcome: { answer: "x", status: "completed" } }, "q").request).toBe("leave");
  });

  it("answer now once, and not after the decision", async () => {
    const events = await played(team(3));
    const asked = press(folded(until(events, "vote_cast")), "a");
    expect(asked.request).toBe("answer_now");
    expect(press(asked.state, "a").request).toBeNull();
    expect(press(folded(events), "a").request).toBeNull();
  });
});
