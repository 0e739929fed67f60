import { hookEvents, hooksIn, hookType } from "./build-hooks.js";
import { describeFound, quoteText } from "./describe.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode, toValue } from "./tree.js";

/** Rules about hooks: a guard that cannot be called must not be passed over (docs/spec/config.md 18). */
export function checkHooks(root: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  for (const holder of [root, ...agents.map((agent) => child(agent, "backend"))])
    for (const event of hookEvents) checkEvent(child(child(holder, "hooks"), event), reporter);
}

function checkEvent(event: ConfigNode | undefined, reporter: Reporter): void {
  const list = event?.kind === "map" ? event.entries.get("hooks") : event;
  if (event?.kind === "map" && list === undefined) {
    reporter.report("CFG093", event, "an event that is a map needs a list 'hooks'", {
      on: "key",
      hint: "Write {override: true, hooks: [{handler: ./hooks/guard.mjs}]}, or the list itself.",
    });
    return;
  }
  for (const item of list?.kind === "list" ? list.items : []) {
    if (item.kind !== "map")
      reporter.report("CFG093", item, `a hook must be a map with a 'handler', found ${describeFound(item)}`, {
        hint: "For example: {handler: ./hooks/guard.mjs, matcher: write_file}",
      });
  }
  for (const hook of hooksIn(event)) checkHandler(hook, reporter);
}

function checkHandler(hook: MapNode, reporter: Reporter): void {
  const node = hook.entries.get("handler");
  const handler = textOf(node);
  if (handler === "") {
    // A handler of another type is told where types are checked.
    if (node === undefined || node.kind === "scalar")
      reporter.report("CFG093", node ?? hook, "a hook needs a 'handler'", { on: "key", hint: "Name a module or a command." });
    return;
  }
  const type = textOf(hook.entries.get("type"));
  if (hookType(handler, type === "" ? null : type) !== null) return;
  const what = type === "python" || handler.endsWith(".py") ? "is Python, which is not loaded here" : "is neither a module nor a command";
  reporter.report("CFG093", node ?? hook, `the handler ${quoteText(handler)} ${what}`, {
    hint: "Name a module (.ts, .mts, .js, .mjs), or write type: command and the command line, as in: python3 hooks/guard.py",
  });
}

function textOf(node: ConfigNode | undefined): string {
  const value = node === undefined ? null : toValue(node);
  return typeof value === "string" ? value.trim() : "";
}
