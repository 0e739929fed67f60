import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStyle, frameRows, press, type ScreenState } from "../src/index.js";
import { folded, opened, played, until } from "./play.js";

const conversing = (...waiting: readonly string[]): ScreenState => ({ ...opened(), waiting });
const pressed = (state: ScreenState, ...keys: readonly string[]): ScreenState => keys.reduce((now, key) => press(now, key).state, state);
const last = (state: ScreenState, ...keys: readonly string[]): unknown => press(pressed(state, ...keys.slice(0, -1)), keys.at(-1)!).request;
const picture = (state: ScreenState, columns: number, rows: number): string =>
  frameRows(state, { columns, rows }, createStyle("none"))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: pictures are reviewed without colours
    .map((row) => row.replaceAll(/\u001b\[[\d;]*m/g, "").trimEnd())
    .join("\n");

describe("questions that wait for the end of a turn", () => {
  it.each([
    ["n with none begins one", conversing(), ["n"], { is: "write_question", at: null }],
    ["n in their list begins another", conversing("a"), ["n", "n"], { is: "write_question", at: null }],
    ["Enter changes the one under the cursor", conversing("a", "b"), ["n", "down", "enter"], { is: "write_question", at: 1 }],
    ["x removes it", conversing("a", "b"), ["n", "j", "x"], { is: "drop_question", at: 1 }],
    ["the cursor stays among them", conversing("a", "b"), ["n", "up", "k", "down", "down", "down", "x"], { is: "drop_question", at: 1 }],
    ["n is no key where there is no conversation", opened(), ["n"], null],
    ["n is no key when the turn is over", { ...conversing("a"), outcome: { answer: null, status: "completed" } }, ["n"], null],
    ["n is no key when the turn is stopping", { ...conversing("a"), isStopping: true }, ["n"], null],
  ] as const)("%s", (_, state, keys, request) => {
    expect(last(state, ...keys)).toEqual(request);
  });

  it("whatever is pressed and however many there still are, a request names one that is there", () => {
    const key = fc.constantFrom("n", "up", "down", "j", "k", "x", "delete", "enter", "escape", "pageDown", "wheelUp");
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.array(fc.string(), { maxLength: 3 })), { maxLength: 30 }), (steps) => {
        let state = conversing();
        for (const [name, waiting] of steps) {
          const { state: next, request } = press({ ...state, waiting }, name);
          state = next;
          if (request === null || typeof request === "string" || !("at" in request) || request.at === null) continue;
          expect(waiting[request.at]).toBeDefined();
        }
      }),
    );
  });

  for (const [columns, rows] of [
    [60, 15],
    [80, 24],
    [200, 50],
  ] as const)
    it(`are shown on ${columns}×${rows} as reviewed`, async () => {
      const events = until(await played(["atlas", "birch", "cedar"]), "vote_cast");
      const state = folded(events, conversing("And how long may an entry live?\nIn seconds.", "/cost", "日本語 \u001b[31mred"));
      await expect(`${picture(state, columns, rows)}\n\n${picture(pressed(state, "n", "down"), columns, rows)}\n`).toMatchFileSnapshot(
        `golden/waiting-${columns}x${rows}.txt`,
      );
    });
});
