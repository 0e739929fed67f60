import { readFileSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { PathOp } from "@massgen/contracts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy, openParent, openWithin, type PathDecision, type Policy } from "../src/index.js";
import { escapes, traps } from "./escapes.js";

let top: string;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "policy-escapes-")));
});
afterAll(() => rm(top, { recursive: true, force: true }));

const OPS: readonly PathOp[] = [
  "list",
  "read",
  "write",
  "create",
  "mkdir",
  "delete",
  "delete_tree",
  "move_from",
  "move_to",
  "copy_from",
  "copy_to",
  "exec_cwd",
];
const WRITES: ReadonlySet<PathOp> = new Set(["write", "create", "mkdir", "delete", "delete_tree", "move_from", "move_to", "copy_to"]);

/** Where the kernel says a path is, as far as it exists. Knows nothing of the code under test. */
function kernelPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return join(kernelPath(dirname(path)), basename(path));
  }
}
const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** What an allowed decision would touch lies in the folders given, by the kernel's word. */
function expectInside({ op, written, place, verdict }: PathDecision, readable: readonly string[], writable: readonly string[]): void {
  if (verdict.type !== "allow") return;
  const touched =
    op.startsWith("delete") || op === "move_from" ? join(kernelPath(dirname(place!.real)), basename(place!.real)) : kernelPath(place!.real);
  const folders = WRITES.has(op) ? writable : [...readable, ...writable];
  expect(
    folders.some((folder) => isIn(folder, touched)),
    `${op} ${JSON.stringify(written)} touches ${touched}`,
  ).toBe(true);
}

/** Does it, the way a tool would, and gives what was read. */
async function act(decision: PathDecision): Promise<string | null> {
  if (decision.verdict.type !== "allow") return null;
  try {
    if (decision.op === "create") return await (await openParent(decision, { make: true })).close().then(() => null);
    if (decision.op !== "read" && decision.op !== "write") return null;
    const handle = await openWithin(decision, decision.op);
    try {
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch {
    return null; // is a folder, is not there, is no file
  }
}

describe("escapes", () => {
  let policy: Policy;
  beforeAll(async () => {
    for (const folder of ["ws/sub", "outside", "ws-more", "ws2", "home/.ssh"]) await mkdir(join(top, folder), { recursive: true });
    for (const file of ["ws/own.txt", "ws/sub/a.txt"]) await writeFile(join(top, file), "inside");
    for (const file of ["outside/secret.txt", "ws-more/x", "ws2/x", "home/.ssh/id_rsa"]) await writeFile(join(top, file), "outside");
    for (const [name, target] of Object.entries(traps)) await symlink(target.replace("@", top), join(top, "ws", name));
    policy = createPolicy({ agents: new Map([["a", { workspace: join(top, "ws") }]]), home: join(top, "home") });
  });

  it("are more than 200 of", () => expect(escapes.length).toBeGreaterThan(200));

  it.each(escapes.map((path) => [JSON.stringify(path).slice(0, 80), path] as const))(
    "%s touches nothing outside of the workspace",
    async (_, path) => {
      for (const op of OPS) {
        const decision = await policy.decidePath("a", op, path.replace(/^@/, top));
        expectInside(decision, [], [join(top, "ws")]);
        expect(await act(decision)).not.toBe("outside");
        expect(decision.verdict.type === "deny" ? decision.verdict.reason : "").not.toMatch(/secret\.txt"? \(|not-there\.txt/);
      }
    },
  );

  it("left everything outside as it was", async () => {
    expect((await readdir(join(top, "outside"))).toSorted()).toEqual(["secret.txt"]);
    expect(readFileSync(join(top, "outside/secret.txt"), "utf8")).toBe("outside");
    expect((await readdir(top)).toSorted()).toEqual(["home", "outside", "ws", "ws-more", "ws2"]);
  });
});

/** A tree as a list of steps; steps that do not fit are passed over. */
const name = fc.constantFrom("a", "b", "c", "d");
const folder = fc.constantFrom("ws", "ctx", "out");
const inTree = fc.tuple(folder, fc.array(name, { minLength: 1, maxLength: 3 })).map(([top_, names]) => [top_, ...names].join("/"));
const target = fc.oneof(
  inTree.map((path) => `@/${path}`),
  folder.map((path) => `@/${path}`),
  fc
    .array(fc.constantFrom("..", ".", "a", "b", "c", "d", "ws", "ctx", "out"), { minLength: 1, maxLength: 6 })
    .map((names) => names.join("/")),
);
const step = fc.oneof(
  fc.record({ kind: fc.constant("folder" as const), path: inTree }),
  fc.record({ kind: fc.constant("file" as const), path: inTree }),
  fc.record({ kind: fc.constant("link" as const), path: inTree, target }),
);
const asked = fc
  .tuple(
    fc.constantFrom("", "", "", "@/ws/", "@/ctx/", "@/out/", "/", "./"),
    fc.array(fc.constantFrom("..", "..", ".", "", "a", "b", "c", "d", "a", "b", "ws", "ctx", "out", "new"), { minLength: 1, maxLength: 7 }),
  )
  .map(([start, names]) => start + names.join("/"));

async function grow(
  root: string,
  steps: readonly { readonly kind: "folder" | "file" | "link"; readonly path: string; readonly target?: string }[],
): Promise<void> {
  for (const one of ["ws", "ctx", "out"]) await mkdir(join(root, one), { recursive: true });
  for (const one of steps) {
    const path = join(root, one.path);
    // Steps may grow through links that earlier steps made; what is in a file is where it really is.
    const grown =
      one.kind === "folder"
        ? mkdir(path, { recursive: true })
        : one.kind === "file"
          ? writeFile(path, kernelPath(path))
          : symlink(one.target!.replace("@", root), path);
    await grown.catch(() => undefined);
  }
}

describe("any path in any tree of links", () => {
  it("is never allowed when it leads outside of the grants, and what is read lies inside", { timeout: 60_000 }, async () => {
    let runs = 0;
    let allowed = 0;
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 24 }),
      fc.array(asked, { minLength: 10, maxLength: 10 }),
      async (steps, paths) => {
        const root = join(top, "trees", String(runs++));
        await grow(root, steps);
        const [ws, ctx] = [join(root, "ws"), join(root, "ctx")];
        const policy = createPolicy({
          agents: new Map([["a", { workspace: ws, contexts: [{ path: ctx, permission: "read" }] }]]),
          home: null,
        });
        for (const path of paths) {
          for (const op of OPS) {
            const decision = await policy.decidePath("a", op, path.replace("@", root));
            expectInside(decision, [ctx], [ws]);
            if (decision.verdict.type === "allow") allowed++;
            const text = op === "read" ? await act(decision) : null;
            if (text !== null)
              expect(
                [ws, ctx].some((one) => isIn(one, text)),
                text,
              ).toBe(true);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: 50 });
    expect(allowed, "some paths must be allowed, or nothing was shown").toBeGreaterThan(200);
  });
});
