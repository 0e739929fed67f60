import type { AgentId, AnonId } from "@massgen/contracts";
import { agentsOf } from "@massgen/kernel";
import type { DivideEffect, Work } from "../executor/work.js";
import { contextOf } from "../round/opening.js";
import type { RunContext } from "../round/run-context.js";
import { previewOf } from "../text/cut-text.js";
import { askBefore } from "./ask-before.js";
import { readDivision } from "./read-division.js";

/** Asks one agent's model, without tools, for the parts of those who were given none (docs/spec/coordination.md 1.21). */
export async function divide(work: Work<DivideEffect>, run: RunContext): Promise<void> {
  const { agent: id } = work.effect;
  const state = work.state();
  const team = agentsOf(state);
  const open = team.filter(({ subtask }) => subtask === null);
  const given = team.flatMap(({ card, subtask }) => (subtask === null ? [] : [{ of: card.anon, text: subtask }]));
  const wanted = open.map(({ card }) => card.anon);
  const text = run.prompts.division({
    question: state.question,
    earlier: contextOf(state, run),
    wanted,
    given,
    guidelines: run.divisionGuidelines,
  });
  const turn = await askBefore(text, work, run);
  if (turn.type === "aborted") return;
  if (turn.type === "failed") {
    await work.offer({ type: "division_failed", agent: id, message: turn.message });
    return;
  }
  const parts = turn.reason === "refusal" ? null : readDivision(turn.text, wanted);
  const idOf = new Map<AnonId, AgentId>(open.map(({ card }) => [card.anon, card.id]));
  const subtasks = Object.fromEntries([...(parts ?? [])].map(([anon, part]) => [idOf.get(anon) ?? anon, part]));
  const failure = parts === null ? `the reply could not be read: ${previewOf(turn.text)}` : null;
  await work.offer({ type: "divided", agent: id, subtasks, failure });
}
