import type { AgentId } from "@massgen/contracts";
import { type Answer, acceptedAt, type RunState } from "@massgen/kernel";

/**
 * In which order an agent is shown the answers (docs/spec/coordination.md 1.4).
 *
 * - `auto`: oldest first, so that a later prompt only appends and vendors' prompt caches hit. Agents on the same model
 *   see the same order; different models start at different answers, which spreads the favour of the first place.
 * - `rotate`: starts at another agent for each viewer and round, the viewer's own answer last. Costs the cache.
 * - `fixed`: by configuration.
 */
export type AnswerOrder = "auto" | "rotate" | "fixed";

export function orderAnswers(answers: readonly Answer[], viewer: AgentId, order: AnswerOrder, state: RunState): readonly Answer[] {
  const place = PLACES[order](answers, viewer, state);
  return answers
    .map((answer) => ({ answer, at: place(answer) }))
    .sort((a, b) => a.at - b.at)
    .map(({ answer }) => answer);
}

type Place = (answer: Answer) => number;

const PLACES: Readonly<Record<AnswerOrder, (answers: readonly Answer[], viewer: AgentId, state: RunState) => Place>> = {
  /**
   * As many answers as there are agents, the first of each as a rule, stand in a circle that every model enters at
   * another place; what is accepted later comes after them. So nothing ever moves when an answer is added.
   */
  auto(_answers, viewer, state) {
    const size = state.order.length;
    const offset = modelIndex(state, viewer);
    return ({ label }) => {
      const index = Math.max(0, acceptedAt(state, label));
      return index < size ? (index - offset + size) % size : index;
    };
  },
  rotate(answers, viewer, state) {
    const byConfiguration = answers.toSorted((a, b) => state.order.indexOf(a.by) - state.order.indexOf(b.by));
    const offset = state.order.indexOf(viewer) + Math.max(0, state.agents[viewer]?.round ?? 0);
    const size = answers.length;
    return (answer) => (answer.by === viewer ? size : (((byConfiguration.indexOf(answer) - offset) % size) + size) % size);
  },
  fixed:
    (_answers, _viewer, state) =>
    ({ by }) =>
      state.order.indexOf(by),
};

/** Place of the viewer's model among the different models of the team: the same all run long. */
function modelIndex({ order, agents }: RunState, viewer: AgentId): number {
  const known = modelIndices.get(order);
  if (known !== undefined) return known.get(viewer) ?? -1;
  const modelOf = (id: AgentId): string => JSON.stringify([agents[id]?.card.backend, agents[id]?.card.model]);
  const models = [...new Set(order.map(modelOf))];
  const indices = new Map(order.map((id) => [id, models.indexOf(modelOf(id))]));
  modelIndices.set(order, indices);
  return indices.get(viewer) ?? -1;
}
const modelIndices = new WeakMap<RunState["order"], ReadonlyMap<AgentId, number>>();
