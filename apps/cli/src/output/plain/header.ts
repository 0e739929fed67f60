import type { Recorded } from "@massgen/contracts";
import { cut, pad, wrap } from "../columns.js";
import type { RunStart } from "../screen.js";
import { visibleLine, visibleText } from "../visible-text.js";
import { type Layout, preview } from "./layout.js";
import { counted } from "./names.js";

type Started = Extract<Recorded, { type: "run_started" }>;

export const SIMULATED = "simulated: no model was asked, the answers come from stand-ins";

/** The first lines of a run on a terminal: the question, and who works on it. */
export function headerLines(fact: Started, start: RunStart, { width, paint }: Layout): readonly string[] {
  const team = fact.agents.length === 1 ? "one agent" : counted(fact.agents.length, "agent");
  const title = `${paint.strong("massgen")} ${paint.faint("·")} ${team}`;
  const question = preview(visibleText(fact.question), Math.max(10, width - 2), 6).map((line) => `  ${line}`);
  const names = fact.agents.map((card) => ({
    anon: card.anon,
    id: visibleLine(card.id),
    model: `${visibleLine(card.model)} (${visibleLine(card.backend)})`,
  }));
  const idWidth = Math.min(24, Math.max(...names.map((name) => name.id.length)));
  const rows = names.map(({ anon, id, model }) => {
    const who = id === anon ? pad("", 0) : `${pad(id, idWidth)}  `;
    return cut(`  ${pad(anon, 7)} ${who}${model}`, width);
  });
  return [title, ...(start.simulated ? wrap(SIMULATED, width).map(paint.warning) : []), "", ...question, "", ...rows.map(paint.faint), ""];
}

/** The same as one line per fact, for pipes. */
export function headerLine(fact: Started, start: RunStart): readonly string[] {
  const agents = fact.agents.map((card) => {
    const model = `${visibleLine(card.model)}, ${visibleLine(card.backend)}`;
    return card.id === card.anon ? `${card.anon} (${model})` : `${card.anon} ${visibleLine(card.id)} (${model})`;
  });
  return [
    ...(start.simulated ? [`0:00 ${SIMULATED}`] : []),
    `0:00 question: ${cut(visibleLine(fact.question), 500)}`,
    `0:00 agents: ${agents.join(", ")}`,
  ];
}
