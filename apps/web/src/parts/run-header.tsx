import type { Phase } from "@massgen/contracts";
import { formatCost, formatDuration } from "@massgen/views";
import { useState } from "react";
import { useSay } from "../app/notices.js";
import type { Watched } from "../run/run-store.js";
import { useClient, useReadOnly } from "../server/server.js";
import { type TextName, useText } from "../text/texts.js";
import { Budget } from "./cost.js";
import { ExportMenu } from "./export-menu.js";
import { errorText } from "./problem.js";

const PHASES: Readonly<Record<Phase, TextName>> = {
  idle: "phase.idle",
  preparing: "phase.preparing",
  coordinating: "phase.coordinating",
  presenting: "phase.presenting",
  evaluating: "phase.evaluating",
  finished: "phase.finished",
};

/** How far a run has come, in a word. */
export const standingOf = ({ connection, live }: Watched): TextName =>
  connection === "over" && live.view.state.phase !== "finished" ? "state.interrupted" : PHASES[live.view.state.phase];

/** What is asked, how far it has come, for how long and for how much, and how to end it. */
export function RunHeader({ id, watched, nowMs }: { readonly id: string; readonly watched: Watched; readonly nowMs: number }) {
  const t = useText();
  const readOnly = useReadOnly();
  const { view } = watched.live;
  const { state } = view;
  const isOver = watched.connection === "over";
  const endAt =
    view.finished?.at ?? (watched.lastFact === null ? null : watched.lastFact.at + (isOver ? 0 : nowMs - watched.lastFact.seenMs));
  const elapsed = view.startedAt === null || endAt === null ? null : Math.max(0, endAt - view.startedAt);
  const votes = state.order.filter((agent) => state.agents[agent]?.vote != null).length;
  const done = state.phase === "finished" ? 100 : view.completion;
  return (
    <header className="run">
      <h1 dir="auto">{state.question === "" ? t("loading") : state.question}</h1>
      <p className="facts">
        <strong>{t(standingOf(watched))}</strong>
        {state.status === null ? null : ` · ${state.status}`}
        {elapsed === null ? null : ` · ${formatDuration(elapsed)}`}
        {` · ${state.spent.costUsd === null ? t("cost.unknown") : formatCost(state.spent.costUsd)}`}
        {` · ${t("answers.count", { count: state.answers.length })}`}
        {state.mode === "voting" ? ` · ${t("votes.count", { count: votes, of: state.order.length })}` : null}
      </p>
      <progress value={done} max={100} aria-label={t("progress")} />
      <Budget view={view} />
      {watched.connection === "waiting" ? (
        <p className="warning" role="status">
          {t("connection.waiting")}
        </p>
      ) : null}
      <div className="actions">
        {isOver || readOnly || state.phase === "finished" ? null : <Steering id={id} canAnswerNow={state.decision === null} />}
        <ExportMenu id={id} view={view} />
      </div>
    </header>
  );
}

/** Ask for the best answer there is, or stop; stopping is asked about once more. */
function Steering({ id, canAnswerNow }: { readonly id: string; readonly canAnswerNow: boolean }) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const [isSure, setIsSure] = useState(false);
  const steer = async (what: "answerNow" | "cancel"): Promise<void> => {
    setIsSure(false);
    try {
      const { took } = await client[what](id);
      say(took ? t(`steer.${what}.took`) : t("steer.late"));
    } catch (error) {
      say(errorText(error), "bad");
    }
  };
  return (
    <>
      <button type="button" disabled={!canAnswerNow} onClick={() => void steer("answerNow")}>
        {t("steer.answerNow")}
      </button>
      {isSure ? (
        <>
          <button type="button" className="danger" onClick={() => void steer("cancel")}>
            {t("steer.cancel.sure")}
          </button>
          <button type="button" onClick={() => setIsSure(false)}>
            {t("steer.goOn")}
          </button>
        </>
      ) : (
        <button type="button" onClick={() => setIsSure(true)}>
          {t("steer.cancel")}
        </button>
      )}
    </>
  );
}
