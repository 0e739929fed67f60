import type { RunState, RunSummary } from "@massgen/client";
import { formatCost, formatDuration } from "@massgen/views";
import { Link } from "wouter";
import { type TextName, useLanguage, useText } from "../text/texts.js";
import type { Ticks } from "./ticks.js";

const STATES: Readonly<Record<RunState, readonly [mark: string, text: TextName, tone: string]>> = {
  queued: ["○", "state.queued", "faint"],
  running: ["●", "state.running", "accent"],
  completed: ["✓", "state.completed", "good"],
  timeout: ["✗", "state.timeout", "bad"],
  cancelled: ["–", "state.cancelled", "faint"],
  error: ["✗", "state.error", "bad"],
  budget: ["✗", "state.budget", "warning"],
  waiting_for_review: ["●", "state.review", "warning"],
  interrupted: ["–", "state.interrupted", "warning"],
  unreadable: ["✗", "state.unreadable", "bad"],
};

/** Runs, one a row, each a link to all of it; with `ticks` up to two can be ticked. */
export function RunList({ runs, ticks }: { readonly runs: readonly RunSummary[]; readonly ticks?: Ticks }) {
  const t = useText();
  const [language] = useLanguage();
  if (runs.length === 0) return <p className="faint">{t("runs.none")}</p>;
  return (
    <ul className="runs">
      {runs.map((run) => {
        const [mark, state, tone] = STATES[run.state];
        return (
          <li key={run.id}>
            {ticks === undefined ? null : <Tick run={run} ticks={ticks} />}
            <Link href={`/runs/${encodeURIComponent(run.id)}`} dir="auto">
              {run.question ?? run.id}
            </Link>
            <p className="facts">
              <span className={tone}>
                <span aria-hidden="true">{mark}</span> {t(state)}
              </span>
              {run.startedAtMs === null ? null : ` · ${new Date(run.startedAtMs).toLocaleString(language)}`}
              {run.durationMs === null ? null : ` · ${formatDuration(run.durationMs)}`}
              {run.costUsd === null ? null : ` · ${formatCost(run.costUsd)}`}
              {run.winner === null ? null : ` · ★ ${run.winner}`}
              {run.simulated ? ` · ${t("simulated")}` : null}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function Tick({ run, ticks: { chosen, toggle } }: { readonly run: RunSummary; readonly ticks: Ticks }) {
  const t = useText();
  const isChosen = chosen.some(({ id }) => id === run.id);
  return (
    <input
      type="checkbox"
      checked={isChosen}
      disabled={!isChosen && chosen.length >= 2}
      aria-label={t("compare.tick", { question: run.question ?? run.id })}
      onChange={() => toggle(run)}
    />
  );
}
