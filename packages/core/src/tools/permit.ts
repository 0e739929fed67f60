import type { AgentId, Channel, PermissionPolicy } from "@massgen/contracts";
import type { AskConsent } from "./consent.js";
import type { ToolGuard } from "./dispatch.js";

/**
 * What a call would touch is judged before it runs, by the policy of the conversation it belongs to: only the presenter may
 * write what is to be delivered (docs/spec/tools.md 2.3). Whoever must be asked is asked; who is not there has not agreed.
 */
export function permit(permissions: PermissionPolicy, agent: AgentId, channel: Channel, consent: AskConsent): ToolGuard {
  const policy = channel === "presentation" ? permissions.forPresentation(agent) : permissions;
  return async ({ input, tool }, handler) => {
    const verdict = await policy.decide(agent, handler.effects(input), handler.origin ?? "custom");
    if (verdict.type === "allow") return null;
    if (verdict.type === "deny") return verdict.reason;
    const missing = await consent({ agent, tool, input, rule: verdict.rule, why: verdict.reason });
    return missing === null ? null : `${tool} was not run: ${verdict.reason} It needs a person's consent, and ${missing}.`;
  };
}
