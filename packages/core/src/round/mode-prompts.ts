import type { AgentId, AnonId, AnswerLabel } from "@massgen/contracts";
import { agentsOf, isPlanning, type RunState, tallyVotes } from "@massgen/kernel";
import { momentText } from "../prompts/moment.js";
import { toolsNow } from "../tools/tools-of.js";
import { actsAsPresenter } from "./acts-as-presenter.js";
import { authorOf, callableNow } from "./callable-now.js";
import type { RunContext } from "./run-context.js";
import { scrubbed } from "./scrub.js";

/** What stands before everything else: the same for all agents, rounds and the presentation. */
export function rulesOf(
  { mode }: RunState,
  viewer: AgentId,
  { prompts, policy, agents, votingSensitivity }: RunContext,
): readonly (string | null)[] {
  const bar = [prompts.criterion(agents.get(viewer)?.votingSensitivity ?? votingSensitivity), prompts.novelty(policy.novelty)];
  if (policy.skipCoordination) return [prompts.conduct()];
  if (mode === "decomposition") return [prompts.partRules(), prompts.conduct()];
  if (mode === "sequential") return [prompts.stageRules(), prompts.conduct()];
  if (mode === "refine") return [prompts.refineRules(), prompts.conduct(), ...bar];
  return policy.skipVoting ? [prompts.answerRules(), prompts.conduct()] : [prompts.rules(), prompts.conduct(), ...bar];
}

/** The end of a round's prompt. */
export function roundClosing(state: RunState, viewer: AgentId, run: RunContext): string {
  const { prompts } = run;
  const view = { moment: momentOf(run), ...callableNow(state, viewer, run.policy) };
  const { card } = state.agents[viewer]!;
  if (state.mode === "sequential")
    return prompts.stageText({
      ...view,
      stage: state.order.indexOf(viewer) + 1,
      stages: state.order.length,
      writes: actsAsPresenter(state, viewer) ? writableFor(run, viewer) : [],
    });
  if (state.mode === "decomposition") return prompts.partText({ ...view, of: card.anon, hasAnswers: view.voteFor.length > 0 });
  return prompts.roundText(view);
}

/** The end of the presenter's prompt: what it is to make of the answers. */
export function presentationClosing(state: RunState, presenter: AgentId, run: RunContext): string {
  const { prompts } = run;
  const moment = momentOf(run);
  const own = state.agents[presenter]!.card.anon;
  const hasTools = toolsNow(run.agents.get(presenter)).length > 0;
  const votes = agentsOf(state).flatMap(({ card, vote }) => (vote?.target === presenter ? [{ ...vote, by: card.id }] : []));
  const writes = writableFor(run, presenter);
  const reasons = votes.map(({ reason, by }) => scrubbed(reason, by, state, run));
  const view = {
    moment,
    own,
    votes: votes.length,
    reasons,
    isTie: isTie(state),
    hasTools,
    writes,
    executesPlan: isPlanning(state),
  };
  switch (state.presentationStrategy) {
    case "direct":
      return prompts.direct({ moment, hasTools, writes });
    case "assemble":
      return prompts.assembly({
        moment,
        own,
        hasTools,
        writes,
        executesPlan: view.executesPlan,
        ends: agentsOf(state).map(({ card, stop }) => ({
          of: card.anon,
          status: stop?.status ?? null,
          summary: scrubbed(stop?.summary ?? "", card.id, state, run),
        })),
      });
    case "synthesize":
      return prompts.synthesis({
        ...view,
        isChosen: state.decision?.selection === "votes" || state.decision?.selection === "previous_epoch",
      });
    default:
      return prompts.presentation(view);
  }
}

/** What of the user's the presenter may write. */
const writableFor = (run: RunContext, presenter: AgentId): readonly string[] =>
  (run.agents.get(presenter)?.files?.contexts ?? []).flatMap(({ path, access }) => (access === "write" ? [path] : []));

/** How the work was divided; `null` where it was not. */
export function partsOf(state: RunState, { prompts }: RunContext): string | null {
  if (state.mode !== "decomposition") return null;
  return prompts.partsText(agentsOf(state).map(({ card, subtask }) => ({ of: card.anon, text: subtask ?? "" })));
}

/** Whose answer it is, as the viewer is told: a stage is known by its place. */
export function sourceOf(state: RunState, label: AnswerLabel): AnonId | `stage ${number}` {
  const anon = authorOf(label);
  if (state.mode !== "sequential") return anon;
  return `stage ${agentsOf(state).findIndex(({ card }) => card.anon === anon) + 1}`;
}

export const momentOf = (run: RunContext): string => momentText(run.startedAt(), run.timeZone);

/** The presenter is told of a tie, not of how the others' votes fell. */
function isTie(state: RunState): boolean {
  const [most, next] = tallyVotes(state);
  return most !== undefined && next !== undefined && most.weight - next.weight < 1e-9;
}
