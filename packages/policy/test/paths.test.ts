import { once } from "node:events";
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PathOp } from "@massgen/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentGrants, createPolicy, type Policy } from "../src/index.js";

let top: string;
let base: Policy;

const at = (path: string): string => join(top, path);
async function file(path: string, text = "x\n"): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}
const policyOf = (grants: Partial<AgentGrants>): Policy =>
  createPolicy({ agents: new Map([["a", { workspace: at("ws"), ...grants }]]), home: at("home") });

/** `allow`, or the code of the refusal. */
async function outcome(policy: Policy, op: PathOp, path: string): Promise<string> {
  const verdict = await policy.decide("a", [{ kind: "path", op, path }]);
  return verdict.type === "allow" ? "allow" : verdict.rule.split(":")[0]!;
}
async function reason(policy: Policy, op: PathOp, path: string): Promise<string> {
  const verdict = await policy.decide("a", [{ kind: "path", op, path }]);
  return verdict.type === "allow" ? "" : verdict.reason;
}

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "policy-")));
  await mkdir(at("ws/sub"), { recursive: true });
  for (const path of ["ws/own.txt", "ro/a.txt", "rw/src/a.txt", "rw/.git/config", "rw/.github/workflows/x.yml", "rw/.env", "rw/.env.local"])
    await file(path);
  for (const path of ["rw/.env.example", "rw/config/x", "rw/kept/deep/y", "rw/.massgen/workspaces/other/x", "files/a.txt", "files/b.txt"])
    await file(path);
  for (const path of ["outside/secret.txt", "view/agent1/out.md", "turn/answer.md", "home/.ssh/id", "rw/sub/.git/HEAD", "rw/café"])
    await file(path);
  await symlink("/", at("ro/up"));
  await link(at("outside/secret.txt"), at("rw/linked.txt"));
  base = policyOf({
    views: [at("view")],
    previousTurns: [at("turn")],
    contexts: [
      { path: at("ro"), permission: "read" },
      { path: at("rw"), permission: "write", protectedPaths: ["config/", "secret.txt", "kept/deep/y", "café", "**/*.lock"] },
      { path: at("files/a.txt"), permission: "read" },
    ],
  });
});
afterAll(() => rm(top, { recursive: true, force: true }));

describe("a volume on which `A` and `a` are one file", () => {
  it("T2.12: protects by whatever letters a path is written in, and grants no more for it", async () => {
    await file("Volume/Config/a.txt");
    await file("Volume/src/a.txt");
    // Two spellings of one folder, as the policy asks for them: here a link is the second.
    await symlink(at("Volume"), at("vOLUME"));
    const contexts = [{ path: at("Volume"), permission: "write" as const, protectedPaths: ["Config/", "src/Kept.txt"] }];
    const policy = policyOf({ contexts }).forPresentation("a");
    for (const path of ["config/x", "CONFIG/x", "Config/x", "src/kept.TXT"])
      expect([path, await outcome(policy, "write", at(`Volume/${path}`))]).toEqual([path, "PROTECTED"]);
    expect(await outcome(policy, "write", at("Volume/src/b.txt"))).toBe("allow");
    expect(await outcome(policy, "write", at("Volum/src/b.txt"))).toBe("PATH_OUTSIDE");
  });
});

describe("what an agent may touch", () => {
  it("T2.1 makes a write context path writable for the presenter alone", async () => {
    expect(await outcome(base, "write", at("rw/src/a.txt"))).toBe("READ_ONLY");
    expect(await reason(base, "write", at("rw/src/a.txt"))).toContain("will be writable for the final presenter");
    expect(await outcome(base.forPresentation("b"), "write", at("rw/src/a.txt"))).toBe("READ_ONLY");
    expect(await outcome(base.forPresentation("a"), "write", at("rw/src/a.txt"))).toBe("allow");
    expect(await outcome(base, "write", at("rw/src/a.txt")), "the earlier policy keeps its word").toBe("READ_ONLY");
  });

  it("T2.3 lets a protected path be read and nothing else", async () => {
    const policy = base.forPresentation("a");
    expect(await outcome(policy, "read", at("rw/config/x"))).toBe("allow");
    for (const op of ["write", "create", "delete", "move_from", "move_to", "copy_to"] as const)
      expect(await outcome(policy, op, at("rw/config/x")), op).toBe("PROTECTED");
    expect(await outcome(policy, "delete_tree", at("rw/kept")), "its folder").toBe("PROTECTED");
    expect(await outcome(policy, "move_from", at("rw/kept")), "its folder").toBe("PROTECTED");
  });

  it("T2.3 finds what a glob protects inside a folder that would go", async () => {
    await file("rw/globbed/deep/pnpm.lock");
    await file("rw/free/deep/pnpm.txt");
    const policy = base.forPresentation("a");
    expect(await outcome(policy, "delete_tree", at("rw/globbed"))).toBe("PROTECTED");
    expect(await outcome(policy, "delete_tree", at("rw/free"))).toBe("allow");
  });

  it("T2.4 does not let a protected path be created", async () => {
    expect(await outcome(base.forPresentation("a"), "create", at("rw/secret.txt"))).toBe("PROTECTED");
  });

  it("T2.5 opens the one file of a file context", async () => {
    expect(await outcome(base, "read", at("files/a.txt"))).toBe("allow");
    expect(await outcome(base, "read", at("files/b.txt"))).toBe("NOT_LISTED_FILE");
    expect(await reason(base, "read", at("files/b.txt"))).toContain("a.txt");
    expect(await outcome(base, "list", at("files"))).toBe("allow");
    expect(await outcome(base, "stat", at("files/b.txt"))).toBe("NOT_LISTED_FILE");
    expect(await outcome(base, "exec_cwd", at("files"))).toBe("PATH_OUTSIDE");
  });

  it.each([
    ["../../etc/passwd", "PATH_OUTSIDE"],
    ["/etc/passwd", "PATH_OUTSIDE"],
    ["sub/../../x", "PATH_OUTSIDE"],
    ["a\0b", "INVALID_PATH"],
    ["~root/x", "INVALID_PATH"],
    ["~/.ssh/id", "PATH_OUTSIDE"],
  ])("T2.7 refuses %j as %s", async (path, code) => expect(await outcome(base, "read", path)).toBe(code));

  it("T2.8 follows no link out, and does not tell where it leads", async () => {
    expect(await outcome(base, "read", at("ro/up/etc/hosts"))).toBe("SYMLINK_ESCAPE");
    await symlink(at("outside"), at("ws/elsewhere"));
    expect(await reason(base, "read", "elsewhere/secret.txt")).not.toContain("outside/");
    expect(await outcome(base, "delete", "elsewhere"), "the link itself").toBe("allow");
  });

  it("T2.10 T2.11 keeps repositories, what runs later, and secrets", async () => {
    const policy = base.forPresentation("a");
    expect(await outcome(policy, "read", at("rw/.git/config"))).toBe("allow");
    expect(await outcome(policy, "write", at("rw/.git/config"))).toBe("EXCLUDED");
    expect(await outcome(policy, "write", at("rw/.github/workflows/x.yml"))).toBe("EXCLUDED");
    expect(await outcome(policy, "write", at("rw/.github/FUNDING.yml"))).toBe("allow");
    expect(await outcome(policy, "delete_tree", at("rw/.git"))).toBe("CRITICAL_PATH");
    expect(await outcome(policy, "delete_tree", at("rw/sub")), "holds a repository").toBe("CRITICAL_PATH");
    for (const name of [".env", ".env.local", ".ENV", ".env.", ".e\u200bnv"])
      expect(await outcome(policy, "read", at(`rw/${name}`)), name).toBe("SECRET_FILE");
    expect(await outcome(policy, "copy_from", at("rw/.env"))).toBe("SECRET_FILE");
    expect(await outcome(policy, "read", at("rw/.env.example"))).toBe("allow");
    expect(await outcome(policy, "write", ".env"), "in the own workspace").toBe("allow");
  });

  it("T2.10 T2.11 lets the person lift them by glob", async () => {
    const policy = policyOf({
      contexts: [{ path: at("rw"), permission: "write", allowRead: [".env"], allowWrite: [".github/**"] }],
    }).forPresentation("a");
    expect(await outcome(policy, "read", at("rw/.env"))).toBe("allow");
    expect(await outcome(policy, "write", at("rw/.env"))).toBe("SECRET_FILE");
    expect(await outcome(policy, "read", at("rw/.env.local"))).toBe("SECRET_FILE");
    expect(await outcome(policy, "write", at("rw/.github/workflows/x.yml"))).toBe("allow");
  });

  it("T2.13 sees through another spelling of a protected name", async () => {
    expect(await outcome(base.forPresentation("a"), "write", at("rw/cafe\u0301"))).toBe("PROTECTED");
  });

  it("T2.14 lets the innermost path decide, and of two on one path the stricter", async () => {
    const nested = policyOf({
      contexts: [
        { path: at("rw"), permission: "read" },
        { path: at("rw/src"), permission: "write" },
        { path: at("ro"), permission: "write" },
        { path: at("ro"), permission: "read" },
      ],
    }).forPresentation("a");
    expect(await outcome(nested, "write", at("rw/src/a.txt"))).toBe("allow");
    expect(await outcome(nested, "write", at("rw/b"))).toBe("READ_ONLY");
    expect(await outcome(nested, "write", at("ro/b"))).toBe("READ_ONLY");
  });

  it("T2.15 looks at the source of a copy", async () => {
    expect(await outcome(base, "copy_from", at("outside/secret.txt"))).toBe("PATH_OUTSIDE");
    const verdict = await base.decide("a", [
      { kind: "path", op: "copy_from", path: at("outside/secret.txt") },
      { kind: "path", op: "copy_to", path: "mine.txt" },
    ]);
    expect(verdict.type).toBe("deny");
  });

  it("T2.22 denies when it cannot decide", async () => {
    const broken = createPolicy({ agents: new Map([["a", { workspace: "not/absolute" }]]), home: null });
    expect(await outcome(broken, "read", "x")).toBe("POLICY_FAILED");
    expect(await outcome(base, "read", `${"n".repeat(300)}`)).toBe("INVALID_PATH");
  });

  it("T2.24 does not write to a file with another name", async () => {
    expect(await outcome(base.forPresentation("a"), "write", at("rw/linked.txt"))).toBe("HARD_LINK");
  });

  it("T1.3 hides the folder of MassGen below a context path", async () => {
    for (const op of ["read", "list", "stat", "write", "delete"] as const) {
      expect(await outcome(base.forPresentation("a"), op, at("rw/.massgen/workspaces/other/x")), op).toBe("PATH_OUTSIDE");
    }
    expect(await outcome(base, "list", at("rw/.massgen"))).toBe("PATH_OUTSIDE");
  });

  it("T1.14 T1.15 never writes to peers' files and earlier turns", async () => {
    for (const path of [at("view/agent1/out.md"), at("turn/answer.md")]) {
      expect(await outcome(base.forPresentation("a"), "read", path)).toBe("allow");
      for (const op of ["write", "delete", "move_from"] as const)
        expect(await outcome(base.forPresentation("a"), op, path)).toBe("READ_ONLY");
    }
  });

  it("T3.11 does not remove a root", async () => {
    for (const op of ["delete_tree", "move_from", "move_to"] as const) expect(await outcome(base, op, at("ws")), op).toBe("CRITICAL_PATH");
    await file("ws/node_modules/x/index.js");
    expect(await outcome(base, "delete_tree", "node_modules")).toBe("allow");
  });

  it("refuses what is no file or folder", async () => {
    const server = createServer().listen(at("ws/pipe"));
    await once(server, "listening");
    expect(await outcome(base, "read", "pipe")).toBe("SPECIAL_FILE");
    expect(await outcome(base, "delete", "pipe")).toBe("allow");
    server.close();
    await symlink("/dev/zero", at("ws/zero"));
    expect(await outcome(base, "read", "zero")).toBe("SYMLINK_ESCAPE");
  });

  it("opens no credentials, whatever contains them", async () => {
    const policy = policyOf({
      contexts: [
        { path: at("home"), permission: "read" },
        { path: "/", permission: "read" },
      ],
    });
    expect(await outcome(policy, "read", at("home/.ssh/id"))).toBe("SECRET_FILE");
    expect(await outcome(policy, "read", "/proc/self/environ")).toBe("PATH_OUTSIDE");
    expect(await outcome(policy, "read", "/etc/shadow")).toBe("SECRET_FILE");
  });

  it("gives an agent it does not know nothing", async () => {
    expect((await base.decide("nobody", [{ kind: "path", op: "read", path: at("ws/own.txt") }])).type).toBe("deny");
  });
});
