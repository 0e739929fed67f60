import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PathOp, ToolEffect } from "@massgen/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy, type Policy } from "../src/index.js";

interface Attempt {
  readonly n: number;
  readonly op: "read" | "write" | "delete" | "move" | "copy" | "command";
  readonly path?: string;
  readonly to?: string;
  readonly command?: string;
  readonly allow: boolean;
  readonly only?: string;
}
const fixture = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`fixtures/walls/${name}`, import.meta.url), "utf8"));
const attempts = (await fixture("table.json")) as readonly Attempt[];
const grants = (await fixture("grants.json")) as {
  readonly workspace: string;
  readonly context_paths: readonly {
    readonly path: string;
    readonly permission: "read" | "write";
    readonly protected_paths?: readonly string[];
  }[];
};

let top: string;
let policy: Policy;

const FILES = [
  "ws/agent/notes.txt",
  "ws/agent-private/key.txt",
  "ws/Agent2/other.txt",
  "project/src/main.txt",
  "project/src/sub dir/ünïcode ☂.txt",
];
const MORE = ["project/.env", "project/LICENSE", "project/data/frozen/a.txt", "reference/read.txt", "outside/secret.txt"];
const LINKS = {
  "way-out": "../../outside",
  "innocent.txt": "../../outside/secret.txt",
  "dangling.txt": "../../outside/not-yet.txt",
  "licence-link": "../../project/LICENSE",
  "inner-link.txt": "notes.txt",
};

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "policy-walls-")));
  for (const path of [...FILES, ...MORE]) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), `${path}\n`);
  }
  for (const [name, target] of Object.entries(LINKS)) await symlink(target, join(top, "ws/agent", name));
  const contexts = grants.context_paths.map((one) => ({
    path: join(top, one.path),
    permission: one.permission,
    protectedPaths: one.protected_paths ?? [],
  }));
  const own = { workspace: join(top, grants.workspace), contexts, commands: { sandboxed: true } };
  policy = createPolicy({ agents: new Map([["a", own]]), home: join(top, "home") }).forPresentation("a");
});
afterAll(() => rm(top, { recursive: true, force: true }));

const here = (path: string): string => path.replace(/^@\//, `${top}/`);
const pairs: Readonly<Record<string, readonly [PathOp, PathOp]>> = { move: ["move_from", "move_to"], copy: ["copy_from", "copy_to"] };

function effectsOf({ op, path = "", to = "", command = "" }: Attempt): readonly ToolEffect[] {
  if (op === "command") return [{ kind: "command", argv: ["bash", "-c", command], cwd: join(top, grants.workspace) }];
  if (op !== "move" && op !== "copy") return [{ kind: "path", op: op === "delete" ? "delete_tree" : op, path: here(path) }];
  return [path, to].map((one, index) => ({ kind: "path", op: pairs[op]![index]!, path: here(one) }));
}

describe("walls of the workspace", () => {
  // Names that are simply not decoded, as number 26, lie in the workspace and are not there.
  const table = attempts.filter(({ n, only }) => only === undefined && n !== 26);
  it.each(table.map((one) => [one.n, one.op, one.path ?? one.command, one] as const))("FS-01 %i: %s %j", async (_, __, ___, attempt) => {
    const verdict = await policy.decide("a", effectsOf(attempt));
    expect(verdict.type, JSON.stringify(verdict)).toBe(attempt.allow ? "allow" : "deny");
  });

  it("FS-01 26: decodes nothing", async () => {
    const { place } = await policy.decidePath("a", "read", "%2e%2e/%2e%2e/outside/secret.txt");
    expect(place).toMatchObject({ object: null, real: join(top, "ws/agent/%2e%2e/%2e%2e/outside/secret.txt") });
  });
});
