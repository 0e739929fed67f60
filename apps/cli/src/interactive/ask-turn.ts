import type { LoadedConfig } from "@massgen/config";
import type { Conversation } from "@massgen/sdk";
import { describeRecord, emptyRunView, foldRecord, formatDuration, type RunView } from "@massgen/views";
import { execute } from "../commands/execute.js";
import type { Start } from "../commands/start-run.js";
import type { Io } from "../io.js";
import { chooseScreen, createScreen } from "../output/choose-screen.js";
import { personAtTerminal } from "../output/person-at-terminal.js";
import type { Screen } from "../output/screen.js";
import { visibleLine } from "../output/visible-text.js";
import { reviewOnTerminal } from "../review/review-on-terminal.js";
import type { Session } from "../session.js";
import { type Interrupts, isSecond } from "./read-text.js";
import type { WaitingQuestions } from "./waiting-questions.js";

/** What happened in a turn, for whoever asks afterwards. */
export interface Story {
  readonly view: RunView;
  /** Every fact worth telling with its time. */
  readonly lines: readonly string[];
}

export interface TurnPlan {
  readonly conversation: Conversation;
  readonly start: Pick<Start, "output" | "simulated" | "review">;
  /** The question with the files it names by `@path`, and the team that may read them. */
  readonly withReferences: (question: string) => Promise<{ readonly question: string; readonly loaded?: LoadedConfig }>;
  /** Sentences about files and commands that were said already. */
  readonly notesSeen: Set<string>;
  /** What is typed while a turn runs, where its screen has a place for it. */
  readonly waiting: WaitingQuestions;
}

export interface AskedTurn {
  readonly story: Story;
  readonly wasCancelled: boolean;
}

/**
 * Asks one question of a conversation and shows the run. Ctrl+C cancels it, and what agents had by then is kept; a second
 * one within two seconds leaves the program.
 *
 * @throws MassgenError when there is no answer and nobody cancelled, or what came of it could not be kept
 */
export async function askTurn(
  { conversation, start, withReferences, notesSeen, waiting }: TurnPlan,
  question: string,
  interrupts: Interrupts,
  io: Io,
  session: Session,
): Promise<AskedTurn> {
  const stop = new AbortController();
  const release = io.onInterrupt(() => {
    if (isSecond(interrupts, io.monotonic()) || stop.signal.aborted) return "leave";
    stop.abort(new Error("interrupted"));
    return "handled";
  });
  try {
    const { output, simulated, review = false } = start;
    const interrupt = AbortSignal.any([io.interrupt, stop.signal]);
    const story = createStory();
    const name = chooseScreen(output, io);
    const screen = watched(await createScreen(name, io, output.look), story);
    session.close = screen.close;
    screen.converse?.(waiting);
    const asked = await withReferences(question);
    const asking = { ...(review ? { reviewChanges: reviewOnTerminal(io, screen) } : {}), ...personAtTerminal(name, screen, io, session) };
    const prepared = await conversation.prepare(asked.question, {
      ...asked,
      ...asking,
      signal: interrupt,
      onWaiting: (message) => screen.say("warning", message),
    });
    session.logDirectory = prepared.logDirectory;
    session.redact = prepared.redact;
    for (const note of prepared.notes) {
      if (!notesSeen.has(note)) screen.say("warning", note);
      notesSeen.add(note);
    }
    await execute({ question: asked.question, prepared, screen, output, simulated, saved: prepared.saved }, { ...io, interrupt });
    if (stop.signal.aborted) io.err.write("cancelled; what the agents had is kept for the next question\n");
    return { story: story.told(), wasCancelled: stop.signal.aborted };
  } finally {
    release();
  }
}

const watched = (screen: Screen, story: { readonly tell: Screen["event"] }): Screen => ({
  ...screen,
  event: (event) => {
    story.tell(event);
    screen.event(event);
  },
});

/** Folds events as they pass, so that what is asked afterwards needs no file. */
export function createStory(): { readonly tell: Screen["event"]; readonly told: () => Story } {
  let view: RunView = emptyRunView;
  const lines: string[] = [];
  return {
    tell: (event) => {
      if (!("seq" in event)) return;
      view = foldRecord(view, event);
      const sentence = describeRecord(event, view);
      if (sentence !== null)
        lines.push(`${formatDuration(event.at - (view.startedAt ?? event.at)).padStart(10)}  ${visibleLine(sentence)}`);
    },
    told: () => ({ view, lines }),
  };
}
