import type { Answer } from "@massgen/kernel";
import { formatDuration, type RunView } from "@massgen/views";
import { type KeyboardEvent, useState } from "react";
import { useText } from "../text/texts.js";
import { Changes } from "./changes.js";
import { Markdown } from "./markdown.js";

const SHOWS = ["text", "source", "changes"] as const;

/** Every answer there ever was, one at a time, and what it changed of another. */
export function Answers({ view }: { readonly view: RunView }) {
  const t = useText();
  const { answers } = view.state;
  const [chosen, setChosen] = useState<string | null>(null);
  const [shows, setShows] = useState<(typeof SHOWS)[number]>("text");
  const [against, setAgainst] = useState<string | null>(null);
  const at = Math.max(0, chosen === null ? answers.length - 1 : answers.findIndex(({ label }) => label === chosen));
  const answer = answers[at];
  if (answer === undefined) return <p className="faint">{t("answers.none")}</p>;
  const before = answers.slice(0, at).findLast(({ by }) => by === answer.by) ?? answers[at - 1] ?? null;
  const other = answers.find(({ label }) => label === against && label !== answer.label) ?? before;
  const step = (event: KeyboardEvent): void => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = answers[at + way];
    if (way === 0 || next === undefined) return;
    event.preventDefault();
    setChosen(next.label);
  };
  return (
    <div className="answers">
      <nav aria-label={t("answers")} onKeyDown={step}>
        {answers.map(({ label, by }) => (
          <button key={label} type="button" aria-pressed={label === answer.label} onClick={() => setChosen(label)}>
            {label} <span className="faint">{by}</span>
          </button>
        ))}
      </nav>
      <article className="card" aria-label={t("answers.one", { label: answer.label })}>
        <p className="facts">{factsOf(view, answer, t)}</p>
        <div className="actions">
          {SHOWS.map((one) => (
            <button key={one} type="button" aria-pressed={one === shows} onClick={() => setShows(one)}>
              {t(`answers.${one}`)}
            </button>
          ))}
          {shows === "changes" && answers.length > 1 ? (
            <label>
              {t("answers.against")}{" "}
              <select value={other?.label ?? ""} onChange={({ target }) => setAgainst(target.value)}>
                {answers
                  .filter(({ label }) => label !== answer.label)
                  .map(({ label }) => (
                    <option key={label}>{label}</option>
                  ))}
              </select>
            </label>
          ) : null}
        </div>
        {shows === "text" ? <Markdown text={answer.content} /> : null}
        {shows === "source" ? <pre className="text">{answer.content}</pre> : null}
        {shows === "changes" ? (
          other === null ? (
            <p className="faint">{t("answers.first")}</p>
          ) : (
            <Changes before={other.content} after={answer.content} />
          )
        ) : null}
      </article>
    </div>
  );
}

function factsOf(view: RunView, answer: Answer, t: ReturnType<typeof useText>): string {
  const meta = view.answers.find(({ label }) => label === answer.label);
  const isCurrent = view.state.answers.findLast(({ by }) => by === answer.by)?.label === answer.label;
  return [
    answer.by,
    ...(meta === undefined ? [] : [t("round", { round: meta.round })]),
    ...(meta === undefined || view.startedAt === null ? [] : [t("answers.after", { time: formatDuration(meta.at - view.startedAt) })]),
    t(isCurrent ? "answers.current" : "answers.replaced"),
    ...(answer.verification === null ? [] : [t(answer.verification.passed === true ? "answers.passed" : "answers.notPassed")]),
    ...(answer.salvaged ? [t("answers.salvaged")] : []),
  ].join(" · ");
}
