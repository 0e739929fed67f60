import { createHash } from "node:crypto";
import { acceptedAttempt, excerpt, formatDuration, nameOf, runSummary } from "@massgen/views";
import type { LogRecord, TurnRecord } from "../read-turn.js";
import { answersSection } from "./answers.js";
import { costSection } from "./cost.js";
import { decisionSection } from "./decision.js";
import { type Html, html, nothing } from "./html.js";
import { renderMarkdown } from "./markdown.js";
import { STYLES } from "./styles.js";
import { timelineSection } from "./timeline.js";
import { votesSection } from "./votes.js";

export interface PageFile {
  readonly path: string;
  readonly bytes: number;
}

export interface PageOptions {
  /** Files that travel with the page; they are named, never linked: what a model wrote is not to be opened with a click. */
  readonly files?: readonly PageFile[];
}

/**
 * A log as one HTML page that needs nothing else: no script, no picture, no font, no request, and a policy that forbids
 * them. Question, answers, votes with their reasons, the decision, what happened when, what it cost.
 */
export function renderPage(log: LogRecord, { files = [] }: PageOptions = {}): string {
  const title = excerpt(log.turns.at(-1)?.view.state.question ?? log.name, 80);
  const many = log.turns.length > 1;
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title} – MassGen</title>
<style>${{ html: STYLES }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the record</a>
<header>
<p class="brand">MassGen record <span class="faint">${log.name}</span></p>
${log.simulated ? html`<p class="note"><strong>Simulated.</strong> No model was asked; the answers come from stand-ins.</p>` : nothing}
${many ? contents(log) : nothing}
</header>
<main id="main">
${log.turns.map((turn) => turnPart(turn, many))}
${files.length === 0 ? nothing : filesSection(files)}
</main>
<footer><p>Everything quoted here was written by models or people. It is shown as text; nothing of it runs, and this page loads nothing. Known secrets read [REDACTED].</p></footer>
</body>
</html>`;
  return `<!doctype html>\n${page.html}\n`;
}

/** Nothing may be loaded, run, framed or sent; only this one style sheet counts. */
const policy = (): string =>
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLES).digest("base64")}'; base-uri 'none'; form-action 'none'`;

const contents = ({ turns }: LogRecord): Html =>
  html`<nav aria-label="Turns"><ol>${turns.map(
    ({ turn, view }) => html`<li value="${turn}"><a href="#turn-${turn}">${excerpt(view.state.question, 80)}</a></li>`,
  )}</ol></nav>`;

function turnPart(record: TurnRecord, many: boolean): Html {
  const { turn, view } = record;
  const id = `turn-${turn}`;
  const { question } = view.state;
  const brief = excerpt(question, 140);
  return html`<article id="${id}" aria-labelledby="${id}-title">
${many ? html`<p class="turn">Turn ${turn}</p>` : nothing}
<h1 id="${id}-title" dir="auto">${brief}</h1>
${brief === question ? nothing : html`<details class="question"><summary>The whole question</summary><div class="foreign" dir="auto">${renderMarkdown(question)}</div></details>`}
${facts(record)}
${sectionLinks(id)}
${resultSection(record, id)}
${decisionSection(record, id)}
${votesSection(record, id)}
${answersSection(record, id)}
${timelineSection(record, id)}
${costSection(record, id)}
</article>`;
}

const LINKS = [
  ["result", "Result"],
  ["decision", "Why this answer"],
  ["votes", "Votes"],
  ["answers", "Answers"],
  ["timeline", "Timeline"],
  ["cost", "Cost"],
] as const;

const sectionLinks = (id: string): Html =>
  html`<nav class="sections" aria-label="Sections"><ul>${LINKS.map(([name, text]) => html`<li><a href="#${id}-${name}">${text}</a></li>`)}</ul></nav>`;

/** The few numbers that are asked for first. */
function facts({ view }: TurnRecord): Html {
  const { finish_reason, duration_seconds, attempts, agents, started_at } = runSummary(view);
  const rows: readonly (readonly [string, string])[] = [
    ["ended", `${finish_reason.replaceAll("_", " ")}${attempts > 1 ? ` after ${attempts} attempts` : ""}`],
    ...(started_at === null ? [] : [["began", `${new Date(started_at * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`] as const]),
    ...(duration_seconds === null ? [] : [["took", formatDuration(duration_seconds * 1000)] as const]),
    ["agents", agents.map(({ id, model }) => `${nameOf(view, id)}: ${model}`).join(", ")],
  ];
  return html`<dl class="facts">${rows.map(([name, text]) => html`<div${name === "agents" ? html` class="whole"` : nothing}><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`;
}

function resultSection({ view }: TurnRecord, id: string): Html {
  const { winner, winner_label } = runSummary(view);
  const final = acceptedAttempt(view).presentationFinished?.content ?? view.state.finalAnswer;
  const by =
    winner === null
      ? nothing
      : html`<p class="by">by ${nameOf(view, winner)}${winner_label === null ? nothing : html`, from ${winner_label}`}</p>`;
  return html`<section id="${id}-result" aria-labelledby="${id}-result-title">
<h2 id="${id}-result-title">Result</h2>
${by}
${final === null ? html`<p class="note">The run came to no final answer.</p>` : html`<div class="foreign answer" dir="auto">${renderMarkdown(final)}</div>`}
</section>`;
}

const filesSection = (files: readonly PageFile[]): Html => html`<section id="files" aria-labelledby="files-title">
<h2 id="files-title">Files</h2>
<p>They travel beside this page.</p>
<ul class="files">${files.map(({ path, bytes }) => html`<li><code>${path}</code> <span class="faint">${bytes} bytes</span></li>`)}</ul>
</section>`;
