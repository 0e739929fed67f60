import { link, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { validateConfig } from "@massgen/config";
import { type SimulatedReply, type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareRun } from "../src/index.js";
import { commandAttempts, fileAttempts, type Layout } from "./escape-attempts.js";
import type { PlannedCall } from "./play-plan.js";

let top = "";
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "massgen-escapes-")));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), text);
  }
  await symlink("../outside", join(top, "project/link-out"));
  await symlink("../outside/secret.txt", join(top, "project/link-file"));
  await symlink(join(top, "outside"), join(top, "project/link-abs"));
  await link(join(top, "outside/linked.txt"), join(top, "project/hard.txt"));
});
afterEach(() => rm(top, { recursive: true, force: true }));

/** Every secret has a word of its own, so that whatever gets out tells where from. */
const FILES: Readonly<Record<string, string>> = {
  "outside/secret.txt": "CANARY-outside\n",
  "outside/sécret.txt": "CANARY-accent\n",
  "outside/linked.txt": "granted by its other name\n",
  "home/.ssh/id_rsa": "CANARY-ssh\n",
  "home/.aws/credentials": "CANARY-aws\n",
  "home/.bashrc": "# nothing\n",
  "peer/secret.txt": "CANARY-peer\n",
  "project/src/a.txt": "the user's\n",
  "project/.env": "TOKEN=CANARY-env\n",
  "project/sub/.env.local": "TOKEN=CANARY-local\n",
  "project/.massgen/secret.txt": "CANARY-internal\n",
  "project/archive.zip": "PK\u0003\u0004",
};

/** Everything below a folder but what the run keeps, with kind, mode and content. */
async function treeOf(folder: string, at = ""): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(join(folder, at))) {
    const path = at === "" ? name : `${at}/${name}`;
    if (path === ".massgen") continue;
    const stat = await lstat(join(folder, path));
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isDirectory()) Object.assign(found, { [path]: `folder ${mode}` }, await treeOf(folder, path));
    else if (stat.isSymbolicLink()) found[path] = `-> ${await readlink(join(folder, path))}`;
    else found[path] = `${mode} ${await readFile(join(folder, path), "utf8")}`;
  }
  return found;
}

const textOf = (request: SimulatedRequest): string => request.messages.map(({ text }) => text).join("\n");

interface Attack {
  readonly refused: number;
  readonly tried: number;
  readonly sent: string;
}

/** A team whose first agent tries everything, before its answer and again when it presents. */
async function attack(
  attempts: (layout: Layout) => readonly PlannedCall[],
  backend: Readonly<Record<string, unknown>> = {},
): Promise<Attack & { readonly notes: readonly string[] }> {
  const given = { eve: join(top, "given"), bob: join(top, "peer") };
  await rm(join(top, "peer"), { recursive: true });
  const layout: Layout = { top, ws: given.eve, peer: given.bob };
  const all = attempts(layout);
  const perMessage = 25;
  let planted = false;
  const sent: string[] = [];
  let flipping = true;
  const flips = join(given.eve, "flips");
  /** The link that is planted during a call: now a folder, now a way out. */
  const flip = async (): Promise<void> => {
    while (flipping) {
      await rm(flips, { recursive: true, force: true }).catch(() => {});
      await mkdir(flips).catch(() => {});
      await pause(1);
      await rm(flips, { recursive: true, force: true }).catch(() => {});
      await symlink(join(top, "outside"), flips).catch(() => {});
      await pause(1);
    }
  };
  let flipped: Promise<void> = Promise.resolve();
  const plant = async (): Promise<void> => {
    if (planted) return;
    planted = true;
    await writeFile(join(given.eve, "own.txt"), "mine\n");
    await symlink("../outside/secret.txt", join(given.eve, "planted-file"));
    await symlink(join(top, "outside"), join(given.eve, "planted-folder"));
    await symlink("planted-file", join(given.eve, "planted-chain"));
    await symlink("../outside/new.txt", join(given.eve, "planted-dangling"));
    await writeFile(join(given.bob, "secret.txt"), "CANARY-peer\n");
    flipped = flip();
  };
  const simulator = await startSimulator({
    respond: async (request): Promise<SimulatedReply> => {
      await plant();
      const text = textOf(request);
      sent.push(text);
      const isPresenting = text.includes("The team has decided");
      if (!isPresenting && text.includes("<current_answers>"))
        return { kind: "message", toolCalls: [{ name: "vote", input: { agent_id: "agent1", reason: "x" } }] };
      const done = request.messages.filter(({ role }) => role === "tool").length;
      const next = request.model === "eve" ? all.slice(done, done + perMessage) : [];
      if (next.length > 0) return { kind: "message", toolCalls: next };
      return isPresenting
        ? { kind: "message", text: "Done." }
        : { kind: "message", toolCalls: [{ name: "new_answer", input: { content: `By ${request.model}.` } }] };
    },
  });
  try {
    const prepared = await prepareRun({
      question: "Do it.",
      loaded: validateConfig({
        agents: (["eve", "bob"] as const).map((id) => ({
          id,
          backend: {
            type: "chatcompletion",
            model: id,
            base_url: simulator.baseUrl("chat_completions"),
            api_key: "key-CANARY-1234567890",
            cwd: given[id],
            ...backend,
          },
        })),
        orchestrator: { context_paths: [{ path: "project", permission: "write" }] },
      }),
      env: { PATH: process.env["PATH"] ?? "", HOME: join(top, "home"), OPENAI_API_KEY: "sk-CANARY-123456789012" },
      cwd: top,
      logs: { cwd: top, version: "1" },
    });
    const { status } = await prepared.start().finished;
    expect(status).toBe("completed");
    flipping = false;
    await flipped;
    const last = simulator.requests.filter(({ model }) => model === "eve").map(({ body }) => JSON.stringify(body));
    const tried = last.reduce((most, body) => Math.max(most, body.split('"role":"tool"').length - 1), 0);
    const refused = last.reduce((most, body) => Math.max(most, body.split("Error [").length - 1), 0);
    return { tried, refused, sent: sent.join("\n"), notes: prepared.notes };
  } finally {
    flipping = false;
    await simulator.close();
  }
}

/** Canaries that reached a model. What an attempt itself says is no leak: none of them names one. */
const leaked = (sent: string): readonly string[] => [...new Set(sent.match(/CANARY-[a-z]+/g) ?? [])];

/** Where case counts, a presenter may make a `LINK-OUT` in the project. */
async function outsideNow(): Promise<Readonly<Record<string, string>>> {
  const { given: _given, ...tree } = await treeOf(top);
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !/^(given|peer|project\/LINK-OUT)(\/|$)/.test(path)));
}

/** The peer's own file, unless the peer's workspace was emptied after its answer. */
const peerFile = (): Promise<string> => readFile(join(top, "peer/secret.txt"), "utf8").catch(() => "CANARY-peer\n");

describe("an agent that tries to get out, through a whole run", { timeout: 60_000 }, () => {
  it("FS-01: with every file tool and every spelling of a path reads and writes nothing that is not granted", async () => {
    const before = await outsideNow();
    const { tried, refused, sent } = await attack(fileAttempts);
    expect(tried).toBeGreaterThanOrEqual(200);
    expect(refused / tried).toBeGreaterThan(0.7);
    expect(sent, "what is granted can be read").toContain("the user's");
    expect(leaked(sent)).toEqual([]);
    expect(await outsideNow()).toEqual(before);
    expect(await peerFile()).toBe("CANARY-peer\n");
  });

  it("FS-01: with commands reads and writes nothing that is not granted, and gets no key", async () => {
    const before = await outsideNow();
    const { tried, sent, notes } = await attack(commandAttempts, { enable_mcp_command_line: true });
    if (notes.some((note) => note.startsWith("Agents run no commands"))) return;
    expect(tried).toBeGreaterThanOrEqual(50);
    expect(leaked(sent)).toEqual([]);
    const after = await outsideNow();
    // The presenter may change the project; everything else is as it was.
    expect({ ...after, "project/src/a.txt": "" }).toEqual({ ...before, "project/src/a.txt": "" });
    expect(await peerFile()).toBe("CANARY-peer\n");
  });
});
