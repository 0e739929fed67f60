import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Environment, HookConfig, MassgenConfig } from "@massgen/config";
import { type AgentId, type Hook, type HookResult, MassgenError, type RunId, type ToolHandler } from "@massgen/contracts";
import { agentsMayWrite, type RunPlace, writableRoots } from "../hands/writable-roots.js";
import { type HookEvent, hookEvent } from "./hook-event.js";

export interface HookPlaces extends RunPlace {
  /** Absolute folders modules and commands are looked up from: that of the run, that of the config. */
  readonly folders: readonly string[];
  readonly env: Environment;
  readonly runId: RunId;
  readonly now: () => number;
}

export interface HooksOfRun {
  /** The hooks of an agent that has these tools, in the order in which they are asked. */
  of(agent: AgentId, tools: readonly ToolHandler[]): readonly Hook[];
  /** What to know of them before the run: guards that guard nothing. */
  notes(toolsOf: (agent: AgentId) => readonly ToolHandler[]): readonly string[];
  /** Resolves when no command of theirs runs any more. */
  idle(): Promise<void>;
}

type Ask = (event: HookEvent, signal: AbortSignal) => Promise<HookResult>;

/**
 * Makes the hooks of a config ready, and loads nothing when there are none. A module runs in this process; a command in one
 * of its own, without keys.
 *
 * @throws MassgenError `CONFIG_INVALID` for a hook that cannot be called, or whose code agents could change: no run goes on
 * without its guard
 */
export async function openHooks(config: MassgenConfig, places: HookPlaces): Promise<HooksOfRun> {
  const running = new Set<Promise<unknown>>();
  const opened = new Map<string, Ask>();
  for (const { hooks } of config.agents)
    for (const hook of hooks) if (!opened.has(hook.where)) opened.set(hook.where, await open(hook, config, places));
  const { namesTool } = opened.size === 0 ? { namesTool: () => false } : await import("@massgen/tools");
  const matched = (hook: HookConfig, tools: readonly ToolHandler[]): readonly string[] =>
    tools.filter((tool) => hook.matcher.split("|").some((pattern) => namesTool(pattern, tool))).map(({ spec }) => spec.name);

  const hookOf = (hook: HookConfig, tools: readonly ToolHandler[]): Hook => ({
    name: nameOf(hook),
    at: hook.event === "PreToolUse" ? "tool.before" : "tool.after",
    matcher: [...new Set([...matched(hook, tools), ...anyTimeNames(hook.matcher)])].join("|"),
    timeoutMs: hook.timeoutSeconds * 1000,
    onError: hook.failClosed ? "deny" : "continue",
    run(point, { agent, callId, channel, signal }) {
      const event = hookEvent(point, { runId: places.runId, agent, callId, channel, at: places.now() });
      const asked = opened.get(hook.where)!(event, signal);
      const over = asked.catch(() => {}).finally(() => running.delete(over));
      running.add(over);
      return asked;
    },
  });

  return {
    of: (agent, tools) => (config.agents.find(({ id }) => id === agent)?.hooks ?? []).map((hook) => hookOf(hook, tools)),
    notes(toolsOf) {
      const all = new Map(
        config.agents.flatMap(({ hooks }) => hooks.map((hook) => [hook.where, hook] as const)).filter(([, { matcher }]) => matcher !== "*"),
      );
      return [...all.values()].flatMap((hook) => {
        const isAsked = config.agents.some(
          ({ id, hooks }) => hooks.some(({ where }) => where === hook.where) && matched(hook, toolsOf(id)).length > 0,
        );
        return isAsked ? [] : [`The hook ${nameOf(hook)} (${hook.where}) guards nothing: no agent has a tool ${hook.matcher}.`];
      });
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The words of the config for tools that come later: a server may bring them while the run goes on. */
const anyTimeNames = (matcher: string): readonly string[] =>
  matcher.split("|").flatMap((name) => (/^(?:mcp|custom_tool)__|^\*$/.test(name.trim()) ? [name] : [name, `mcp__*__${name.trim()}`]));

type Guard = (path: string) => void;

function open(hook: HookConfig, config: MassgenConfig, places: HookPlaces): Promise<Ask> {
  const roots = writableRoots(config, places);
  const guard: Guard = (path) => {
    if (agentsMayWrite(path, config, roots, places))
      throw fault(
        hook,
        `lies in a folder agents may write (${path}), so it is not run`,
        "Move it elsewhere, or name it in protected_paths.",
      );
  };
  return hook.type === "module" ? openModule(hook, places, guard) : openCommand(hook, places, roots, guard);
}

async function openModule(hook: HookConfig, { folders }: HookPlaces, guard: Guard): Promise<Ask> {
  const [{ findModule }, { loadModuleHook }] = await Promise.all([import("@massgen/tools/modules"), import("./module-hook.js")]);
  const file = await findModule(hook.handler, folders);
  if (file === null) throw fault(hook, "is not there", `Looked in ${folders.join(" and ")}.`);
  guard(file);
  try {
    return await loadModuleHook(file, hook.event);
  } catch (cause) {
    throw fault(hook, cause instanceof Error ? cause.message : String(cause), `It was read from ${file}.`, cause);
  }
}

/** A command runs in the folder that has the files it names: that of the run, else that of the config. */
async function openCommand(hook: HookConfig, places: HookPlaces, roots: readonly string[], guard: Guard): Promise<Ask> {
  const [{ ownEnvironment }, { askCommand }] = await Promise.all([import("@massgen/exec"), import("./command-hook.js")]);
  const { folders, env: host, runId } = places;
  const files = wordsOf(hook.handler).filter((word) => /[^/]\/[^/]|^\//.test(word));
  const cwd = folders.find((folder) => files.some((file) => existsSync(resolve(folder, file)))) ?? places.cwd;
  const [program = ""] = wordsOf(hook.handler);
  if (files.includes(program) && !existsSync(resolve(cwd, program)))
    throw fault(hook, `names ${program}, which is not there`, `Looked in ${folders.join(" and ")}.`);
  for (const word of wordsOf(hook.handler)) {
    const file = resolve(cwd, word);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) guard(realpathSync(file));
  }
  const { env } = ownEnvironment({ host, runId, writableRoots: roots, passthrough: hook.envPassthrough });
  return (event, signal) => askCommand({ line: hook.handler, cwd, env }, event, signal);
}

const wordsOf = (line: string): readonly string[] =>
  line
    .split(/\s+/)
    .map((word) => word.replace(/^["']|["';|&]+$/g, ""))
    .filter((word) => word !== "");

/** What people call it: its file, or its program. */
function nameOf({ handler, type }: HookConfig): string {
  if (type === "module") return basename(handler);
  const words = wordsOf(handler);
  return basename(words.find((word) => !word.startsWith("-") && /[./]/.test(word)) ?? words[0] ?? "hook");
}

const fault = ({ where, handler }: HookConfig, what: string, hint: string, cause?: unknown): MassgenError =>
  new MassgenError("CONFIG_INVALID", `${where}: the hook ${JSON.stringify(handler)} ${what}.`, { exitCode: 1, hint, cause });
