import { describe, expect, it } from "vitest";
import { counted, ordinal } from "../src/format.js";
import { exitCodeOf, finishReasonOf, fitCells, formatCost, formatCount, formatDuration, markdownTable, padCells } from "../src/index.js";
import { cellWidth } from "./cell-width.js";

describe("numbers for people", () => {
  it.each([
    [0, "0.0 s"],
    [-5, "0.0 s"],
    [820, "0.8 s"],
    [45_300, "45.3 s"],
    [59_960, "1 min"],
    [92_000, "1 min 32 s"],
    [3_600_000, "1 h"],
    [7_500_000, "2 h 5 min"],
  ])("%i ms is %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1,000"],
    [26_585, "26,585"],
    [1_234_567, "1,234,567"],
  ])("%i is %s", (count, text) => expect(formatCount(count)).toBe(text));

  it.each([
    [null, "unknown"],
    [0, "$0.00"],
    [0.0123, "$0.0123"],
    [1.5, "$1.50"],
  ])("%s costs %s", (usd, text) => expect(formatCost(usd)).toBe(text));

  it.each([
    [1, "1st"],
    [2, "2nd"],
    [3, "3rd"],
    [4, "4th"],
    [11, "11th"],
    [12, "12th"],
    [13, "13th"],
    [21, "21st"],
    [112, "112th"],
  ])("%i is the %s", (n, text) => expect(ordinal(n)).toBe(text));

  it("counts one thing and many", () =>
    expect([counted(1, "vote"), counted(0, "vote"), counted(2, "vote")]).toEqual(["1 vote", "0 votes", "2 votes"]));
});

describe("the end of a run", () => {
  it.each([
    ["completed", "completed", 0],
    ["partial", "error", 2],
    ["timeout", "timeout", 3],
    ["cancelled", "cancelled", 4],
    ["budget", "budget", 5],
    ["error", "error", 2],
    ["tool_calls", "completed", 0],
  ] as const)("%s is reported as %s with exit code %i", (status, reason, code) => {
    expect([finishReasonOf(status), exitCodeOf(status)]).toEqual([reason, code]);
  });
});

describe("cells", () => {
  it("cuts by what a terminal shows, and says so", () => {
    expect(fitCells("写穿透读取快", 8, cellWidth)).toBe("写穿...");
    expect(fitCells("写穿透", 6, cellWidth)).toBe("写穿透");
    expect(fitCells("👩‍💻👩‍💻👩‍💻", 5, cellWidth)).toBe("👩‍💻...");
  });

  it("fills up to the width on the side that is free", () => {
    expect(padCells("写", 5, cellWidth)).toBe("写   ");
    expect(padCells("写", 5, cellWidth, "right")).toBe("   写");
    expect(padCells("写", 5, cellWidth, "center")).toBe(" 写  ");
  });

  it("a Markdown table lines up as plain text and keeps its columns when a cell holds a bar", () => {
    const table = markdownTable(
      [{ title: "voter" }, { title: "for", align: "center" }, { title: "n", align: "right" }],
      [
        ["研究者", "a|b", "1"],
        ["bob", "", "10"],
      ],
      cellWidth,
    );
    expect(table).toBe(
      ["| voter  | for  |   n |", "|--------|:----:|----:|", "| 研究者 | a\\|b |   1 |", "| bob    |      |  10 |"].join("\n"),
    );
  });
});
