import { type AgentFailure, isTimeLimit, roundsOf } from "./agent-view.js";
import type { CellWidth } from "./cells.js";
import type { DecisionView } from "./decision-view.js";
import { counted, formatCost, formatCount, formatDuration } from "./format.js";
import type { LimitHit } from "./limits.js";
import { markdownTable } from "./markdown-table.js";
import { excerpt } from "./preview.js";
import { nameOf, type RunView } from "./run-view.js";

/** Who failed and which limits had a say, up to the decision. */
export function troubleSection(view: RunView): string | null {
  const failures = [...view.agents.values()].flatMap(({ card, failures: list }) =>
    list.map((failure) => `${nameOf(view, card.id)} ${failureVerb(failure)}: ${excerpt(failure.message, 300)}`),
  );
  const items = [...failures, ...view.limits.map((limit) => limitText(view, limit))];
  return items.length === 0 ? null : `## Failures and limits\n\n${items.map((item) => `- ${item}`).join("\n")}`;
}

function failureVerb(failure: AgentFailure): string {
  if (isTimeLimit(failure)) return "ran out of time";
  return `${failure.fatal ? "failed" : "failed once and was started again"} (${failure.type})`;
}

function limitText(view: RunView, { limit, agent, value, gates }: LimitHit): string {
  const who = agent === null ? "The team" : nameOf(view, agent);
  const answers = counted(value ?? 0, "answer");
  switch (limit) {
    case "per_agent":
      return `${who} reached its limit of ${answers}${andThen(view, "could only vote")}.`;
    case "global":
      return `The team reached its limit of ${answers}${andThen(view, "could only vote")}.`;
    case "safety":
      return `${who} reached the safety limit of ${answers}${andThen(view, "could only vote")}.`;
    case "orchestrator":
      return `The time limit of ${formatDuration(value ?? 0)} for coordinating passed.`;
    case "soft":
      return `${who} was asked to wrap up after ${formatDuration(value ?? 0)}.`;
    case "hard":
      return `${who} passed the hard limit of its round (${formatDuration(value ?? 0)}).`;
    case "stragglers":
      return "Voting began although not everybody had a first answer.";
    case "budget":
      return agent === null ? "The budget left no room for another request." : `The budget of ${who} left no room for another request.`;
    case "debate":
      return `Too few agreed, so debate ${value} cleared the votes.`;
    case "stagnation":
      return `${counted(value ?? 0, "round")} brought nothing new, so everybody started afresh.`;
    case "answer_now":
      return "The result was asked for at once, so everybody wrapped up.";
    case "deadlock":
      return `Everybody was held back by a rule, so it was lifted: ${gates.join(", ")}.`;
  }
}

const andThen = ({ state }: RunView, what: string): string => (state.mode === "voting" ? ` and ${what}` : "");

export function costSection(view: RunView, { spent }: DecisionView, cellWidth: CellWidth): string | null {
  const agents = [...view.agents.values()].filter((agent) => agent.usage !== null);
  if (agents.length === 0) return null;
  const rows = agents.map((agent) => [
    nameOf(view, agent.card.id),
    agent.card.model,
    formatCount(view.answers.filter((answer) => answer.agent === agent.card.id).length),
    formatCount(roundsOf(agent).length),
    formatCount(agent.usage?.inputTokens ?? 0),
    formatCount(agent.usage?.outputTokens ?? 0),
    formatCost(agent.usage?.costUsd ?? null),
  ]);
  const total = [
    "**all**",
    "",
    formatCount(view.answers.length),
    "",
    formatCount(spent.inputTokens),
    formatCount(spent.outputTokens),
    formatCost(spent.costUsd),
  ];
  const right = (title: string): { readonly title: string; readonly align: "right" } => ({ title, align: "right" });
  const columns = [
    { title: "agent" },
    { title: "model" },
    right("answers"),
    right("rounds"),
    right("tokens in"),
    right("tokens out"),
    right("cost"),
  ];
  return `## Cost up to the decision\n\n${markdownTable(columns, [...rows, total], cellWidth)}`;
}
