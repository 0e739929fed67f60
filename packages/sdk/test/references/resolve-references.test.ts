import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { resolveReferences } from "../../src/references/resolve-references.js";

const cwd = await mkdtemp(join(tmpdir(), "massgen-refs-"));
const home = join(cwd, "home");
afterAll(() => rm(cwd, { recursive: true }));
await mkdir(join(cwd, "src"));
await mkdir(home);
for (const name of ["src/a.ts", "src/b.ts", "src/c.ts", "Makefile", "home/notes.md", "a b.txt"]) await writeFile(join(cwd, name), "");

const resolved = (question: string) => resolveReferences(question, { cwd, home });
const read = (path: string) => ({ path: join(cwd, path), permission: "read" });
const write = (path: string) => ({ path: join(cwd, path), permission: "write" });

describe("files and folders named in a question", () => {
  it("become context paths, and their absolute paths stand in the text", async () => {
    expect(await resolved('Compare @src/a.ts with @"a b.txt", @~/notes.md and @Makefile.')).toEqual({
      question: `Compare ${cwd}/src/a.ts with ${cwd}/a b.txt, ${home}/notes.md and ${cwd}/Makefile.`,
      contextPaths: [read("src/a.ts"), read("a b.txt"), read("home/notes.md"), read("Makefile")],
      notes: [],
    });
  });

  it("are one entry however often they are named; write wins", async () => {
    const { contextPaths } = await resolved("Read @src, change @src/:w, look at ./src: @./src");
    expect(contextPaths).toEqual([write("src")]);
  });

  it("may be files to be made, in a folder that is there", async () => {
    expect((await resolved("Write @src/new.md:w")).contextPaths).toEqual([write("src/new.md")]);
    await expect(resolved("Write @nowhere/new.md:w")).rejects.toThrow("nowhere");
  });

  it("that are missing are named all at once, with the ways out", async () => {
    await expect(resolved("Compare @src/x.ts, @src/a.ts and @gone/y.md")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      exitCode: 1,
      message: `Context paths not found: ${cwd}/src/x.ts, ${cwd}/gone/y.md`,
      hint: expect.stringContaining("--no-parse-at-references"),
    });
  });

  it.each(["Ask @alice", "@media (min-width: 1px) {}", "@app.route('/x') is Flask", "@Component({selector: 'x'})", "me@example.org"])(
    "%s stays text",
    async (question) => expect(await resolved(question)).toEqual({ question, contextPaths: [], notes: [] }),
  );

  it("of which three are in one folder bring the folder to mind", async () => {
    const { notes } = await resolved("Compare @src/a.ts @src/b.ts @src/c.ts");
    expect(notes).toEqual([`The question names 3 files of ${cwd}/src; @${cwd}/src names the folder.`]);
    expect((await resolved("Compare @src/a.ts @src/b.ts @Makefile")).notes).toEqual([]);
  });
});
