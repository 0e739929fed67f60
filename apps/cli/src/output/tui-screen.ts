import type { AgentId, RunEvent } from "@massgen/contracts";
import type {
  createStyle,
  openPrompt,
  openTui,
  processTerminal,
  ServerState,
  ThemeName,
  Tui,
  TuiOptions,
  WaitingRequest,
} from "@massgen/tui";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import { listFolder } from "../interactive/list-folder.js";
import type { WaitingQuestions } from "../interactive/waiting-questions.js";
import type { Io } from "../io.js";
import { addressed } from "./addressed.js";
import { changeLine } from "./changed-files.js";
import { cells } from "./columns.js";
import type { Paint } from "./paint.js";
import { closingLines } from "./plain/closing.js";
import type { Layout } from "./plain/layout.js";
import { nameOf } from "./plain/names.js";
import type { RunStart, Screen } from "./screen.js";
import { visibleLine } from "./visible-text.js";
import { workspaceFiles } from "./workspace-files.js";

export interface TuiScreenOptions {
  readonly openTui: typeof openTui;
  readonly openPrompt: typeof openPrompt;
  readonly createStyle: typeof createStyle;
  readonly processTerminal: typeof processTerminal;
  readonly theme: ThemeName;
  readonly panes: NonNullable<TuiOptions["panes"]>;
}

/** Lines for stderr that are kept until the terminal is given back. */
const MAX_SAID = 1_000;

/** The whole terminal for the run while it goes on; afterwards the answer stands where every other program would have put it. */
export function createTuiScreen(
  io: Io,
  paint: Paint,
  { openTui, openPrompt, createStyle, processTerminal, theme, panes }: TuiScreenOptions,
): Screen {
  let tui: Tui | null = null;
  let view: RunView = emptyRunView;
  let start: RunStart | null = null;
  let waiting: WaitingQuestions | null = null;
  const closed = new AbortController();
  /** Set while somebody types. */
  let typing: Promise<void> | null = null;
  let controls: Parameters<NonNullable<Screen["control"]>>[0] | null = null;
  let ended: Promise<void> = Promise.resolve();
  /** What was said while nobody could read it, or could for a while only. */
  const said: string[] = [];

  const layout = (): Layout => {
    const names = view.state.order.map((id) => cells(nameOf(view.state, id)));
    return { width: io.out.columns(), nameWidth: Math.max(0, ...names), paint, isScreen: true };
  };
  const opened = (): Tui => {
    if (tui === null) throw new Error("nobody can be asked before the screen is there");
    return tui;
  };
  const keep = (kind: string, message: string): void => {
    said.push(`massgen: ${kind}: ${visibleLine(message)}\n`);
    if (said.length > MAX_SAID) said.shift();
  };
  /** The editor stands where the shell was; the run goes on behind it. */
  async function typeBelow(intro: string, begun: string, take: (text: string) => void | Promise<void>): Promise<void> {
    if (tui === null) return;
    const resume = tui.pause();
    try {
      io.err.write(`${intro} Ctrl+C goes back.\n`);
      const signal = AbortSignal.any([io.interrupt, closed.signal]);
      const list = (folder: string) => listFolder(folder, io.cwd);
      const typed = await openPrompt({ style: createStyle(theme), history: [], signal, list }).read(begun);
      if (typed.is === "text" && typed.text.trim() !== "") await take(typed.text);
    } catch (error) {
      tui?.notice(error instanceof Error ? error.message : String(error));
    } finally {
      resume();
    }
  }
  const type = (...what: Parameters<typeof typeBelow>): void => {
    typing ??= typeBelow(...what).finally(() => {
      typing = null;
    });
  };
  const saySomething = (): void =>
    type("Say something to the agents while they work; @name in front says it to that one.", "", async (typed) => {
      const { text, agent } = addressed(typed, view.state.order);
      const isHeard = (await controls?.send(text, agent)) === true;
      tui?.notice(isHeard ? `said to ${agent ?? "all agents"}; heard at the next step` : "too late: nobody is at work who could hear it");
    });
  function wait(questions: WaitingQuestions, { is, at }: WaitingRequest): void {
    const show = (): void => tui?.waiting(questions.all());
    if (is === "drop_question") {
      questions.drop(at);
      show();
      return;
    }
    type("A question, or a command, for when this turn is over.", at === null ? "" : (questions.all()[at] ?? ""), (text) => {
      questions.put(text, at);
      show();
    });
  }
  const close = (): void => {
    closed.abort();
    tui?.close();
    tui = null;
    for (const line of said.splice(0)) io.err.write(line);
  };

  const open: NonNullable<Screen["open"]> = ({ question, simulated }) => {
    if (tui !== null) return;
    tui = openTui({
      terminal: processTerminal(),
      question,
      simulated,
      theme,
      panes,
      ...lookInto(
        () => start,
        () => view,
      ),
      monotonic: io.monotonic,
      every: io.every,
      onAnswerNow: () => void controls?.answerNow(),
      onSay: saySomething,
      onWaiting: (request) => waiting !== null && wait(waiting, request),
      onStop: () => io.requestInterrupt(),
    });
    if (waiting !== null) tui.waiting(waiting.all());
    for (const line of said) tui.notice(line.replace(/^massgen: /, "").trimEnd());
  };

  return {
    open,
    begin(begun) {
      start = begun;
      open(begun);
    },
    converse: (questions) => {
      waiting = questions;
    },
    control: (given) => {
      controls = given;
    },
    event(event: RunEvent) {
      if ("seq" in event) view = foldRecord(view, event);
      else if (event.type === "notice" && event.level !== "info") keep("warning", event.message);
      tui?.event(event);
    },
    end(end) {
      const lines = closingLines(end, view, start, layout());
      const write = (): void => {
        close();
        io.out.write(lines.map((line) => `${line}\n`).join(""));
      };
      const isLeft = tui?.end({ answer: end.result.finalAnswer, status: end.result.status });
      // Whoever is typing finishes first: the terminal is theirs.
      ended = Promise.all([isLeft, typing]).then(write);
    },
    ended: () => ended,
    human: { ask: (request, signal) => opened().ask(request, signal) },
    async review({ changes: all, refused, answer }, signal) {
      const changes = all.filter(({ path }) => !refused.has(path));
      if (changes.length === 0) return { accept: "all" };
      const files = changes.map((change) => ({ path: change.path, line: changeLine(change), diff: change.diff }));
      return opened().review(files, answer, signal);
    },
    interrupted: () => tui?.stopping(),
    say(kind, message) {
      keep(kind, message);
      tui?.notice(message);
    },
    // Who types lines gets the terminal as every other program has it.
    pause: () => tui?.pause() ?? (() => {}),
    fail: () => {},
    close,
  };
}

/** What the screen shows of the machine: files of agents, and their servers; nothing before the run is ready. */
function lookInto(start: () => RunStart | null, view: () => RunView): Pick<TuiOptions, "files" | "servers"> {
  const equipmentOf = (id: AgentId) => start()?.machine?.equipmentOf(id) ?? { workspace: null, servers: {} };
  const serversOf = (id: AgentId): readonly ServerState[] =>
    Object.entries(equipmentOf(id).servers).map(([name, server]) => ({ name, ...server }));
  return {
    files: workspaceFiles(
      (agent) => equipmentOf(agent).workspace,
      (text) => start()?.machine?.redact(text) ?? text,
    ),
    servers: () => new Map(view().state.order.map((id) => [id, serversOf(id)])),
  };
}
