import { pad, wrap } from "../output/columns.js";
import type { Paint } from "../output/paint.js";
import { visibleLine } from "../output/visible-text.js";
import type { Check } from "./check.js";

const WORDS = { ok: "ok", note: "note", problem: "FAIL" } as const;
const NAME_WIDTH = 14;
const INDENT = 4 + 2 + NAME_WIDTH + 2;

/** One check a row, with what to do below it; the states are words, colours only repeat them. */
export function checkLines(
  checks: readonly Check[],
  { paint, columns, ready = READY }: { readonly paint: Paint; readonly columns: number; readonly ready?: string },
): string {
  const width = Math.max(20, Math.min(columns, 100) - INDENT);
  const colour = { ok: paint.winner, note: paint.warning, problem: paint.failure } as const;
  const rows = checks.flatMap(({ name, state, found, remedy }) => {
    const text = [...wrap(visibleLine(found), width), ...(remedy === null ? [] : wrap(`-> ${visibleLine(remedy)}`, width))];
    return text.map((line, place) =>
      place === 0
        ? `${colour[state](pad(WORDS[state], 4))}  ${pad(visibleLine(name), NAME_WIDTH)}  ${line}`
        : `${" ".repeat(INDENT)}${line}`,
    );
  });
  return `${[...rows, "", closing(checks, ready)].join("\n")}\n`;
}

const READY = 'Ready: massgen "your question", with --config or --model.';

function closing(checks: readonly Check[], ready: string): string {
  const count = checks.filter(({ state }) => state === "problem").length;
  if (count === 0) return ready;
  return count === 1 ? "1 problem." : `${count} problems.`;
}
