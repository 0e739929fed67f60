import { acceptedAttempt, type Ballot, countedBallots, nameOf, type RunView, whyNotCounted } from "@massgen/views";
import type { TurnRecord } from "../read-turn.js";
import { type Html, html, nothing } from "./html.js";

/** Who voted for what: the votes that counted as a matrix, and below it those that became void, with why. */
export function votesSection({ view }: TurnRecord, id: string): Html {
  const accepted = acceptedAttempt(view);
  const counted = countedBallots(accepted);
  const void_ = accepted.ballots.filter((ballot) => !counted.includes(ballot));
  return html`<section id="${id}-votes" aria-labelledby="${id}-votes-title">
<h2 id="${id}-votes-title">Votes</h2>
${counted.length === 0 ? html`<p class="note">No vote counted.</p>` : matrix(accepted, counted, id)}
${void_.length === 0 ? nothing : voidVotes(accepted, void_)}
</section>`;
}

function matrix(view: RunView, counted: readonly Ballot[], id: string): Html {
  const labels = [...new Set(counted.flatMap(({ targetLabel }) => targetLabel ?? []))].toSorted();
  const winner = view.decision?.fact.label ?? null;
  const head = labels.map(
    (label) =>
      html`<th scope="col"${label === winner ? html` class="won"` : nothing}>${label}${label === winner ? html`<br><span class="tag">won</span>` : nothing}</th>`,
  );
  const rows = counted.map(
    (ballot) => html`<tr><th scope="row">${nameOf(view, ballot.voter)}</th>${labels.map((label) => cell(ballot, label, winner))}</tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-labelledby="${id}-votes-title"><table class="matrix"><thead><tr><th scope="col">voter</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function cell(ballot: Ballot, label: string, winner: string | null): Html {
  if (ballot.targetLabel !== label) return html`<td class="none"><span class="faint">–</span></td>`;
  const weight = ballot.weight === 1 ? nothing : html` <span class="faint">weight ${ballot.weight}</span>`;
  const confidence =
    ballot.confidence === null || ballot.confidenceDefaulted ? nothing : html` <span class="faint">confidence ${ballot.confidence}</span>`;
  const own = ballot.voter === ballot.target ? html` <span class="tag">its own</span>` : nothing;
  return html`<td class="cast${label === winner ? " won" : ""}"><strong>vote</strong>${own}${weight}${confidence}<br><q dir="auto">${ballot.reason === "" ? "(no reason given)" : ballot.reason}</q></td>`;
}

const voidVotes = (view: RunView, ballots: readonly Ballot[]): Html =>
  html`<h3>Votes that did not count</h3><ul class="reasons">${ballots.map(
    (ballot) =>
      html`<li><span class="who">${nameOf(view, ballot.voter)} for ${ballot.targetLabel ?? ballot.target}: ${whyNotCounted(ballot, view.decision?.counted ?? [])}</span><q dir="auto">${ballot.reason === "" ? "(no reason given)" : ballot.reason}</q></li>`,
  )}</ul>`;
