import type { AgentId, Channel, PermissionPolicy } from "@massgen/contracts";
import type { ToolGuard } from "./dispatch.js";

/**
 * What a call would touch is judged before it runs, by the policy of the conversation it belongs to: only the presenter may
 * write what is to be delivered (docs/spec/tools.md 2.3). Whoever must be asked and is not there has not agreed.
 */
export function permit(permissions: PermissionPolicy, agent: AgentId, channel: Channel): ToolGuard {
  const policy = channel === "presentation" ? permissions.forPresentation(agent) : permissions;
  return async ({ input, tool }, handler) => {
    const verdict = await policy.decide(agent, handler.effects(input), handler.origin ?? "custom");
    if (verdict.type === "allow") return null;
    if (verdict.type === "deny") return verdict.reason;
    return `${tool} was not run: ${verdict.reason} It needs a person's consent, and nobody is there to be asked.`;
  };
}
