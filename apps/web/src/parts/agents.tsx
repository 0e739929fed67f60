import type { AgentId } from "@massgen/contracts";
import { type AgentActivity, agentActivity, formatCost, formatCount, formatDuration } from "@massgen/views";
import type { Watched } from "../run/run-store.js";
import { type Text, useText } from "../text/texts.js";
import { Stream } from "./stream.js";

const MARKS: Readonly<Record<AgentActivity["is"], readonly [mark: string, tone: string]>> = {
  winner: ["★", "good"],
  presenting: ["★", "good"],
  thinking: ["●", "accent"],
  answering: ["●", "accent"],
  voting: ["●", "accent"],
  judging: ["●", "accent"],
  using_tool: ["●", "accent"],
  waiting: ["○", "faint"],
  answered: ["✓", "plain"],
  voted: ["✓", "good"],
  stopped: ["✓", "good"],
  abstained: ["–", "warning"],
  restarting: ["↻", "accent"],
  error: ["✗", "bad"],
  timeout: ["✗", "bad"],
  cancelled: ["–", "faint"],
  completed: ["✓", "plain"],
};

/** Every agent beside the others: who it is, what it does, whom it votes for, and what it says. */
export function Agents({ watched, nowMs }: { readonly watched: Watched; readonly nowMs: number }) {
  const { order } = watched.live.view.state;
  return (
    <div className="agents">
      {order.map((id) => (
        <AgentColumn key={id} id={id} watched={watched} nowMs={nowMs} />
      ))}
    </div>
  );
}

function AgentColumn({ id, watched, nowMs }: { readonly id: AgentId; readonly watched: Watched; readonly nowMs: number }) {
  const t = useText();
  const { live } = watched;
  const { agents, answers } = live.view.state;
  const agent = agents[id];
  if (agent === undefined) return null;
  const activity = agentActivity(live, id);
  const [mark, tone] = MARKS[activity.is];
  const label = answers.findLast((answer) => answer.by === id)?.label;
  return (
    <article className="agent" aria-labelledby={`agent-${id}`}>
      <header>
        <h3 id={`agent-${id}`}>{id}</h3>
        <span className="faint">{agent.card.model}</span>
        <p className={`activity ${tone}`}>
          <span aria-hidden="true">{mark}</span> {activity.is === "using_tool" ? activity.tool : t(`activity.${activity.is}`)}
        </p>
        <p className="facts">
          {label === undefined ? t("agent.noAnswer") : label}
          {agent.vote === null ? "" : ` · ${t("agent.votesFor", { label: agent.vote.targetLabel })}`}
          {spentOf(watched, id)}
          {roundOf(watched, id, nowMs, t)}
        </p>
      </header>
      <Stream stream={live.streams.get(id)} name={id} />
    </article>
  );
}

function spentOf({ live }: Watched, id: AgentId): string {
  const usage = live.view.agents.get(id)?.usage;
  if (usage == null) return "";
  const tokens = `${formatCount(usage.inputTokens + usage.outputTokens)} tok`;
  return ` · ${tokens}${usage.costUsd === null ? "" : ` · ${formatCost(usage.costUsd)}`}`;
}

function roundOf({ live, lastFact }: Watched, id: AgentId, nowMs: number, t: Text): string {
  const round = live.view.agents.get(id)?.newestRound ?? null;
  if (round === null) return "";
  const nowAt = lastFact === null ? round.startedAt : lastFact.at + Math.max(0, nowMs - lastFact.seenMs);
  const name =
    round.kind === "presentation"
      ? t("round.presentation")
      : round.kind === "post_evaluation"
        ? t("round.judging")
        : t("round", { round: round.round });
  return ` · ${name} ${formatDuration(Math.max(0, (round.endedAt ?? nowAt) - round.startedAt))}`;
}
