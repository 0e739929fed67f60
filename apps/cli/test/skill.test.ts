import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../src/cli.js";
import { createSession } from "../src/session.js";
import { fakeIo } from "./fake-io.js";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "massgen-skill-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function skill(...args: readonly string[]) {
  const fake = fakeIo({ cwd: join(home, "project"), env: { HOME: home } });
  const code = await runCli(["skill", ...args], fake.io, createSession());
  return { code, out: fake.out(), err: fake.err() };
}
const read = (path: string): Promise<string> => readFile(join(home, path), "utf8");

describe("massgen skill", () => {
  it("is in the form of Agent Skills: a name that is its folder's, a description that fits, references that are there", async () => {
    const { out } = await skill("show");
    const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(out) ?? [];
    expect(front).toMatch(/^name: massgen$/m);
    // One plain scalar on one line: no colon followed by a space, no comment.
    const description = /^description: (.*)$/m.exec(front)?.[1] ?? "";
    expect(description).not.toMatch(/: | #/);
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1024);
    await mkdir(join(home, ".claude"));
    await skill("install");
    for (const [, path] of body.matchAll(/\]\((references\/[^)]+)\)/g)) expect(await read(`.claude/skills/massgen/${path}`)).not.toBe("");
  });

  it("installs for the programs that are there, again over its own, and names each place", async () => {
    await mkdir(join(home, ".claude"));
    await mkdir(join(home, ".codex"));
    for (let time = 0; time < 2; time++) {
      const { code, out } = await skill("install");
      expect([code, out]).toEqual([0, `claude: ${home}/.claude/skills/massgen\ncodex: ${home}/.agents/skills/massgen\n`]);
    }
    expect(await read(".agents/skills/massgen/SKILL.md")).toContain("name: massgen");
  });

  it("installs into a project, for who is named", async () => {
    const { code } = await skill("install", "--project", "--agent", "copilot");
    expect(code).toBe(0);
    expect(await read("project/.github/skills/massgen/SKILL.md")).toContain("name: massgen");
  });

  it("leaves a skill of the user's alone, and says how to replace it", async () => {
    await mkdir(join(home, ".claude/skills/massgen"), { recursive: true });
    await writeFile(join(home, ".claude/skills/massgen/SKILL.md"), "mine");
    const refused = await skill("install", "--agent", "claude", "--agent", "cursor");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--force")]);
    expect(await read(".claude/skills/massgen/SKILL.md")).toBe("mine");
    await expect(read(".cursor/skills/massgen/SKILL.md")).rejects.toThrow();
    expect((await skill("install", "--agent", "claude", "--force")).code).toBe(0);
  });

  it("says what to do where no program is found, and for a verb it has not", async () => {
    expect(await skill("install")).toMatchObject({ code: 1, err: expect.stringContaining("--agent claude|codex") });
    expect((await skill("remove")).code).toBe(2);
  });
});
