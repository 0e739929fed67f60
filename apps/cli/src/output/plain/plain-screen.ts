import type { RunEvent } from "@massgen/contracts";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import type { Sink } from "../../io.js";
import type { Paint } from "../paint.js";
import type { RunStart, Screen } from "../screen.js";
import { visibleLine } from "../visible-text.js";
import { blocksOf } from "./blocks.js";
import { closingLines } from "./closing.js";
import { decisionBlocks } from "./decision.js";
import { headerLine } from "./header.js";
import { type Layout, oneLine } from "./layout.js";

export interface PlainScreenOptions {
  readonly out: Sink;
  readonly err: Sink;
  readonly paint: Paint;
}

/** One line per fact, in order, without cursor control; then the answer. For pipes, files and `--no-display`. */
export function createPlainScreen({ out, err, paint }: PlainScreenOptions): Screen {
  let view: RunView = emptyRunView;
  let start: RunStart | null = null;
  const layout = (): Layout => ({ width: out.columns(), nameWidth: 0, paint, isScreen: out.isTerminal });
  let waiting: string[] | null = null;
  const put = (lines: readonly string[]): void => {
    if (waiting !== null) waiting.push(...lines);
    else if (lines.length > 0) out.write(lines.map((line) => `${line}\n`).join(""));
  };

  const event = (event: RunEvent): void => {
    if (!("seq" in event)) {
      if (event.type === "notice" && event.level !== "info") say("warning", event.message);
      return;
    }
    view = foldRecord(view, event);
    const elapsedMs = event.at - (view.startedAt ?? event.at);
    if (event.type === "run_started" && start !== null) put(headerLine(event, start));
    const blocks = event.type === "winner_selected" ? decisionBlocks(view, start?.simulated === true) : blocksOf(event, view.state);
    put(blocks.map((block) => oneLine(block, elapsedMs, layout())));
  };
  const say: Screen["say"] = (kind, message) => err.write(`massgen: ${kind}: ${visibleLine(message)}\n`);

  return {
    begin: (begun) => {
      start = begun;
    },
    event,
    end: (end) => put(closingLines(end, view, start, layout())),
    interrupted: () => err.write("massgen: interrupted: saving what is there\n"),
    say,
    pause: () => {
      waiting = [];
      return () => {
        const lines = waiting ?? [];
        waiting = null;
        put(lines);
      };
    },
    fail: () => {},
    close: () => {},
  };
}
