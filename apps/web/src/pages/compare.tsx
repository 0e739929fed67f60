import { acceptedAttempt, excerpt, formatCost, formatDuration, nameOf, type RunView } from "@massgen/views";
import { Link } from "wouter";
import { useTitle } from "../app/use-title.js";
import { Changes } from "../parts/changes.js";
import { Decision } from "../parts/decision.js";
import { Loading } from "../parts/loading.js";
import { Markdown } from "../parts/markdown.js";
import { Problem } from "../parts/problem.js";
import { standingOf } from "../parts/run-header.js";
import { compareHref } from "../parts/ticks.js";
import type { Watched } from "../run/run-store.js";
import { useRun } from "../run/use-run.js";
import { type Text, type TextName, useText } from "../text/texts.js";

/** Two runs beside each other: what was asked, what came of it, why, for how much, and what differs in the results. */
export function Compare({ one, other }: { readonly one: string; readonly other: string }) {
  const t = useText();
  useTitle(t("compare"));
  const [first, second] = [useRun(one), useRun(other)];
  for (const watched of [first, second]) if (watched?.connection === "failed") return <Problem error={watched.error} />;
  if (first === null || second === null || isComing(first) || isComing(second)) return <Loading />;
  const [before, after] = [finalOf(first.live.view), finalOf(second.live.view)];
  return (
    <>
      <h1>{t("compare")}</h1>
      <p>
        <Link href={compareHref(other, one)}>{t("compare.swap")}</Link>
      </p>
      <Facts sides={[sideOf("compare.first", one, first), sideOf("compare.second", other, second)]} />
      {before === null || after === null ? null : (
        <section aria-labelledby="differs-title">
          <h2 id="differs-title">{t("compare.changes")}</h2>
          <p className="faint">{t("compare.signs")}</p>
          <Changes before={before} after={after} />
        </section>
      )}
      <div className="pair">
        <Result title="compare.first" view={first.live.view} />
        <Result title="compare.second" view={second.live.view} />
      </div>
    </>
  );
}

const isComing = ({ connection, live }: Watched): boolean => connection === "opening" && live.view.lastSeq === 0;
const finalOf = (view: RunView): string | null => acceptedAttempt(view).state.finalAnswer ?? view.state.finalAnswer;

interface Side {
  readonly title: TextName;
  readonly id: string;
  readonly watched: Watched;
}
const sideOf = (title: TextName, id: string, watched: Watched): Side => ({ title, id, watched });

const ROWS: readonly (readonly [title: TextName, cell: (watched: Watched, t: Text) => string])[] = [
  ["compare.state", (watched, t) => [t(standingOf(watched)), ...statusOf(watched.live.view)].join(" · ")],
  ["compare.winner", ({ live }, t) => winnerOf(acceptedAttempt(live.view)) ?? t("compare.nothing")],
  ["compare.agents", ({ live }) => live.view.state.order.join(", ")],
  ["compare.time", ({ live }, t) => timeOf(live.view) ?? t("compare.nothing")],
  ["compare.cost", ({ live }, t) => costOf(live.view) ?? t("cost.unknown")],
  ["compare.answers", ({ live }) => String(acceptedAttempt(live.view).answers.length)],
  ["compare.votes", ({ live }) => String(acceptedAttempt(live.view).ballots.length)],
];

/** How it ended, where that is not as it should. */
const statusOf = ({ state: { status } }: RunView): readonly string[] => (status === null || status === "completed" ? [] : [status]);

function winnerOf(view: RunView): string | null {
  const { decision } = view.state;
  if (decision === null) return null;
  return decision.label === null ? nameOf(view, decision.winner) : `${decision.label} · ${nameOf(view, decision.winner)}`;
}

/** To its end, or to what happened last in it. */
const timeOf = ({ startedAt, finished, lastAt }: RunView): string | null => {
  const end = finished?.at ?? lastAt;
  return startedAt === null || end === null ? null : formatDuration(end - startedAt);
};
const costOf = ({ state }: RunView): string | null => (state.spent.costUsd === null ? null : formatCost(state.spent.costUsd));

function Facts({ sides }: { readonly sides: readonly Side[] }) {
  const t = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div className="wide" tabIndex={0}>
      <table className="compared">
        <caption>{t("compare.facts")}</caption>
        <thead>
          <tr>
            <td />
            {sides.map(({ title }) => (
              <th key={title} scope="col">
                {t(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t("compare.question")}</th>
            {sides.map(({ title, id, watched }) => (
              <td key={title} dir="auto">
                <Link href={`/runs/${encodeURIComponent(id)}`}>{excerpt(watched.live.view.state.question, 300) || id}</Link>
              </td>
            ))}
          </tr>
          {ROWS.map(([name, cell]) => (
            <tr key={name}>
              <th scope="row">{t(name)}</th>
              {sides.map(({ title, watched }) => (
                <td key={title}>{cell(watched, t)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Result({ title, view }: { readonly title: TextName; readonly view: RunView }) {
  const t = useText();
  const text = finalOf(view);
  return (
    <article className="card" aria-label={t(title)}>
      <h2>{t(title)}</h2>
      {text === null ? <p className="faint">{t("compare.noFinal")}</p> : <Markdown text={text} />}
      <h3>{t("decision")}</h3>
      <Decision view={view} />
    </article>
  );
}
