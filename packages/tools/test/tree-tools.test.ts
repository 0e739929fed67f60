import { mkdir, readdir, readlink, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { fails, openDesk, works } from "./desk.js";

describe("list_directory", () => {
  it("shows a tree with sizes, links without their targets, and leaves out what is hidden or ignored", async () => {
    const desk = await openDesk();
    await desk.put("ws/src/a.ts", "abc");
    await desk.put("ws/node_modules/x/index.js", "");
    await desk.put("ws/.hidden", "");
    await desk.put("ws/out/made.js", "");
    await desk.put("ws/.gitignore", "out/\n");
    await desk.link("/etc", "ws/etc");
    expect(await works(desk.call("list_directory", { depth: 2 }))).toBe("etc -> (link)\nsrc/\n  a.ts  3");
    const all = await works(desk.call("list_directory", { depth: 2, show_hidden: true, include_ignored: true }));
    expect(all.split("\n")).toEqual([
      ".gitignore  5",
      ".hidden  0",
      "etc -> (link)",
      "node_modules/",
      "  x/",
      "out/",
      "  made.js  0",
      "src/",
      "  a.ts  3",
    ]);
  });

  it("T3.13 shows 500 of 10 000 entries and counts the rest", async () => {
    const desk = await openDesk();
    await Promise.all(Array.from({ length: 10_000 }, (_, index) => writeFile(desk.at(`ws/f${index}`), "")));
    const lines = (await works(desk.call("list_directory", {}))).split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([501, "+9500 more"]);
  }, 60_000);

  it("T3.14 shows control characters and overrides of direction in names escaped", async () => {
    const desk = await openDesk();
    await desk.put("ws/a\u001b[2Jb\u202egnp.exe", "");
    expect(await works(desk.call("list_directory", {}))).toBe("a\\u{1b}[2Jb\\u{202e}gnp.exe  0");
  });

  it("T2.5 shows of a folder with one granted file only that file", async () => {
    const desk = await openDesk({ grants: (at) => ({ contexts: [{ path: at("p/a.txt"), permission: "read" }] }) });
    await desk.put("p/a.txt", "a");
    await desk.put("p/b.txt", "b");
    expect(await works(desk.call("list_directory", { path: desk.at("p") }))).toBe("a.txt  1");
    await works(desk.call("read_file", { path: desk.at("p/a.txt") }));
    await fails(desk.call("read_file", { path: desk.at("p/b.txt") }), "NOT_LISTED_FILE");
  });
});

describe("glob", () => {
  it("T3.8 finds the newest first, without ignored files, and refuses ways out", async () => {
    const desk = await openDesk();
    for (const [index, name] of ["old.ts", "src/new.ts", "src/skip.ts", "src/x.js"].entries()) {
      await desk.put(`ws/${name}`, "");
      await utimes(desk.at(`ws/${name}`), 1_000 + index, 1_000 + index);
    }
    await desk.put("ws/.gitignore", "skip.ts\n");
    expect(await works(desk.call("glob", { pattern: "**/*.ts" }))).toBe("src/new.ts\nold.ts");
    expect(await works(desk.call("glob", { pattern: "**/*.ts", include_ignored: true, limit: 1 }))).toBe("src/skip.ts\n+2 more");
    expect(await works(desk.call("glob", { pattern: "*.{js,ts}", path: "src" }))).toBe("src/x.js\nsrc/new.ts");
    await fails(desk.call("glob", { pattern: "../*" }), "INVALID_ARGS");
    await fails(desk.call("glob", { pattern: "/etc/*" }), "INVALID_ARGS");
    expect(await works(desk.call("glob", { pattern: "*.ts", limit: 9_999 }))).toContain("[limit is at most 2000]");
  });

  it("reads the .gitignore of every folder, the inner over the outer", async () => {
    const desk = await openDesk();
    await desk.put("ws/.gitignore", "*.gen.ts\n");
    await desk.put("ws/a/.gitignore", "!keep.gen.ts\n/only-here.ts\n");
    for (const name of ["x.gen.ts", "a/x.gen.ts", "a/keep.gen.ts", "a/only-here.ts", "a/b/only-here.ts"]) await desk.put(`ws/${name}`, "");
    expect((await works(desk.call("glob", { pattern: "**/*.ts" }))).split("\n").sort()).toEqual(["a/b/only-here.ts", "a/keep.gen.ts"]);
  });
});

describe.each([
  ["ripgrep", undefined],
  ["its fallback", null],
] as const)("grep with %s", (_, ripgrep) => {
  const open = () => openDesk(ripgrep === undefined ? {} : { ripgrep });
  const lines = async (answer: Promise<string>) => (await answer).split("\n").filter((line) => !line.startsWith("[searched with"));

  it("shows paths, matching lines with what is around them, or counts", async () => {
    const desk = await open();
    await desk.put("ws/a.txt", "one\ntwo\nthree\nTWO\n");
    await desk.put("ws/b/c.md", "two two\n");
    expect(await lines(works(desk.call("grep", { pattern: "two" })))).toEqual(["a.txt", "b/c.md"]);
    expect(await lines(works(desk.call("grep", { pattern: "two", mode: "count", ignore_case: true })))).toEqual(["a.txt: 2", "b/c.md: 1"]);
    expect(await lines(works(desk.call("grep", { pattern: "^two", mode: "content", context: 1, path: "a.txt" })))).toEqual([
      "a.txt-1-one",
      "a.txt:2:two",
      "a.txt-3-three",
    ]);
    expect(await lines(works(desk.call("grep", { pattern: "two", glob: "*.md" })))).toEqual(["b/c.md"]);
    expect(await lines(works(desk.call("grep", { pattern: "two.three", multiline: true, mode: "content" })))).toEqual([
      "a.txt:2:two",
      "a.txt:3:three",
    ]);
    expect(await lines(works(desk.call("grep", { pattern: "nowhere" })))).toEqual(["No match."]);
  });

  it("T3.7 takes a pattern that looks like an option as a pattern, and says why one is none", async () => {
    const desk = await open();
    await desk.put("ws/a.txt", "rm -rf x\n--pre=sh\n(\n");
    expect(await lines(works(desk.call("grep", { pattern: "-rf", mode: "content" })))).toEqual(["a.txt:1:rm -rf x"]);
    expect(await lines(works(desk.call("grep", { pattern: "--pre=sh", mode: "content" })))).toEqual(["a.txt:2:--pre=sh"]);
    expect(await fails(desk.call("grep", { pattern: "(" }), "INVALID_ARGS")).toMatch(/unclosed|Unterminated/i);
    expect(await lines(works(desk.call("grep", { pattern: "(", literal: true, mode: "content" })))).toEqual(["a.txt:3:("]);
  });

  it("leaves out binary, ignored and secret files, and everything behind a link", async () => {
    const desk = await open();
    await desk.put("ws/yes.txt", "needle\n");
    await desk.put("ws/no.bin", "needle\0needle\n");
    await desk.put("ws/.env", "needle\n");
    await desk.put("ws/node_modules/x.js", "needle\n");
    await desk.put("outside/secret.txt", "needle\n");
    await desk.link("../outside", "ws/way");
    await desk.link("../outside/secret.txt", "ws/file");
    expect(await lines(works(desk.call("grep", { pattern: "needle" })))).toEqual(["yes.txt"]);
    await fails(desk.call("grep", { pattern: "needle", path: "way" }), "SYMLINK_ESCAPE");
    await fails(desk.call("grep", { pattern: "needle", path: "file" }), "SYMLINK_ESCAPE");
  });

  it("stops at the limit and says so, over many files", async () => {
    const desk = await open();
    await Promise.all(Array.from({ length: 250 }, (_, index) => writeFile(desk.at(`ws/f${1000 + index}.txt`), "hit\nhit\n")));
    expect(await lines(works(desk.call("grep", { pattern: "hit", limit: 2_000 })))).toHaveLength(250);
    const cut = await lines(works(desk.call("grep", { pattern: "hit", mode: "content", limit: 3 })));
    expect(cut).toEqual(["f1000.txt:1:hit", "f1000.txt:2:hit", "f1001.txt:1:hit", "[more matches left out; limit is 3]"]);
  });

  it("T2.19 is no reading: what it showed may not be deleted", async () => {
    const desk = await open();
    await desk.put("ws/a.txt", "hit\n");
    await works(desk.call("grep", { pattern: "hit", mode: "content" }));
    await fails(desk.call("delete_path", { path: "a.txt" }), "DELETE_UNREAD");
  });
});

it("grep without ripgrep stops a pattern that runs for ever", async () => {
  const desk = await openDesk({ ripgrep: null, limits: { searchMs: 300 } });
  await desk.put("ws/a.txt", `${"a".repeat(64)}b\n`);
  expect(await fails(desk.call("grep", { pattern: "^(a+)+$" }), "TOO_LARGE")).toContain("more than 0.3 seconds");
});

describe("move, copy and delete", () => {
  it("T2.17 T2.18 deletes what was read, made or generated, and names what was not read", async () => {
    const desk = await openDesk({ presents: true, grants: (at) => ({ contexts: [{ path: at("p"), permission: "write" }] }) });
    await desk.put("p/a.txt", "a");
    await fails(desk.call("delete_path", { path: desk.at("p/a.txt") }), "DELETE_UNREAD");
    await works(desk.call("read_file", { path: desk.at("p/a.txt") }));
    await works(desk.call("delete_path", { path: desk.at("p/a.txt") }));
    await works(desk.call("write_file", { path: "own.txt", content: "x" }));
    await works(desk.call("delete_path", { path: "own.txt" }));
    for (const name of ["a", "b", "c", "d", "e"]) await desk.put(`ws/five/${name}.txt`, name);
    expect(await fails(desk.call("delete_path", { path: "five", recursive: true }), "DELETE_UNREAD")).toContain(
      '"five/a.txt", "five/b.txt", "five/c.txt" (and 2 more)',
    );
    await fails(desk.call("delete_path", { path: "five" }), "NOT_EMPTY");
    await desk.put("ws/cache/__pycache__/m.pyc", "x");
    await works(desk.call("delete_path", { path: "cache", recursive: true }));
    expect(await readdir(desk.at("ws"))).toEqual(["five"]);
  });

  it("T3.11 refuses the workspace itself and removes its node_modules", async () => {
    const desk = await openDesk();
    await desk.put("ws/node_modules/x/index.js", "");
    await fails(desk.call("delete_path", { path: ".", recursive: true }), "CRITICAL_PATH");
    await works(desk.call("delete_path", { path: "node_modules", recursive: true }));
    expect(await readdir(desk.at("ws"))).toEqual([]);
  });

  it("deletes matching files, keeps and names the ones it may not", async () => {
    const desk = await openDesk();
    await desk.put("ws/old/read.txt", "r");
    await desk.put("ws/old/unread.txt", "u");
    await works(desk.call("read_file", { path: "old/read.txt" }));
    const input = { base_path: "old", include: ["**/*.txt"] };
    expect(await works(desk.call("delete_files_batch", { ...input, dry_run: true }))).toContain("Would delete 1 files:\n  old/read.txt");
    expect(await works(desk.call("delete_files_batch", input))).toContain("Kept 1:\n  old/unread.txt (DELETE_UNREAD");
    expect(await readdir(desk.at("ws/old"))).toEqual(["unread.txt"]);
  });

  it("T3.9 takes over a peer's files, skipping what exists, and copies nothing in a dry run", async () => {
    const desk = await openDesk({ grants: (at) => ({ views: [at("view")] }) });
    await desk.put("view/agent2/a.md", "A");
    await desk.put("view/agent2/sub/b.md", "B");
    await desk.put("view/agent2/c.txt", "C");
    await desk.put("ws/a.md", "mine");
    const input = { source_base: desk.at("view/agent2"), destination_base: ".", include: ["**/*.md"] };
    expect(await works(desk.call("copy_files_batch", { ...input, dry_run: true }))).toBe("Would copy 2 files:\n  a.md\n  sub/b.md");
    expect(await readdir(desk.at("ws"))).toEqual(["a.md"]);
    expect(await works(desk.call("copy_files_batch", input))).toMatch(
      /^Copied 1 files, 1 bytes, to \.\.\nNot copied: 1\n {2}a\.md \(EXISTS/,
    );
    expect([await desk.text("ws/a.md"), await desk.text("ws/sub/b.md")]).toEqual(["mine", "B"]);
    await works(desk.call("delete_path", { path: "sub/b.md" }));
    await fails(desk.call("copy_path", { source: "a.md", destination: desk.at("view/agent2/new.md") }), "READ_ONLY");
  });

  it("copies folders into ones that exist, links only where they stay inside", async () => {
    const desk = await openDesk();
    await desk.put("ws/from/a.txt", "a");
    await desk.put("ws/from/deep/b.txt", "b");
    await desk.link("../a.txt", "ws/from/deep/good");
    await desk.link("/etc/passwd", "ws/from/bad");
    await desk.put("ws/to/kept.txt", "kept");
    const text = await works(desk.call("copy_path", { source: "from", destination: "to" }));
    expect(text).toContain("Copied from to to: 3 files");
    expect(text).toMatch(/Not copied: 1\n {2}bad \(SYMLINK_ESCAPE/);
    expect(await readlink(desk.at("ws/to/deep/good"))).toBe("../a.txt");
    expect((await readdir(desk.at("ws/to"))).sort()).toEqual(["a.txt", "deep", "kept.txt"]);
    await fails(desk.call("copy_path", { source: "from", destination: "from/again" }), "INVALID_ARGS");
  });

  it("T2.15 checks the source of a copy too", async () => {
    const desk = await openDesk();
    await desk.put("outside/secret.txt", "s");
    await fails(desk.call("copy_path", { source: desk.at("outside/secret.txt"), destination: "mine.txt" }), "PATH_OUTSIDE");
    await fails(desk.call("copy_files_batch", { source_base: desk.at("outside"), destination_base: "." }), "PATH_OUTSIDE");
  });

  it("T3.10 moves, but neither into itself nor over what exists", async () => {
    const desk = await openDesk();
    await desk.put("ws/dir/a.txt", "a");
    await desk.put("ws/b.txt", "b");
    await fails(desk.call("move_path", { source: "dir", destination: "dir/child" }), "INVALID_ARGS");
    await fails(desk.call("move_path", { source: "dir/a.txt", destination: "b.txt" }), "EXISTS");
    await works(desk.call("move_path", { source: "dir/a.txt", destination: "new/place/a.txt" }));
    await works(desk.call("move_path", { source: "new/place/a.txt", destination: "b.txt", overwrite: true }));
    expect(await desk.text("ws/b.txt")).toBe("a");
    await mkdir(desk.at("ws/full"));
    await fails(desk.call("move_path", { source: "dir", destination: "full" }), "EXISTS");
    await fails(desk.call("move_path", { source: ".", destination: "../x" }), "CRITICAL_PATH");
  });

  it("what was read is known under its new name", async () => {
    const desk = await openDesk();
    await desk.put("ws/dir/a.txt", "a");
    await works(desk.call("read_file", { path: "dir/a.txt" }));
    await works(desk.call("move_path", { source: "dir", destination: "moved" }));
    await works(desk.call("write_file", { path: "moved/a.txt", content: "b" }));
  });
});

describe("comparing", () => {
  it("shows how two files differ, and only sizes and hashes of binary ones", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.txt", "a\nb\n");
    await desk.put("ws/b.txt", "a\nc\nd\n");
    await desk.put("ws/c.bin", "a\0");
    expect(await works(desk.call("compare_files", { file1: "a.txt", file2: "b.txt" }))).toBe(
      "+2 -1 lines\n--- a.txt\n+++ b.txt\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d",
    );
    expect(await works(desk.call("compare_files", { file1: "a.txt", file2: "a.txt" }))).toContain("Identical");
    expect(await works(desk.call("compare_files", { file1: "a.txt", file2: "c.bin" }))).toMatch(/c\.bin: 2 bytes, sha256 [0-9a-f]{64}/);
  });

  it("T3.12 sees a difference three levels deep", async () => {
    const desk = await openDesk();
    await desk.put("ws/one/x/y/z/f.txt", "a\n");
    await desk.put("ws/two/x/y/z/f.txt", "b\n");
    await desk.put("ws/one/left.txt", "");
    await desk.put("ws/two/right.txt", "");
    await desk.put("ws/one/same.txt", "");
    await desk.put("ws/two/same.txt", "");
    const text = await works(desk.call("compare_directories", { dir1: "one", dir2: "two", content_diff: true }));
    expect(text).toContain("Only in one: 1\n  left.txt\nOnly in two: 1\n  right.txt\nDiffering: 1\n  x/y/z/f.txt\nSame: 1 files");
    expect(text).toContain("-a\n+b");
  });
});

describe("the rest", () => {
  it("lists what was given and what may become writable", async () => {
    const desk = await openDesk({ grants: (at) => ({ contexts: [{ path: at("p"), permission: "write" }] }) });
    await desk.put("p/a.txt", "");
    const text = await works(desk.call("list_roots", {}));
    expect(text).toContain(`${desk.at("ws")}  workspace, read and write`);
    expect(text).toContain(`${desk.at("p")}  context, read only; will be writable for the final presenter`);
  });

  it("tells type, size, encoding and lines of a file", async () => {
    const desk = await openDesk();
    await desk.put("ws/a.txt", "a\r\nb\r\n");
    const text = await works(desk.call("file_info", { path: "a.txt" }));
    expect(text).toMatch(/type: file\nsize: 6\nmode: 0\d{3}\n/);
    expect(text).toContain("content: text, utf-8, CRLF\nlines: 2");
    expect(await works(desk.call("file_info", { path: "." }))).toContain("type: directory");
  });

  it("creates directories, twice if asked", async () => {
    const desk = await openDesk();
    expect(await works(desk.call("create_directory", { path: "a/b" }))).toContain("Created");
    expect(await works(desk.call("create_directory", { path: "a/b" }))).toContain("exists already");
    await desk.put("ws/file", "");
    await fails(desk.call("create_directory", { path: "file/x" }), "NOT_DIRECTORY");
  });

  it("T3.17 keeps all of a result that is too long in a file the agent can read", async () => {
    const desk = await openDesk({ limits: { resultChars: 1_000 } });
    await Promise.all(Array.from({ length: 100 }, (_, index) => writeFile(desk.at(`ws/a-rather-long-name-${index}.txt`), "")));
    const text = await works(desk.call("glob", { pattern: "**" }));
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(/\[\.\.\. \d+ chars omitted; full output in \.tool_results\/glob_1\.txt \.\.\.\]$/);
    expect((await desk.text("ws/.tool_results/glob_1.txt")).split("\n")).toHaveLength(100);
    await works(desk.call("read_file", { path: ".tool_results/glob_1.txt", limit: 5 }));
  });

  it("declares what it would touch, for every tool", async () => {
    const desk = await openDesk();
    const inputs: Readonly<Record<string, Record<string, unknown>>> = {
      read_many_files: { paths: ["a"] },
      glob: { pattern: "*" },
      grep: { pattern: "x" },
      edit_file: { path: "a", old_string: "x", new_string: "y" },
      multi_edit: { path: "a", edits: [{ old_string: "x", new_string: "y" }] },
      write_file: { path: "a", content: "" },
      move_path: { source: "a", destination: "b" },
      copy_path: { source: "a", destination: "b" },
      copy_files_batch: { source_base: "a", destination_base: "b" },
      compare_files: { file1: "a", file2: "b" },
      compare_directories: { dir1: "a", dir2: "b" },
      delete_files_batch: { base_path: "a", include: ["*"] },
    };
    const table = desk.tools.map(({ spec, risk, effects }) => {
      const touched = effects((inputs[spec.name] ?? { path: "a" }) as never).map((effect) =>
        effect.kind === "path" ? `${effect.op} ${effect.path}` : effect.kind,
      );
      return `${spec.name} (${risk}): ${touched.join(", ")}`;
    });
    expect(table).toMatchInlineSnapshot(`
      [
        "read_file (read): read a",
        "read_many_files (read): read a",
        "list_directory (read): list a",
        "glob (read): list .",
        "grep (read): read .",
        "file_info (read): stat a",
        "write_file (write): write a",
        "edit_file (write): write a",
        "multi_edit (write): write a",
        "create_directory (write): mkdir a",
        "move_path (destructive): move_from a, move_to b",
        "copy_path (write): copy_from a, copy_to b",
        "copy_files_batch (write): copy_from a, copy_to b",
        "compare_files (read): read a, read b",
        "compare_directories (read): read a, read b",
        "list_roots (read): ",
        "delete_path (destructive): delete a",
        "delete_files_batch (destructive): write a",
      ]
    `);
  });
});
