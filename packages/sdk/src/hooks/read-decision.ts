import type { HookResult, JsonValue } from "@massgen/contracts";

type Fields = { readonly [key: string]: unknown };

/**
 * What a hook of a config answered: nothing at all is `allow`.
 *
 * @throws Error naming what cannot be read: a guard that is not understood has not agreed
 */
export function readDecision(said: unknown): HookResult {
  if (said === undefined || said === null) return { decision: "allow" };
  if (!isFields(said)) throw new Error(`its answer is no object but ${typeof said}`);
  const { decision = "allow", reason, updated_input, inject } = said;
  if (decision !== "allow" && decision !== "deny" && decision !== "ask")
    throw new Error(`its decision is ${JSON.stringify(decision)}, not allow, deny or ask`);
  return {
    decision,
    ...(typeof reason === "string" ? { reason } : {}),
    ...(updated_input === undefined || updated_input === null ? {} : { input: updated_input as JsonValue }),
    ...readInjection(inject),
  };
}

function readInjection(inject: unknown): Pick<HookResult, "inject"> {
  if (inject === undefined || inject === null) return {};
  const { content, strategy = "tool_result" } = isFields(inject) ? inject : { content: inject };
  if (typeof content !== "string") throw new Error("what it injects has no text 'content'");
  if (strategy !== "tool_result" && strategy !== "user_message")
    throw new Error(`it injects by ${JSON.stringify(strategy)}, not tool_result or user_message`);
  return { inject: { text: content, placement: strategy } };
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
