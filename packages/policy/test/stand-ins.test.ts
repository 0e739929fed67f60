import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PathOp } from "@massgen/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy, openWithin, type Policy } from "../src/index.js";

let top: string;
let working: Policy;
let presenting: Policy;
const at = (path: string): string => join(top, path);

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "stand-in-")));
  for (const folder of ["ws", "project/src", "project/docs", "copies/1/src", "copies/1/docs", "copies/2", "lone", "home"])
    await mkdir(at(folder), { recursive: true });
  await writeFile(at("project/src/a.txt"), "the user's");
  await writeFile(at("copies/1/src/a.txt"), "the copy's");
  await writeFile(at("project/docs/d.txt"), "the user's");
  await writeFile(at("lone/one.txt"), "the user's");
  await writeFile(at("copies/2/one.txt"), "the copy's");
  await symlink("/etc", at("copies/1/out"));
  await symlink(at("project"), at("alias"));
  working = createPolicy({
    home: at("home"),
    agents: new Map([
      [
        "a",
        {
          workspace: at("ws"),
          contexts: [
            { path: at("alias"), permission: "write", standIn: at("copies/1"), protectedPaths: ["kept.txt"] },
            { path: at("project/docs"), permission: "read" },
            { path: at("lone/one.txt"), permission: "write", standIn: at("copies/2/one.txt") },
          ],
        },
      ],
    ]),
  });
  presenting = working.forPresentation("a");
});
afterAll(() => rm(top, { recursive: true, force: true }));

async function realOf(policy: Policy, op: PathOp, path: string): Promise<string> {
  const { verdict, place } = await policy.decidePath("a", op, path);
  return verdict.type === "allow" ? place!.real : verdict.rule.split(":")[0]!;
}

describe("T2.25: paths of Windows", () => {
  it.each(["C:\\ws\\f.txt:ads", "NUL", "sub\\NUL.txt", "f.txt.", "f.txt ", "\\\\host\\share\\x"])(
    "%j is no path to write",
    async (path) => {
      const policy = createPolicy({ home: null, windows: true, agents: new Map([["a", { workspace: at("ws") }]]) });
      expect(await realOf(policy, "create", path)).toBe("INVALID_PATH");
    },
  );
});

describe("a copy that stands in for a context path", () => {
  it("is what a presenter has under the path's own names, and what nobody else has", async () => {
    expect(await realOf(working, "read", at("project/src/a.txt"))).toBe(at("project/src/a.txt"));
    expect(await realOf(working, "write", at("alias/src/a.txt"))).toBe("READ_ONLY");
    for (const name of ["alias", "project", "copies/1"]) {
      expect(await realOf(presenting, "read", at(`${name}/src/a.txt`))).toBe(at("copies/1/src/a.txt"));
      expect(await realOf(presenting, "create", at(`${name}/new/b.txt`))).toBe(at("copies/1/new/b.txt"));
    }
    expect(await realOf(presenting, "write", "../project/src/a.txt")).toBe(at("copies/1/src/a.txt"));
    expect(await realOf(presenting, "read", at("lone/one.txt"))).toBe(at("copies/2/one.txt"));
    expect(await realOf(presenting, "list", at("lone"))).toBe(at("copies/2"));
  });

  it("may lie below what it stands for", async () => {
    const policy = createPolicy({
      home: at("home"),
      agents: new Map([["a", { workspace: at("ws"), contexts: [{ path: top, permission: "write", standIn: at("copies/1") }] }]]),
    }).forPresentation("a");
    expect(await realOf(policy, "write", at("src/a.txt"))).toBe(at("copies/1/src/a.txt"));
    expect(await realOf(policy, "write", at("copies/1/src/a.txt"))).toBe(at("copies/1/src/a.txt"));
    expect(await realOf(policy, "write", at(".massgen/x"))).toBe("PATH_OUTSIDE");
  });

  it("opens the copy", async () => {
    const decided = await presenting.decidePath("a", "read", at("alias/src/a.txt"));
    const handle = await openWithin(decided, "read");
    expect(await handle.readFile("utf8")).toBe("the copy's");
    await handle.close();
    expect(await readFile(at("project/src/a.txt"), "utf8")).toBe("the user's");
  });

  it("has the rules of the path: what is protected, what only may be read, and where a link leads out", async () => {
    expect(await realOf(presenting, "create", at("project/kept.txt"))).toBe("PROTECTED");
    expect(await realOf(presenting, "create", at("copies/1/kept.txt"))).toBe("PROTECTED");
    expect(await realOf(presenting, "write", at("project/docs/d.txt"))).toBe("READ_ONLY");
    expect(await realOf(presenting, "read", at("project/out/passwd"))).toBe("SYMLINK_ESCAPE");
    expect(await realOf(presenting, "write", at("project/.git/config"))).toBe("EXCLUDED");
    expect(await realOf(presenting, "read", at("project/../copies/2/../secret"))).toBe("PATH_OUTSIDE");
  });
});
