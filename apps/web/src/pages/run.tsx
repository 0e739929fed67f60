import type { ReactNode } from "react";
import { Link } from "wouter";
import { useTitle } from "../app/use-title.js";
import { Agents } from "../parts/agents.js";
import { Answers } from "../parts/answers.js";
import { Cost } from "../parts/cost.js";
import { Decision } from "../parts/decision.js";
import { Files } from "../parts/files/files.js";
import { FinalAnswer } from "../parts/final-answer.js";
import { GoOn } from "../parts/go-on.js";
import { Loading } from "../parts/loading.js";
import { Problem } from "../parts/problem.js";
import { Replay } from "../parts/replay.js";
import { Requests } from "../parts/requests.js";
import { Review, ReviewWaits } from "../parts/review.js";
import { RunHeader } from "../parts/run-header.js";
import { SayToAgents } from "../parts/say-to-agents.js";
import { Timeline } from "../parts/timeline.js";
import { Votes } from "../parts/votes.js";
import type { Watched } from "../run/run-store.js";
import { useClock } from "../run/use-clock.js";
import { useRun } from "../run/use-run.js";
import { useReadOnly } from "../server/server.js";
import { type TextName, useText } from "../text/texts.js";

interface Tab {
  readonly name: string;
  readonly title: TextName;
  readonly show: (watched: Watched, nowMs: number, id: string) => ReactNode;
}

const TABS: readonly Tab[] = [
  { name: "team", title: "tab.team", show: (watched, nowMs) => <Agents watched={watched} nowMs={nowMs} /> },
  { name: "answers", title: "tab.answers", show: ({ live }) => <Answers view={live.view} /> },
  { name: "votes", title: "tab.votes", show: ({ live }) => <Votes view={live.view} /> },
  { name: "decision", title: "tab.decision", show: ({ live }) => <Decision view={live.view} /> },
  { name: "timeline", title: "tab.timeline", show: ({ live }) => <Timeline moments={live.moments} /> },
  { name: "changes", title: "tab.review", show: ({ live }, _nowMs, id) => <Review id={id} stage={live.view.state.phase} /> },
  {
    name: "files",
    title: "tab.files",
    // The last of them are written between the last fact and the end of the connection.
    show: ({ live, connection }, _nowMs, id) => <Files id={id} stage={`${live.view.state.phase} ${connection === "over"}`} />,
  },
  { name: "replay", title: "tab.replay", show: ({ live }, _nowMs, id) => <Replay id={id} lastSeq={live.view.lastSeq} /> },
  { name: "cost", title: "tab.cost", show: ({ live }) => <Cost view={live.view} /> },
];

/** One run: what is going on, what came of it, and why. Running or over makes no difference. */
export function RunPage({ id, tab }: { readonly id: string; readonly tab: string }) {
  const t = useText();
  const watched = useRun(id);
  const readOnly = useReadOnly();
  useTitle(watched?.live.view.state.question ?? null);
  const nowMs = useClock(watched?.connection === "open");
  if (watched === null || (watched.connection === "opening" && watched.live.view.lastSeq === 0)) return <Loading />;
  if (watched.connection === "failed") return <Problem error={watched.error} />;
  const current = TABS.find(({ name }) => name === tab) ?? TABS[0]!;
  return (
    <>
      <RunHeader id={id} watched={watched} nowMs={nowMs} />
      {readOnly && isAtWork(watched) ? <p className="faint">{t("readOnly.atWork")}</p> : null}
      <Requests id={id} watched={watched} nowMs={nowMs} />
      {watched.live.view.state.phase === "finished" && current.name !== "changes" ? (
        <ReviewWaits id={id} stage={watched.connection} />
      ) : null}
      <FinalAnswer view={watched.live.view} />
      <nav className="tabs" aria-label={t("tabs")}>
        {TABS.map(({ name, title }) => (
          <Link
            key={name}
            href={`/runs/${encodeURIComponent(id)}/${name}`}
            data-tab={name}
            aria-current={name === current.name ? "page" : undefined}
          >
            {t(title)}
          </Link>
        ))}
      </nav>
      <section className="tab" aria-label={t(current.title)}>
        {current.show(watched, nowMs, id)}
      </section>
      {watched.connection === "over" && !readOnly ? <GoOn id={id} /> : null}
      {isAtWork(watched) && !readOnly ? <SayToAgents id={id} agents={watched.live.view.state.order} /> : null}
    </>
  );
}

const isAtWork = ({ connection, live }: Watched): boolean => connection !== "over" && live.view.state.phase !== "finished";
