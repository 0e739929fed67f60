import type { HookConfig, HookEvent } from "./config.js";
import { eventKeys, hookKeys } from "./keys/hooks.js";
import { keyReader } from "./read-key.js";
import { type ConfigNode, child, type MapNode, pathOf } from "./tree.js";

export const hookEvents: readonly HookEvent[] = ["PreToolUse", "PostToolUse"];

/** The hooks of one agent: those of the team, then its own; its own alone for an event that says `override`. */
export function buildHooks(root: MapNode, backend: MapNode): readonly HookConfig[] {
  return hookEvents.flatMap((event) => {
    const team = child(root.entries.get("hooks"), event);
    const own = child(backend.entries.get("hooks"), event);
    return [...(replaces(own) ? [] : hooksIn(team)), ...hooksIn(own)].map((hook) => hookOf(hook, event));
  });
}

const replaces = (event: ConfigNode | undefined): boolean => event?.kind === "map" && keyReader(event, eventKeys)("override") === true;

/** The hooks of an event, in either of its forms. */
export function hooksIn(event: ConfigNode | undefined): readonly MapNode[] {
  const list = event?.kind === "map" ? event.entries.get("hooks") : event;
  return list?.kind === "list" ? list.items.filter((item) => item.kind === "map") : [];
}

function hookOf(hook: MapNode, event: HookEvent): HookConfig {
  const read = keyReader(hook, hookKeys);
  const handler = (read("handler") ?? "").trim();
  return {
    where: pathOf(hook),
    event,
    type: hookType(handler, read("type") ?? null) ?? "command",
    handler,
    matcher: read("matcher")?.trim() || "*",
    timeoutSeconds: read("timeout") ?? 30,
    failClosed: read("fail_closed") ?? event === "PreToolUse",
    envPassthrough: read("env_passthrough") ?? [],
  };
}

const MODULE = /\.m?[jt]s$/;

/**
 * What a handler is: a module by its ending, a command that names a file or has arguments; `null` for what cannot be run
 * here, as a function of Python.
 */
export function hookType(handler: string, written: string | null): HookConfig["type"] | null {
  if (written === "module" || written === "command") return written;
  if (MODULE.test(handler)) return "module";
  if (written === "python" || /^\S+\.py$/.test(handler)) return null;
  return /\s|\//.test(handler) ? "command" : null;
}
