import { formatDuration, type Moment } from "@massgen/views";
import type { ScreenState } from "../state.js";
import type { Style } from "../style.js";
import { lineOf } from "../text.js";

const TIME_CELLS = 6;

/** The newest facts, one a row. */
export function timelineRows({ moments }: ScreenState, width: number, height: number, style: Style): readonly string[] {
  if (height <= 0) return [];
  const title = style("strong", "What happened");
  return [title, ...moments.slice(-(height - 1)).map((moment) => momentRow(moment, width, style))].slice(0, height);
}

export function momentRow({ elapsedMs, text, tone }: Moment, width: number, style: Style): string {
  const time = formatDuration(elapsedMs).padStart(TIME_CELLS);
  return `${style("faint", time)} ${style(tone, lineOf(text, Math.max(0, width - TIME_CELLS - 1)))}`;
}
