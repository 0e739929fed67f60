import { join } from "node:path";
import { addInputHistory, createRedactor, readInputHistory, secretsInEnvironment } from "@massgen/logs";
import { type Conversation, type Session as Conversed, checkTeam, startConversation } from "@massgen/sdk";
import { excerpt, readInput } from "@massgen/views";
import type { RunRequest } from "../args/request.js";
import { loadTeam, type Team } from "../commands/load-team.js";
import { readReferences } from "../commands/read-references.js";
import { keepingOf } from "../commands/resume-session.js";
import { logSettings, type Start } from "../commands/start-run.js";
import { reportError } from "../errors.js";
import { type ExitCode, INTERRUPTED } from "../exit.js";
import type { Io, LineReader } from "../io.js";
import { chooseScreen, chooseTheme } from "../output/choose-screen.js";
import { counted } from "../output/plain/names.js";
import { visibleLine, visibleText } from "../output/visible-text.js";
import { requireTerminal } from "../review/review-on-terminal.js";
import type { Session } from "../session.js";
import { answerCommand } from "./answer-command.js";
import { askTurn, type TurnPlan } from "./ask-turn.js";
import type { Dialogue } from "./dialogue.js";
import { type Interrupts, readText } from "./read-text.js";
import { createWaitingQuestions } from "./waiting-questions.js";

export interface ConverseStart extends Pick<Start, "output" | "origin" | "review" | "simulated" | "warnings"> {
  readonly team: Team;
  readonly request: RunRequest;
  readonly resumed: Conversed | null;
  /** Asked at once, before anything is typed. */
  readonly first: string | null;
}

/** Interactive mode on a plain terminal: question after question, until it is left. */
export async function converse(start: ConverseStart, io: Io, session: Session): Promise<ExitCode> {
  const { team, request, resumed, warnings } = start;
  const warn = (message: string): void => io.err.write(`massgen: warning: ${visibleLine(message)}\n`);
  for (const warning of warnings) warn(warning);
  if (start.review === true) requireTerminal(start.output, io);
  // A key that is missing is told now and not after the first question.
  await checkTeam(team.plan);
  const origin = start.origin === null ? null : { ...start.origin, cliArgs: { mode: "interactive", ...(start.origin.cliArgs as object) } };
  const logs = logSettings({ ...start, origin }, io, warn);
  const conversation = startConversation({ ...team.plan, logs, keep: keepingOf(request, resumed, logs !== null, io, warn) });
  const historyFile = join(io.env["HOME"] || ".", ".massgen", "input_history");
  const hasScreen = chooseScreen(start.output, io) === "tui";
  const editor = hasScreen ? { theme: chooseTheme(io, start.output.look).theme, cwd: io.cwd } : undefined;
  const lines = await io.openLines(await readInputHistory(historyFile), editor);
  const redactor = createRedactor([...team.loaded.secrets, ...secretsInEnvironment(team.plan.env)]);
  const dialogue: Dialogue = { conversation, team, last: null, saved: new Set() };
  io.err.write(greeting(dialogue, hasScreen));
  try {
    return await listen({
      dialogue,
      first: start.first,
      lines,
      plan: {
        conversation,
        start,
        withReferences: (question) => withReferences({ ...request, question }, io),
        notesSeen: new Set(),
        waiting: createWaitingQuestions(),
      },
      remember: (text) => {
        lines.remember(text);
        return addInputHistory(historyFile, text, redactor);
      },
      io,
      session,
    });
  } finally {
    lines.close();
    await conversation.close();
  }
}

async function withReferences(request: RunRequest & { readonly question: string }, io: Io): ReturnType<TurnPlan["withReferences"]> {
  const { question, contextPaths } = await readReferences(request, io);
  if (contextPaths.length === request.contextPaths.length) return { question: question ?? request.question };
  return { question: question ?? request.question, loaded: (await loadTeam({ ...request, contextPaths }, io)).loaded };
}

interface Listening {
  readonly dialogue: Dialogue;
  readonly first: string | null;
  readonly lines: LineReader;
  readonly plan: TurnPlan;
  readonly remember: (text: string) => Promise<void>;
  readonly io: Io;
  readonly session: Session;
}

async function listen({ dialogue, first, lines, plan, remember, io, session }: Listening): Promise<ExitCode> {
  /** What waited for a turn that came to nothing is not asked unseen. */
  async function setAside(): Promise<void> {
    const texts = plan.waiting.all();
    for (const text of texts.toReversed()) await remember(text);
    while (plan.waiting.take() !== null);
    if (texts.length > 0) io.err.write(`not asked, but a key away (up): ${counted(texts.length, "question")} that waited\n`);
  }
  /** What was typed while a turn ran stands in front of its answer as what is typed now does. */
  function waited(): string | null {
    const text = plan.waiting.take();
    if (text !== null) io.err.write(`> ${visibleText(text)}\n`);
    return text;
  }
  const interrupts: Interrupts = { lastMs: Number.NEGATIVE_INFINITY };
  for (let next = first; ; next = waited()) {
    const typed = next === null ? await readText(lines, interrupts, io) : ({ is: "text", text: next } as const);
    if (typed.is === "leave" || io.interrupt.aborted) return INTERRUPTED;
    if (typed.is === "end") return 0;
    const input = readInput(typed.text);
    if (input.is === "nothing") continue;
    await remember(typed.text);
    try {
      if (input.is === "question") {
        const { story, wasCancelled } = await askTurn(plan, input.text, interrupts, io, session);
        dialogue.last = story;
        if (wasCancelled) await setAside();
      } else if (input.is === "unknown") io.err.write(unknown(input.word, input.near));
      else if (input.command.name === "quit") return 0;
      else await answerCommand(dialogue, input.command, input.argument, io);
    } catch (error) {
      // What goes wrong with one question is said, and the next one may be asked.
      reportError(error, session, io);
      await setAside();
    }
    if (io.interrupt.aborted) return INTERRUPTED;
  }
}

const unknown = (word: string, near: readonly string[]): string =>
  `massgen: there is no command ${visibleLine(word)}${near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`} All commands: /help. To ask it as it is: /${visibleLine(word)}\n`;

/** Enough of a question, and of what was answered, to know which conversation it is. */
const EXCERPT = 160;

function greeting({ conversation, team }: { readonly conversation: Conversation; readonly team: Team }, hasEditor: boolean): string {
  const agents = team.config.agents.map(({ id, backend }) => `${id} (${backend.model ?? backend.type})`);
  const { turns } = conversation;
  const last = turns.at(-1);
  const gone =
    last === undefined
      ? ""
      : `${counted(turns.length, "turn")} so far; /history shows ${turns.length === 1 ? "it" : "them"}. The last${last.status === "complete" ? "" : ", cut off"}:
> ${visibleLine(excerpt(last.task, EXCERPT))}
${visibleLine(excerpt(last.answer ?? "(nothing)", EXCERPT))}
`;
  return `massgen · ${agents.map(visibleLine).join(", ")}\n${gone}/help lists the commands, ${hasEditor ? "@ names a file, a \\ at the end begins a new line" : '""" begins a text of several lines'}, Ctrl+D leaves\n`;
}
