import { formatCount, formatDuration, itemsOf, type ToolView, toolStatsOf } from "@massgen/views";
import type { ScreenState, ServerState } from "../state.js";
import type { Role, Style } from "../style.js";
import { filled, lineOf } from "../text.js";

/** The servers of every agent, and what each agent has called so far. */
export function toolsLines(state: ScreenState, width: number, style: Style): readonly string[] {
  const calls = [...itemsOf(state.view.activity.tools)];
  return state.view.state.order.flatMap((id, index) => [
    ...(index === 0 ? [] : [""]),
    style("strong", lineOf(id, width)),
    ...(state.servers.get(id) ?? []).flatMap((server) => serverLines(server, width, style)),
    ...callLines(
      calls.filter(({ agent }) => agent === id),
      runningOf(state, id),
      width,
      style,
    ),
  ]);
}

const STATES: Readonly<Record<ServerState["state"], readonly [mark: string, role: Role]>> = {
  starting: ["…", "accent"],
  ready: ["✓", "good"],
  failed: ["✗", "bad"],
  closed: ["–", "faint"],
};

function serverLines({ name, state, tools, error }: ServerState, width: number, style: Style): readonly string[] {
  const [mark, role] = STATES[state];
  const has = state === "ready" ? ` · ${formatCount(tools)} ${tools === 1 ? "tool" : "tools"}` : "";
  return [
    style(role, lineOf(`${mark} MCP server ${name}: ${state}${has}`, width)),
    ...(error === null ? [] : [`  ${style("faint", lineOf(error, width - 2))}`]),
  ];
}

function callLines(calls: readonly ToolView[], running: readonly string[], width: number, style: Style): readonly string[] {
  const stats = toolStatsOf(calls);
  if (stats.size === 0 && running.length === 0) return [style("faint", "  has called no tool yet")];
  const names = [...new Set([...stats.keys(), ...running])];
  const nameCells = Math.max(8, Math.min(40, width - 46));
  return names.map((name) => {
    const { calls: count, failures, durationMs } = stats.get(name) ?? { calls: 0, failures: 0, durationMs: 0 };
    const open = running.filter((one) => one === name).length;
    const cells = [
      `${formatCount(count)} ${count === 1 ? "call" : "calls"}`,
      formatDuration(durationMs),
      ...(failures === 0 ? [] : [style("bad", `${formatCount(failures)} failed`)]),
      ...(open === 0 ? [] : [style("accent", `${open} running`)]),
    ];
    return `  ${filled(lineOf(name, nameCells), nameCells)} ${cells.join(" · ")}`;
  });
}

const runningOf = ({ streams }: ScreenState, id: string): readonly string[] =>
  (streams.get(id)?.pieces ?? []).flatMap((piece) => (piece.kind === "tool" && piece.result === null ? [piece.name] : []));
