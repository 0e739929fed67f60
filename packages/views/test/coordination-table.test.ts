import { describe, expect, it } from "vitest";
import { coordinationTable } from "../src/index.js";
import { cellWidth } from "./cell-width.js";
import { frozenRun, RUNS, team } from "./frozen-runs.js";

const tableLines = (text: string): readonly string[] => text.split("\n").filter((line) => /^[+|]/.test(line));

describe("coordination_table.txt", () => {
  it.each(RUNS)("tells the run %s", async (name) => {
    await expect(coordinationTable(frozenRun(name), { cellWidth })).toMatchFileSnapshot(`golden/table-${name}.txt`);
  });

  it.each([
    [1, 60],
    [2, 60],
    [3, 40],
    [4, 30],
    [5, 25],
    [10, 25],
  ])("EC45: %i agents get columns %i wide, and every line is equally wide in cells", async (count, width) => {
    const text = coordinationTable(team(count), { cellWidth });
    const lines = tableLines(text);
    expect(new Set(lines.map(cellWidth))).toEqual(new Set([1 + 10 + 1 + count * (width + 1)]));
    await expect(text).toMatchFileSnapshot(`golden/table-team-${count}.txt`);
  });

  it("EC45: agent10 is never taken for agent1", () => {
    const text = coordinationTable(team(10), { cellWidth });
    expect(text).toContain("NEW ANSWER: agent10.1");
    expect(text).toContain("Agent 10 (agent_j)");
  });

  it("says on top that a run was simulated", () => {
    expect(coordinationTable(team(2), { cellWidth, simulated: true }).split("\n")[0]).toContain("simulated");
  });

  it("is empty for an empty log", () => expect(coordinationTable([], { cellWidth })).toBe(""));
});
