import type { ProposedChanges } from "@massgen/sdk";
import { describe, expect, it } from "vitest";
import { changedFilesLines } from "../../src/output/changed-files.js";
import { requireTerminal, reviewOnTerminal } from "../../src/review/review-on-terminal.js";
import { fakeIo } from "../fake-io.js";

const change = (name: string, more: Partial<ProposedChanges["changes"][number]> = {}): ProposedChanges["changes"][number] => ({
  path: `/home/me/project/${name}`,
  name,
  kind: "modified",
  sizeBefore: 10,
  sizeAfter: 12,
  linkTo: null,
  isProgram: false,
  runsLater: false,
  addedLines: 2,
  removedLines: 1,
  diff: `--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,2 @@\n-old\n+new\u001b[2J\n`,
  isBinary: false,
  ...more,
});

const proposed: ProposedChanges = {
  presenter: "ada",
  answer: "Fixed \u001b[31mit.",
  changes: [change("package.json", { runsLater: true }), change("src/add.mjs"), change("secret.key", { kind: "added" })],
  refused: new Set(["/home/me/project/secret.key"]),
  conflicts: () => new Map(),
};

async function review(...typed: readonly string[]) {
  const fake = fakeIo({ cwd: "/", isTerminal: true, typed });
  let closed = 0;
  const decision = await reviewOnTerminal(fake.io, { close: () => closed++ })(proposed, new AbortController().signal);
  return { decision, shown: fake.err(), closed };
}

describe("--review on a terminal", () => {
  it("lists what would be applied, what runs later first, and takes all or nothing", async () => {
    const { decision, shown, closed } = await review("a");
    expect(decision).toEqual({ accept: "all" });
    expect(closed, "the live area is taken away first").toBe(1);
    expect(shown).toContain("The presenter changed 2 files of yours; nothing is applied yet.");
    expect(shown).toMatch(/1\. modified {2}\/home\/me\/project\/package\.json {2}\+2 -1 · tools run it by themselves\n +2\. modified/);
    expect(shown, "what is forbidden is not offered").not.toContain("secret.key");
    expect((await review("NONE")).decision).toEqual({ accept: "none" });
    expect((await review("l")).decision).toEqual({ accept: "later" });
  });

  it("shows the diff and the answer, harmless for the terminal, and asks again", async () => {
    const { decision, shown } = await review("d", "what?", "t", "n");
    expect(decision).toEqual({ accept: "none" });
    expect(shown).toContain("-old\n+new");
    expect(shown).toContain("Fixed");
    expect(shown).not.toContain("\u001b");
    expect(shown.match(/Apply them\?/g)).toHaveLength(4);
  });

  it("takes some, file by file", async () => {
    const { decision } = await review("s", "d", "n", "y");
    expect(decision).toEqual({ accept: "some", paths: ["/home/me/project/src/add.mjs"] });
  });

  it("decides nothing when the input ends", async () => {
    expect((await review()).decision).toEqual({ accept: "later" });
    expect((await review("s", "y")).decision).toEqual({ accept: "later" });
  });

  it("needs somebody to ask", () => {
    const output = { mode: null, outputFile: null, logs: true, debug: false };
    const terminal = fakeIo({ cwd: "/", isTerminal: true }).io;
    expect(() => requireTerminal(output, terminal)).not.toThrow();
    expect(() => requireTerminal({ ...output, mode: "automation" }, terminal)).toThrow("no terminal to ask on");
    expect(() => requireTerminal(output, fakeIo({ cwd: "/", isTerminal: true, stdin: "x" }).io)).toThrow("no terminal to ask on");
    expect(() => requireTerminal(output, fakeIo({ cwd: "/" }).io)).toThrow("no terminal to ask on");
  });
});

describe("the end of a run", () => {
  const report = { presenter: "ada", decidedBy: "person", keptIn: null, recordPath: null, diffPath: null, skipped: [] } as const;
  const { diff: _diff, ...file } = change("src/add.mjs");

  it("says what was changed, what was not and why, and where that is", () => {
    expect(changedFilesLines(null)).toEqual([]);
    const conflict = { ...file, outcome: "conflict", reason: "it was changed meanwhile" } as const;
    const lines = changedFilesLines({
      ...report,
      keptIn: "/log/undelivered",
      files: [{ ...file, outcome: "applied", reason: null }, conflict],
    });
    expect(lines).toEqual([
      "1 file changed",
      "  modified  /home/me/project/src/add.mjs  +2 -1",
      "1 change not applied",
      "  modified  /home/me/project/src/add.mjs  +2 -1: it was changed meanwhile",
      "  kept in /log/undelivered",
    ]);
  });

  it("says how to decide about what waits", () => {
    const waiting = { ...file, outcome: "waiting", reason: "nobody has decided yet" } as const;
    expect(changedFilesLines({ ...report, decidedBy: "nobody", files: [waiting] }).at(-1)).toContain("massgen --resume <log> --review");
  });
});
