import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonValue, ToolContext, ToolHandler } from "@massgen/contracts";
import { type AgentGrants, createPolicy, type Policy } from "@massgen/policy";
import { testAmbient } from "@massgen/testing";
import { expect, onTestFinished } from "vitest";
import { createFileTools, type FileToolOptions } from "../src/node/index.js";

const AGENT = "ada";

export interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

/** One agent with its tools, its policy and a real folder around it all. */
export interface Desk {
  readonly top: string;
  readonly policy: Policy;
  readonly tools: readonly ToolHandler[];
  at(path: string): string;
  /** Puts a file there, behind the agent's back. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  link(target: string, path: string): Promise<void>;
  text(path: string): Promise<string>;
  /** Runs a tool as it is, without anybody asking the policy before. */
  call(tool: string, input: JsonValue, signal?: AbortSignal): Promise<Answer>;
  /** As the dispatcher does: the policy judges the declared effects first. */
  dispatch(tool: string, input: JsonValue): Promise<Answer>;
}

export interface DeskOptions extends Partial<Omit<FileToolOptions, "workspace" | "policy" | "roots">> {
  readonly grants?: (at: (path: string) => string) => Omit<AgentGrants, "workspace">;
  readonly presents?: boolean;
}

/** Workspace `ws`, everything else as the grants say; gone when the test is over. */
export async function openDesk({ grants = () => ({}), presents = false, ...options }: DeskOptions = {}): Promise<Desk> {
  const top = await realpath(await mkdtemp(join(tmpdir(), "massgen-tools-")));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const at = (path: string): string => join(top, path);
  await mkdir(at("ws"));
  const given = createPolicy({ agents: new Map([[AGENT, { workspace: at("ws"), ...grants(at) }]]), home: at("home") });
  const policy = presents ? given.forPresentation(AGENT) : given;
  const tools = createFileTools({
    ...options,
    workspace: { root: at("ws") },
    policy: () => policy,
    roots: () => policy.roots(AGENT),
  });
  const call: Desk["call"] = (tool, input, signal) => callTool(tools, tool, input, signal);
  return {
    ...{ top, policy, tools, at, call },
    put: async (path, content) => {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content);
    },
    link: async (target, path) => {
      await mkdir(dirname(at(path)), { recursive: true });
      await symlink(target, at(path));
    },
    text: (path) => readFile(at(path), "utf8"),
    dispatch: async (tool, input) => {
      const handler = tools.find(({ spec }) => spec.name === tool)!;
      const verdict = await policy.decide(AGENT, handler.effects(input));
      return verdict.type === "allow" ? call(tool, input) : { ok: false, text: verdict.reason };
    },
  };
}

export async function callTool(tools: readonly ToolHandler[], tool: string, input: JsonValue, signal?: AbortSignal): Promise<Answer> {
  const handler = tools.find(({ spec }) => spec.name === tool);
  if (handler === undefined) throw new Error(`no tool called ${tool}`);
  const context: ToolContext = {
    agent: AGENT,
    callId: "call_1",
    channel: "work",
    ambient: testAmbient(),
    signal: signal ?? new AbortController().signal,
    progress: () => {},
  };
  const { parts, isError } = await handler.run(input, context);
  return { ok: !isError, text: parts.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n") };
}

/** One hash over names, kinds, modes and contents of a tree, links not followed. */
export async function treeHash(root: string): Promise<string> {
  const hash = createHash("sha256");
  const visit = async (path: string): Promise<void> => {
    const found = await lstat(path);
    hash.update(`${path.slice(root.length)} ${found.mode}\n`);
    if (found.isSymbolicLink()) hash.update(await readlink(path));
    else if (found.isFile()) hash.update(await readFile(path));
    else if (found.isDirectory()) for (const name of (await readdir(path)).sort()) await visit(join(path, name));
  };
  await visit(root);
  return hash.digest("hex");
}

/** The text of a refusal with that code. */
export const fails = async (answer: Promise<Answer>, code: string): Promise<string> => {
  const { ok, text } = await answer;
  expect({ ok, code: /^Error \[(\w+)\]/.exec(text)?.[1], text }).toMatchObject({ ok: false, code });
  return text;
};
/** The text of a result that is no error. */
export const works = async (answer: Promise<Answer>): Promise<string> => {
  const { ok, text } = await answer;
  expect({ ok, text }).toMatchObject({ ok: true });
  return text;
};
