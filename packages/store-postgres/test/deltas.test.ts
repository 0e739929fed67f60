import type { Delta } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { noticesOf } from "../src/deltas.js";

const said = (text: string, agent: string = "ada"): Delta => ({ type: "content_delta", agent, channel: "work", text });
const textOf = (notices: ReturnType<typeof noticesOf>): string =>
  notices.flat().reduce((text, delta) => text + (delta.type === "content_delta" ? delta.text : ""), "");

describe("deltas on their way through PostgreSQL", () => {
  it.each([
    ["short", "Use ARC."],
    ["long", "word ".repeat(10_000)],
    ["in four bytes a character", "😀".repeat(5_000)],
    ["that JSON makes six times as long", "\u0001".repeat(5_000)],
    ["blank", ""],
  ])("fit into notices of 8,000 bytes and lose nothing: a text that is %s", (_what, text) => {
    const notices = noticesOf([said(text), { type: "response_started", agent: "bob", channel: "work", round: 1 }]);
    expect(textOf(notices)).toBe(text);
    for (const notice of notices) expect(Buffer.byteLength(JSON.stringify(notice))).toBeLessThan(7_800);
    expect(notices.flat().at(-1)).toMatchObject({ type: "response_started" });
  });

  it("share notices where they fit, in their order", () => {
    const deltas = Array.from({ length: 100 }, (_, place) => said(`${place} `));
    const notices = noticesOf(deltas);
    expect(notices.length).toBeLessThan(4);
    expect(notices.flat()).toEqual(deltas);
  });
});
