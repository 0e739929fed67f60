import type { Delta } from "@massgen/contracts";

interface FloorOptions {
  readonly agents: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly write: (text: string) => void;
}

/** Thirty times a second. */
const FRAME_MS = 33;
const KEPT_CHARS = 8_000;

/**
 * The least that shows a team: a line for each agent, the end of what one of them says, and each frame only the lines that
 * changed. It knows no wide letters, no votes, no keys.
 */
export function openFloor({ agents, columns, rows, write }: FloorOptions): {
  readonly delta: (delta: Delta) => void;
  readonly close: () => void;
} {
  const texts = new Map(agents.map((agent) => [agent, { end: "", count: 0 }]));
  let shown: readonly string[] = [];
  let isChanged = true;
  const draw = (): void => {
    if (!isChanged) return;
    isChanged = false;
    const heads = agents.map((agent) => `${agent} ${texts.get(agent)?.count ?? 0}`.padEnd(columns));
    const frame = [...heads, ...lastLines(texts.get(agents[0] ?? "")?.end ?? "", columns, rows - heads.length)];
    const changed = frame.flatMap((line, index) => (shown[index] === line ? [] : [`\u001b[${index + 1};1H${line}`]));
    shown = frame;
    if (changed.length > 0) write(changed.join(""));
  };
  const timer = setInterval(draw, FRAME_MS);
  return {
    delta(delta) {
      if (delta.type !== "content_delta") return;
      const text = texts.get(delta.agent);
      if (text === undefined) return;
      text.end = (text.end + delta.text).slice(-KEPT_CHARS);
      text.count += 1;
      isChanged = true;
    },
    close: () => clearInterval(timer),
  };
}

function lastLines(text: string, columns: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n").slice(-count)) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line.length + word.length + 1 > columns) {
        lines.push(line.padEnd(columns));
        line = "";
      }
      line += line === "" ? word : ` ${word}`;
    }
    lines.push(line.padEnd(columns));
  }
  return lines.slice(-count);
}
