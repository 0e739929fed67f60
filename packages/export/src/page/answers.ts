import { answerAt } from "@massgen/kernel";
import { type AnswerView, acceptedAttempt, formatCount, formatDuration, nameOf, type RunView } from "@massgen/views";
import type { TurnRecord } from "../read-turn.js";
import { type Html, html, nothing } from "./html.js";
import { renderMarkdown } from "./markdown.js";

/** Every answer that was handed in, oldest first; the one that won stands open. */
export function answersSection({ view }: TurnRecord, id: string): Html {
  const attempts = [...view.pastAttempts, view];
  const won = acceptedAttempt(view);
  const parts = attempts.map((attempt) => {
    const title = attempts.length > 1 ? html`<h3>Attempt ${attempt.state.attempt}</h3>` : nothing;
    return html`${title}${attempt.answers.map((answer) => oneAnswer(attempt, answer, attempt === won && answer.label === won.decision?.fact.label))}`;
  });
  const none = attempts.every(({ answers }) => answers.length === 0);
  return html`<section id="${id}-answers" aria-labelledby="${id}-answers-title">
<h2 id="${id}-answers-title">Answers</h2>
${none ? html`<p class="note">Nobody handed in an answer.</p>` : parts}
</section>`;
}

function oneAnswer(view: RunView, answer: AnswerView, hasWon: boolean): Html {
  const text = answerAt(view.state, answer.label)?.content ?? "";
  const next = view.answers.find(({ supersedes }) => supersedes === answer.label)?.label ?? null;
  const notes = [
    `after ${formatDuration(answer.at - (view.startedAt ?? answer.at))}`,
    `${formatCount(answer.chars)} characters`,
    ...(next === null ? [] : [`replaced by ${next}`]),
    ...(answer.salvaged ? ["kept from a round that broke off"] : []),
  ];
  return html`<details${hasWon ? html` open` : nothing}><summary><span class="label">${answer.label}</span> ${nameOf(view, answer.agent)}${hasWon ? html` <span class="tag">won</span>` : nothing} <span class="faint">${notes.join(", ")}</span></summary>
<div class="foreign answer" dir="auto">${renderMarkdown(text)}</div></details>`;
}
