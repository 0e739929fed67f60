import { chmod, link, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { fails, openDesk, works } from "./desk.js";

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_file", () => {
  it("T3.1 shows 2000 lines of a long file and where to go on", async () => {
    const desk = await openDesk();
    await desk.put("ws/long.txt", numbered(5_000));
    const first = await works(desk.call("read_file", { path: "long.txt" }));
    expect(first.split("\n").slice(0, 2)).toEqual(["[lines 1-2000 of 5000; continue with offset=2001]", "1\tline 1"]);
    expect(first.endsWith("2000\tline 2000")).toBe(true);
    expect(await works(desk.call("read_file", { path: "long.txt", offset: 4_999 }))).toBe(
      "[lines 4999-5000 of 5000]\n4999\tline 4999\n5000\tline 5000",
    );
    expect(await works(desk.call("read_file", { path: "long.txt", offset: -1 }))).toContain("5000\tline 5000");
    expect(await fails(desk.call("read_file", { path: "long.txt", offset: 6_000 }), "INVALID_ARGS")).toContain("5000 lines");
    await fails(desk.call("read_file", { path: "long.txt", offset: 0 }), "INVALID_ARGS");
  });

  it("stops where a result would be cut, and says where to go on", async () => {
    const desk = await openDesk();
    await desk.put("ws/wide.txt", `${"x".repeat(1_000)}\n`.repeat(100));
    const text = await works(desk.call("read_file", { path: "wide.txt" }));
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(/^\[lines 1-(\d+) of 100; continue with offset=\d+\]/);
    await fails(desk.call("write_file", { path: "wide.txt", content: "" }), "READ_REQUIRED");
  });

  it("cuts a long line with a mark, and takes the names other tools give the arguments", async () => {
    const desk = await openDesk();
    await desk.put("ws/one.txt", "y".repeat(5_000));
    expect(await works(desk.call("read_file", { path: "one.txt" }))).toContain("… [line cut, 5000 characters]");
    await desk.put("ws/long.txt", numbered(9));
    expect(await works(desk.call("read_file", { path: "long.txt", tail: 2 }))).toBe("[lines 8-9 of 9]\n8\tline 8\n9\tline 9");
    expect(await works(desk.call("read_file", { file_path: "long.txt", head: 1 }))).toContain("1\tline 1");
  });

  it("shows an empty file as empty, CRLF as LF, and UTF-16 as text", async () => {
    const desk = await openDesk();
    await desk.put("ws/empty.txt", "");
    await desk.put("ws/crlf.txt", "a\r\nb\r\n");
    await desk.put("ws/wide.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("wörter\n", "utf16le")]));
    expect(await works(desk.call("read_file", { path: "empty.txt" }))).toBe("(The file is empty.)");
    expect(await works(desk.call("read_file", { path: "crlf.txt" }))).toBe("1\ta\n2\tb");
    expect(await works(desk.call("read_file", { path: "wide.txt" }))).toBe("1\twörter");
  });

  it("T2.21 refuses what is no text, by content before name", async () => {
    const desk = await openDesk({ rules: { mediaTool: "read_media" } });
    await desk.put("ws/p.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    await desk.put("ws/p.svg", "<svg/>\n");
    await desk.put("ws/data.txt", "a\0b");
    await desk.put("ws/x.zip", "text by content");
    expect(await fails(desk.call("read_file", { path: "p.png" }), "BINARY_FILE")).toContain("Use read_media");
    expect(await works(desk.call("read_file", { path: "p.svg" }))).toBe("1\t<svg/>");
    await fails(desk.call("read_file", { path: "data.txt" }), "BINARY_FILE");
    await fails(desk.call("read_file", { path: "x.zip" }), "BINARY_FILE");
  });

  it("says what is near a path that does not exist", async () => {
    const desk = await openDesk();
    await desk.put("ws/src/server.ts", "");
    expect(await fails(desk.call("read_file", { path: "src/servr.ts" }), "NOT_FOUND")).toContain('Did you mean "server.ts"?');
    expect(await fails(desk.call("read_file", { path: "scr/server.ts" }), "NOT_FOUND")).toContain('"scr" does not exist');
    await fails(desk.call("read_file", { path: "src" }), "IS_DIRECTORY");
  });

  it("reads many files, each failure in its place", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.txt", "A\n");
    await desk.put("ws/b.txt", "B\n");
    const text = await works(desk.call("read_many_files", { paths: ["a.txt", "none.txt", "b.txt"] }));
    expect(text).toMatch(/^==> a.txt <==\n1\tA\n\n==> none.txt <==\nError \[NOT_FOUND\].*\n\n==> b.txt <==\n1\tB$/);
  });
});

describe("write_file", () => {
  it("makes missing folders and reports bytes and lines", async () => {
    const desk = await openDesk();
    expect(await works(desk.call("write_file", { path: "a/b/c.txt", content: "ä\nb\n" }))).toBe("Created a/b/c.txt: 5 bytes, 2 lines.");
    expect(await desk.text("ws/a/b/c.txt")).toBe("ä\nb\n");
  });

  it("T2.20 wants the file read first, as it is now", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.txt", "one\n");
    await fails(desk.call("write_file", { path: "a.txt", content: "x" }), "READ_REQUIRED");
    await works(desk.call("read_file", { path: "a.txt" }));
    await writeFile(desk.at("ws/a.txt"), "two\n");
    await fails(desk.call("write_file", { path: "a.txt", content: "x" }), "STALE_READ");
    expect(await desk.text("ws/a.txt")).toBe("two\n");
    await works(desk.call("read_file", { path: "a.txt" }));
    await utimes(desk.at("ws/a.txt"), 1, 1);
    await works(desk.call("write_file", { path: "a.txt", content: "three\n" }));
    await works(desk.call("write_file", { path: "a.txt", content: "four\n" }));
  });

  it("keeps mode, byte order mark and line ends of what it replaces", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.txt", "\ufeffone\r\ntwo\r\n");
    await chmod(desk.at("ws/a.txt"), 0o754);
    await works(desk.call("read_file", { path: "a.txt" }));
    await works(desk.call("write_file", { path: "a.txt", content: "1\n2\n" }));
    expect(await desk.text("ws/a.txt")).toBe("\ufeff1\r\n2\r\n");
    expect((await stat(desk.at("ws/a.txt"))).mode & 0o777).toBe(0o754);
  });

  it("T3.5 takes 1 MiB and refuses 11", async () => {
    const desk = await openDesk();
    await works(desk.call("write_file", { path: "big.txt", content: "x".repeat(1024 * 1024) }));
    await fails(desk.call("write_file", { path: "huge.txt", content: "x".repeat(11 * 1024 * 1024) }), "TOO_LARGE");
    expect(await readdir(desk.at("ws"))).toEqual(["big.txt"]);
  });

  it("refuses half a surrogate pair and arguments that reach into prototypes", async () => {
    const desk = await openDesk();
    await fails(desk.call("write_file", { path: "a.txt", content: "\ud800" }), "INVALID_ARGS");
    await fails(desk.call("write_file", JSON.parse('{"path":"a.txt","content":"x","__proto__":{"polluted":1}}')), "INVALID_ARGS");
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(await fails(desk.call("write_file", { path: "a.txt" }), "INVALID_ARGS")).toContain("- content: ");
    expect(await readdir(desk.at("ws"))).toEqual([]);
  });

  it("T2.24 does not write through a second name outside the workspace, and breaks it inside", async () => {
    const desk = await openDesk({ presents: true, grants: (at) => ({ contexts: [{ path: at("project"), permission: "write" }] }) });
    await desk.put("outside/secret.txt", "secret\n");
    await desk.put("project/own.txt", "own\n");
    await link(desk.at("outside/secret.txt"), desk.at("project/hard.txt"));
    await link(desk.at("outside/secret.txt"), desk.at("ws/hard.txt"));
    await works(desk.call("read_file", { path: desk.at("project/hard.txt") }));
    await fails(desk.call("write_file", { path: desk.at("project/hard.txt"), content: "x" }), "HARD_LINK");
    await works(desk.call("read_file", { path: "hard.txt" }));
    await works(desk.call("write_file", { path: "hard.txt", content: "mine\n" }));
    expect(await desk.text("outside/secret.txt")).toBe("secret\n");
    expect(await desk.text("ws/hard.txt")).toBe("mine\n");
  });
});

describe("edit_file", () => {
  const CASES = new URL("fixtures/edits/", import.meta.url);
  const edit = async (file: string, old_string: string, new_string: string, rest = {}) => {
    const desk = await openDesk();
    const before = await readFile(new URL(file, CASES)).catch(() => null);
    if (before !== null) {
      await desk.put(`ws/${file}`, before);
      await desk.call("read_file", { path: file });
    }
    const answer = await desk.call("edit_file", { path: file, old_string, new_string, ...rest });
    return { answer, bytes: await readFile(desk.at(`ws/${file}`)).catch(() => null), before };
  };
  const edited = async (...args: Parameters<typeof edit>): Promise<string> => {
    const { answer, bytes } = await edit(...args);
    expect(answer).toMatchObject({ ok: true });
    return bytes!.toString("latin1");
  };

  it("FS-02 keeps CRLF, and gives it to new lines", async () => {
    expect(await edited("crlf.txt", "beta", "BETA\nmore")).toBe("alpha\r\nBETA\r\nmore\r\ngamma\r\n");
    expect(await edited("crlf.txt", "alpha\nbeta", "x")).toBe("x\r\ngamma\r\n");
  });

  it("FS-02 leaves the other bytes of a file with mixed ends and of one with a byte order mark alone", async () => {
    expect(await edited("mixed.txt", "gamma", "GAMMA")).toBe("alpha\r\nbeta\nGAMMA\r\n");
    expect(await edited("bom.txt", "alpha", "ALPHA")).toBe("\u00ef\u00bb\u00bfALPHA\nbeta\ngamma");
  });

  it.each(["gbk.txt", "latin1.txt"])("FS-02 refuses %s, whose bytes it could not write back", async (file) => {
    const { answer, bytes, before } = await edit(file, "beta", "BETA");
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("encoding") });
    expect(bytes).toEqual(before);
  });

  it("FS-02 takes the new text letter for letter", async () => {
    expect(await edited("dollar.txt", "alpha", "$& $1 $$ \\0 costs")).toBe("price = $& $1 $$ \\0 costs\nbeta\n");
  });

  it("FS-02 T3.2 refuses a text that occurs twice, with its lines, unless all are meant", async () => {
    const { answer, bytes, before } = await edit("twice.txt", "beta", "BETA");
    expect(answer.text).toContain("MULTIPLE_MATCHES");
    expect(answer.text).toContain("lines 1, 3");
    expect(bytes).toEqual(before);
    expect(await edited("twice.txt", "beta", "BETA", { replace_all: true })).toBe("BETA\nalpha\nBETA\n");
  });

  it("FS-02 hints at curly quotes", async () => {
    const { answer, bytes, before } = await edit("quotes.txt", 'say "beta"', 'say "BETA"');
    expect(answer.text).toMatch(/^Error \[NO_MATCH\].*closest is line 1.*curly quotes/);
    expect(bytes).toEqual(before);
  });

  it("FS-02 makes a new file of an empty old text, and only a new one", async () => {
    expect(await edited("missing.txt", "", "made")).toBe("made");
    const { answer } = await edit("twice.txt", "", "made");
    expect(answer.text).toContain("EXISTS");
  });

  it("T3.3 shows the closest line when only the indentation differs, or line numbers were copied", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.ts", "function a() {\n\treturn 1;\n}\n");
    await desk.call("read_file", { path: "a.ts" });
    const indented = await fails(desk.call("edit_file", { path: "a.ts", old_string: "    return 1;", new_string: "x" }), "NO_MATCH");
    expect(indented).toContain('closest is line 2: "\\treturn 1;". It differs in spaces, tabs or indentation.');
    expect(await fails(desk.call("edit_file", { path: "a.ts", old_string: "2\t\treturn 1;", new_string: "x" }), "NO_MATCH")).toContain(
      "line number and a tab",
    );
  });

  it("shows the change as a diff", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.txt", "a\nb\nc\n");
    await desk.call("read_file", { path: "a.txt" });
    expect(await works(desk.call("edit_file", { path: "a.txt", old_string: "b", new_string: "B" }))).toBe(
      "Edited a.txt: 1 replacement.\n--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c",
    );
  });

  it("wants the place read, and knows what it changed afterwards", async () => {
    const desk = await openDesk();
    await desk.put("ws/long.txt", numbered(100));
    await fails(desk.call("edit_file", { path: "long.txt", old_string: "line 50\n", new_string: "x" }), "READ_REQUIRED");
    await works(desk.call("read_file", { path: "long.txt", offset: 40, limit: 20 }));
    await fails(desk.call("edit_file", { path: "long.txt", old_string: "line 99\n", new_string: "x" }), "READ_REQUIRED");
    await works(desk.call("edit_file", { path: "long.txt", old_string: "line 50\n", new_string: "a\nb\nc\n" }));
    await works(desk.call("edit_file", { path: "long.txt", old_string: "b\nc\nline 51\n", new_string: "d\n" }));
    await works(desk.call("edit_file", { path: "long.txt", old_string: "line 59\n", new_string: "e\n" }));
    await fails(desk.call("edit_file", { path: "long.txt", old_string: "line 60\n", new_string: "f\n" }), "READ_REQUIRED");
  });

  it("T3.4 makes all edits of a list or none, and takes old argument names", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.txt", "a\nb\nc\n");
    await desk.call("read_file", { path: "a.txt" });
    const edits = [
      { oldText: "a", newText: "A" },
      { oldText: "b", newText: "B" },
    ];
    expect(
      await fails(desk.call("multi_edit", { path: "a.txt", edits: [...edits, { oldText: "z", newText: "Z" }] }), "NO_MATCH"),
    ).toContain("Edit 3 of 3");
    expect(await desk.text("ws/a.txt")).toBe("a\nb\nc\n");
    await works(desk.call("multi_edit", { path: "a.txt", edits: [...edits, { oldText: "A\nB", newText: "AB" }] }));
    expect(await desk.text("ws/a.txt")).toBe("AB\nc\n");
    await fails(desk.call("edit_file", { path: "a.txt", old_string: "c", new_string: "c" }), "INVALID_ARGS");
  });
});
