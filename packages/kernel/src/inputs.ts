import type { AgentId, CoordinationEvent, InputFact } from "@massgen/contracts";
import { withChanges } from "./copy.js";
import { agentOf, agentsOf, isLive } from "./inspect.js";
import { patchAgent } from "./patch-agent.js";
import type { Signal } from "./signal.js";
import type { AgentState, RunState, SaidInput } from "./state.js";

/** Takes what is said for those of the addressed that can still hear it; nothing when nobody can. `agents: null`: everybody. */
export function judgeInput(
  state: RunState,
  { id, text, agents }: Extract<Signal, { type: "input_received" }>,
): readonly CoordinationEvent[] {
  const hearing = hearers(state).filter((id) => agents === null || agents.includes(id));
  const isKnown = id !== null && state.inputs.some((input) => input.id === id);
  if (text.trim() === "" || hearing.length === 0 || isKnown) return [];
  return [{ type: "input_received", number: state.inputs.length + 1, id, text, agents: hearing }];
}

/** Once the team has decided, only the presenter still works. */
function hearers(state: RunState): readonly AgentId[] {
  const { phase, decision, finalAnswer } = state;
  if (phase === "presenting") return decision === null || finalAnswer !== null ? [] : [decision.winner];
  if (phase !== "preparing" && phase !== "coordinating") return [];
  return agentsOf(state)
    .filter((agent) => isLive(agent) && agent.standing !== "completed")
    .map(({ card }) => card.id);
}

/** Records what was put into a running conversation: those of the named that were indeed new to the agent. */
export function judgeInputDelivery(
  state: RunState,
  { agent: id, round, numbers }: Extract<Signal, { type: "input_delivered" }>,
): readonly CoordinationEvent[] {
  const agent = agentOf(state, id);
  if (state.phase !== "coordinating" && state.phase !== "presenting") return [];
  if (agent?.standing !== "streaming" || agent.round !== round) return [];
  const delivered = unheardInputs(state, id)
    .map(({ number }) => number)
    .filter((number) => numbers.includes(number));
  return delivered.length === 0 ? [] : [{ type: "input_delivered", agent: id, round, numbers: delivered }];
}

/** A conversation that begins holds everything that was said to its agent. */
export function deliverWithPrompt(state: RunState, agent: AgentId, round: number): readonly CoordinationEvent[] {
  const numbers = unheardInputs(state, agent).map(({ number }) => number);
  return numbers.length === 0 ? [] : [{ type: "input_delivered", agent, round, numbers }];
}

export const unheardInputs = (state: RunState, agent: AgentId): readonly SaidInput[] =>
  saidTo(state, agent, agentOf(state, agent)?.heard ?? 0, state.inputs.length);

/** What a new conversation of the agent begins with, oldest first. `after`: without those it holds already. */
export const heardInputs = (state: RunState, agent: AgentId, after: number = 0): readonly SaidInput[] =>
  saidTo(state, agent, after, agentOf(state, agent)?.heard ?? 0);

const NOTHING: readonly SaidInput[] = [];

/** Those after one number and up to another. Hardly ever is anything said, and everybody asks. */
const saidTo = ({ inputs }: RunState, agent: AgentId, after: number, to: number): readonly SaidInput[] =>
  after >= to ? NOTHING : inputs.slice(after, to).filter(({ agents }) => agents.includes(agent));

export function foldInput(state: RunState, fact: InputFact): RunState {
  if (fact.type === "input_received") {
    const { number, id, text, agents } = fact;
    return withChanges(state, { inputs: [...state.inputs, { number, id, text, agents }] });
  }
  return patchAgent(state, fact.agent, ({ heard }: AgentState) => ({ heard: Math.max(heard, ...fact.numbers) }));
}
