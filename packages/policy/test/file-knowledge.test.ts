import { describe, expect, it } from "vitest";
import { createFileKnowledge, type FileNow, type FileStamp } from "../src/index.js";

const stamp = (text: string, mtimeMs = 1): FileStamp => ({ size: text.length, mtimeMs, sha256: `hash of ${text}` });
const now = (text: string, mtimeMs = 1): FileNow => ({ ...stamp(text, mtimeMs), sha256: async () => `hash of ${text}` });
const file = (name: string) => ({ path: `/ws/${name}`, shown: name });

describe("changing files that were read", () => {
  it("T2.20 asks for a read before an overwrite", async () => {
    const files = createFileKnowledge();
    expect(await files.judgeOverwrite(file("a"), now("x"))).toMatchObject({ rule: "READ_REQUIRED" });
    files.sawFile("/ws/a", stamp("x"));
    expect(await files.judgeOverwrite(file("a"), now("x"))).toBeNull();
  });

  it("T2.20 notices that somebody else changed the file", async () => {
    const files = createFileKnowledge();
    files.sawFile("/ws/a", stamp("x"));
    expect(await files.judgeOverwrite(file("a"), now("y", 2))).toMatchObject({ rule: "STALE_READ" });
    expect(await files.judgeOverwrite(file("a"), now("x", 2)), "touched only").toBeNull();
    expect(await files.judgeOverwrite(file("a"), now("xy", 1)), "another size at the same time").toMatchObject({ rule: "STALE_READ" });
  });

  it("wants the whole file for an overwrite and the changed lines for an edit", async () => {
    const files = createFileKnowledge();
    files.sawFile("/ws/a", stamp("x"), { from: 1, to: 10, totalLines: 30 });
    expect(await files.judgeOverwrite(file("a"), now("x"))).toMatchObject({ rule: "READ_REQUIRED" });
    expect(await files.judgeEdit(file("a"), now("x"), { from: 9, to: 10 })).toBeNull();
    expect((await files.judgeEdit(file("a"), now("x"), { from: 9, to: 11 }))?.reason).toContain("lines 9 to 11");
    files.sawFile("/ws/a", stamp("x"), { from: 20, to: 30, totalLines: 30 });
    files.sawFile("/ws/a", stamp("x"), { from: 11, to: 19, totalLines: 30 });
    expect(await files.judgeOverwrite(file("a"), now("x"))).toBeNull();
  });

  it("forgets the lines of an earlier content", async () => {
    const files = createFileKnowledge();
    files.sawFile("/ws/a", stamp("x"));
    files.sawFile("/ws/a", stamp("y", 2), { from: 1, to: 1, totalLines: 2 });
    expect(await files.judgeOverwrite(file("a"), now("y", 2))).toMatchObject({ rule: "READ_REQUIRED" });
  });

  it("knows what the agent wrote itself", async () => {
    const files = createFileKnowledge();
    files.wroteFile("/ws/a", stamp("x"));
    expect(await files.judgeOverwrite(file("a"), now("x"))).toBeNull();
    expect(files.get("/ws/a")?.by).toBe("create");
  });

  it("can be switched off", async () => {
    const files = createFileKnowledge({ readBeforeOverwrite: false, readBeforeDelete: false });
    expect(await files.judgeOverwrite(file("a"), now("x"))).toBeNull();
    expect(files.judgeDelete([file("a")])).toBeNull();
  });
});

describe("deleting files that were read", () => {
  it("T2.17 asks for a read before a delete, except of what the agent made", () => {
    const files = createFileKnowledge({ isOwn: (path) => path === "/ws/made-by-command" });
    expect(files.judgeDelete([file("a")])).toMatchObject({ rule: "DELETE_UNREAD" });
    files.sawFile("/ws/a", stamp("x"), { from: 1, to: 1, totalLines: 9 });
    files.wroteFile("/ws/own", stamp("x"));
    expect(files.judgeDelete([file("a"), file("own"), file("made-by-command")])).toBeNull();
  });

  it("T2.18 names three and counts the rest", () => {
    const files = createFileKnowledge();
    const reason = files.judgeDelete(["a", "b", "c", "d", "e"].map(file))?.reason;
    expect(reason).toContain('"a", "b", "c" (and 2 more)');
  });

  it("T2.18 does not ask for generated files", () => {
    const files = createFileKnowledge();
    expect(files.judgeDelete(["x/__pycache__/a.pyc", "node_modules/x/index.js", "out.log", "a.txt~"].map(file))).toBeNull();
    expect(files.judgeDelete([file("builder/a.ts")])).not.toBeNull();
  });

  it("follows a move and forgets what is gone", () => {
    const files = createFileKnowledge();
    files.sawFile("/ws/dir/a", stamp("x"));
    files.sawFile("/ws/dir2/a", stamp("x"));
    files.movedFile("/ws/dir", "/ws/new");
    expect([files.get("/ws/dir/a"), files.get("/ws/new/a")?.by, files.get("/ws/dir2/a")?.by]).toEqual([null, "read", "read"]);
    files.forget("/ws/new");
    expect(files.judgeDelete([file("new/a")])).not.toBeNull();
    files.clear();
    expect(files.get("/ws/dir2/a")).toBeNull();
  });
});
