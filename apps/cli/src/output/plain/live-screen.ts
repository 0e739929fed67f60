import type { RunEvent } from "@massgen/contracts";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import type { Io } from "../../io.js";
import { cells } from "../columns.js";
import type { Paint } from "../paint.js";
import type { RunStart, Screen } from "../screen.js";
import { visibleLine } from "../visible-text.js";
import { type Activities, noteEvent } from "./activity.js";
import { areaRows } from "./area.js";
import { blocksOf } from "./blocks.js";
import { closingLines } from "./closing.js";
import { decisionBlocks } from "./decision.js";
import { headerLines } from "./header.js";
import { type Layout, paragraph } from "./layout.js";
import { nameOf } from "./names.js";
import { createRedraw } from "./redraw.js";

/** Ten pictures a second are enough to see text arrive. */
const FRAME_MS = 100;
const NAME_CELLS = 20;

/** For a person at a terminal: facts are written for good, and what the agents do now stands below them. */
export function createLiveScreen({ out, err, monotonic, every }: Pick<Io, "out" | "err" | "monotonic" | "every">, paint: Paint): Screen {
  const redraw = createRedraw(out.write);
  const startedMs = monotonic();
  let view: RunView = emptyRunView;
  let activities: Activities = {};
  let start: RunStart | null = null;
  let waiting: string[] = [];
  let changed = false;
  let closed = false;
  let pauses = 0;

  const layout = (): Layout => {
    const names = view.state.order.map((id) => cells(nameOf(view.state, id)));
    return { width: out.columns(), nameWidth: Math.min(NAME_CELLS, Math.max(0, ...names)), paint, isScreen: true };
  };
  const draw = (): void => {
    if (closed || pauses > 0) return;
    const rows = areaRows({ run: view.state, activities, nowMs: monotonic(), startedMs, rows: out.rows() }, layout());
    redraw.write(waiting, rows, out.columns());
    waiting = [];
    changed = false;
  };
  // The clock in the rows moves once a second, text as often as it comes.
  let frame = 0;
  const stop = every(FRAME_MS, () => {
    frame++;
    if (changed || waiting.length > 0 || frame % 10 === 0) draw();
  });

  const event = (event: RunEvent): void => {
    activities = noteEvent(activities, event, monotonic());
    changed = true;
    if (!("seq" in event)) {
      if (event.type === "notice" && event.level !== "info") say("warning", event.message);
      return;
    }
    view = foldRecord(view, event);
    if (event.type === "run_started" && start !== null) waiting.push(...headerLines(event, start, layout()));
    const blocks = event.type === "winner_selected" ? decisionBlocks(view, start?.simulated === true) : blocksOf(event, view.state);
    const elapsedMs = event.at - (view.startedAt ?? event.at);
    for (const block of blocks.filter(({ weight }) => weight !== "detail")) waiting.push(...paragraph(block, elapsedMs, layout()));
  };
  /** Takes the area away for what another stream writes; it comes back with the next picture. */
  const above = (line: string): void => {
    if (pauses > 0) return void err.write(`${line}\n`);
    draw();
    redraw.erase(out.columns());
    err.write(`${line}\n`);
    changed = true;
  };
  const say: Screen["say"] = (kind, message) =>
    above(`${(kind === "warning" ? paint.warning : paint.faint)(`${kind}:`)} ${visibleLine(message)}`);
  const close = (): void => {
    if (closed) return;
    draw();
    redraw.erase(out.columns());
    closed = true;
    stop();
  };

  return {
    begin: (begun) => {
      start = begun;
    },
    event,
    end: (end) => {
      close();
      out.write(
        closingLines(end, view, start, layout())
          .map((line) => `${line}\n`)
          .join(""),
      );
    },
    interrupted: () => above(paint.warning("interrupted: saving what is there. Ctrl+C again leaves at once.")),
    say,
    pause: () => {
      draw();
      redraw.erase(out.columns());
      pauses += 1;
      return () => {
        pauses -= 1;
        changed = true;
      };
    },
    fail: () => {},
    close,
  };
}
