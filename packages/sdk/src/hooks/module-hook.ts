import type { HookResult } from "@massgen/contracts";
import { importModule } from "@massgen/tools/modules";
import type { HookEvent } from "./hook-event.js";
import { readDecision } from "./read-decision.js";

export type AskModule = (event: HookEvent, signal: AbortSignal) => Promise<HookResult>;

type Handler = (event: HookEvent, context: { readonly signal: AbortSignal }) => unknown;

/**
 * Runs a module and takes its hook: the export called like the event, else its default, else its only function. It is
 * called with the event and may answer like a command, with an object or with nothing, now or later.
 *
 * @throws Error with what is wrong with the module, to be read after its name; or what it throws itself
 */
export async function loadModuleHook(file: string, event: HookEvent["hook_type"]): Promise<AskModule> {
  const handler = handlerIn(await importModule(file), event);
  return async (told, signal) => readDecision(await handler(told, { signal }));
}

function handlerIn(loaded: unknown, event: HookEvent["hook_type"]): Handler {
  const exported = Object.entries(typeof loaded === "object" && loaded !== null ? loaded : {});
  const functions = exported.filter((one): one is [string, Handler] => typeof one[1] === "function");
  const only = new Set(functions.map(([, handler]) => handler)).size === 1 ? functions[0] : undefined;
  const found = functions.find(([name]) => name === event) ?? functions.find(([name]) => name === "default") ?? only;
  if (found !== undefined) return found[1];
  throw new Error(
    functions.length === 0
      ? "exports no function; export default one that takes the event"
      : `exports several functions; call the one meant ${event}, or export it as default`,
  );
}
