import type { AgentId, Delta, GateName } from "@massgen/contracts";
import { firstGate, isDone, liveAgents, type Policy, type RunState } from "@massgen/kernel";

/** Tells people why an agent that is not working waits: the first gate that holds it, and when that one lets go. */
export function createGateNotes(policy: Policy, emit: (delta: Delta) => void): (state: RunState) => void {
  let held: ReadonlyMap<AgentId, GateName> = new Map();
  return (state) => {
    const now = heldBy(state, policy);
    for (const [agent, gate] of held) if (now.get(agent) !== gate) emit({ type: "gate", agent, gate, held: false });
    for (const [agent, gate] of now) if (held.get(agent) !== gate) emit({ type: "gate", agent, gate, held: true });
    held = now;
  };
}

function heldBy(state: RunState, policy: Policy): ReadonlyMap<AgentId, GateName> {
  if (state.phase !== "coordinating") return new Map();
  const idle = liveAgents(state).filter((agent) => agent.standing !== "streaming" && !isDone(state, agent, policy));
  const held = new Map<AgentId, GateName>();
  for (const agent of idle) {
    const gate = firstGate(state, agent, policy);
    if (gate !== null) held.set(agent.card.id, gate);
  }
  return held;
}
