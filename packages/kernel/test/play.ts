import type { AgentCard, CoordinationEvent, RunMode } from "@massgen/contracts";
import { decide, defaultPolicy, evolve, initialState, type Policy, type RunState, type Signal } from "@massgen/kernel";

export interface Played {
  readonly state: RunState;
  readonly decisions: readonly (readonly CoordinationEvent[])[];
  /** Facts of the last decision. */
  readonly last: readonly CoordinationEvent[];
}
export type PolicyChange = Partial<Omit<Policy, "limits">> & { readonly limits?: Partial<Policy["limits"]> };

export const policyWith = ({ limits, ...rest }: PolicyChange = {}): Policy => ({
  ...defaultPolicy,
  ...rest,
  limits: { ...defaultPolicy.limits, ...limits },
});

const cards = (ids: readonly string[]): readonly AgentCard[] =>
  ids.map((id, index) => ({ id, anon: `agent${index + 1}`, backend: "test", model: `model-${index + 1}` }));

export const start = (ids: readonly string[], mode: RunMode = "voting", parted: readonly string[] = ids): Signal => ({
  type: "start",
  question: "q",
  agents: cards(ids),
  seed: 1,
  mode,
  ...(mode === "decomposition" ? { subtasks: Object.fromEntries(parted.map((id) => [id, `part of ${id}`])) } : {}),
});

/** Judges the signals one after another, as the runner would. */
function play(from: RunState, policy: Policy, signals: readonly Signal[]): Played {
  let state = from;
  const decisions = signals.map((signal) => {
    const facts = decide(state, signal, policy);
    state = facts.reduce(evolve, state);
    return facts;
  });
  return { state, decisions, last: decisions.at(-1) ?? [] };
}

/** A run of the given agents, with short words for what they offer in their current rounds. */
export function table(ids: readonly string[], change: PolicyChange = {}, mode: RunMode = "voting", parted: readonly string[] = ids) {
  const policy = policyWith(change);
  let state = initialState;
  const facts: CoordinationEvent[] = [];
  const send = (signal: Signal): readonly CoordinationEvent[] => {
    const played = play(state, policy, [signal]);
    state = played.state;
    facts.push(...played.last);
    return played.last;
  };
  const at = (agent: string) => ({ agent, round: state.agents[agent]?.round ?? -1 });
  send(start(ids, mode, parted));
  return {
    facts,
    policy,
    send,
    get state() {
      return state;
    },
    agent: (id: string) => state.agents[id]!,
    answer: (id: string, content: string) =>
      send({ type: "answer_offered", ...at(id), content, fingerprint: content.trim(), snapshot: null }),
    vote: (id: string, target: string, confidence: number | null = null) =>
      send({ type: "vote_offered", ...at(id), target, reason: `because ${target}`, confidence }),
    stop: (id: string, status: "complete" | "blocked" = "complete", summary = `done by ${id}`) =>
      send({ type: "stop_offered", ...at(id), status, summary }),
    nothing: (
      id: string,
      text = "",
      code: "no_tool_calls" | "unknown_tool" | "invalid_arguments" | "empty_answer" = "no_tool_calls",
      tool: "new_answer" | "vote" | null = null,
    ) => send({ type: "nothing_offered", ...at(id), code, tool, detail: code, text }),
    several: (id: string, answer: string | null, ...targets: readonly string[]) =>
      send({
        type: "several_offered",
        ...at(id),
        text: "",
        answer: answer === null ? null : { content: answer, fingerprint: answer, snapshot: null },
        votes: targets.map((target) => ({ target, reason: "r", confidence: null })),
      }),
    fail: (
      id: string,
      kind: "backend_transient" | "backend_fatal" | "stall" | "context_overflow" | "internal" = "backend_fatal",
      text = "",
    ) => send({ type: "round_failed", ...at(id), kind, message: `${kind} of ${id}`, text }),
    delivered: (id: string, ...labels: readonly string[]) => send({ type: "update_delivered", ...at(id), labels }),
    timer: (name: string, texts: Readonly<Record<string, string>> = {}) => send({ type: "timer_fired", timer: name, texts }),
    types: () => facts.map((fact) => fact.type),
    of: <T extends CoordinationEvent["type"]>(type: T) =>
      facts.filter((fact): fact is CoordinationEvent & { readonly type: T } => fact.type === type),
  };
}
