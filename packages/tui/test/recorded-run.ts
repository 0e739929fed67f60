import type { RunEvent, ToolHandler } from "@massgen/contracts";
import { coordinate } from "@massgen/core";
import { newAnswer, reasoning, runVirtual, scriptedBackend, type Turn, testAmbient, text, toolCall, vote, wait } from "@massgen/testing";
import { foldEvent, type ScreenState } from "../src/index.js";
import { openedState } from "../src/state.js";

const QUESTION = "Which cache policy fits a read-heavy API?";

const LRU = "**LRU** with a limit of 10,000 entries.\n\nReads repeat within minutes, so what was read last is read next.";
const ARC = `**ARC**: it keeps what is read often apart from what was read last, so that one scan does not empty it.

\`\`\`ts
const cache = createCache({ policy: "arc", entries: 10_000 });
\`\`\`

Measure the hit rate for a day before the limit is raised.`;
const TTL = "Whatever policy: give every entry **60 s**, for an API may change what it says.";

const TEAM: readonly (readonly [id: string, model: string, steps: readonly Turn[]])[] = [
  [
    "atlas",
    "gpt-5",
    [
      [reasoning("A cache for reads. What repeats?"), wait(2_100), newAnswer(LRU)],
      [wait(6_000), vote("agent2", "It survives a scan; mine does not.")],
      [wait(2_000), vote("agent2", "It survives a scan, and says how to check.")],
    ],
  ],
  [
    "birch",
    "claude-sonnet-4-5",
    [
      [reasoning("Scans are what empties an LRU."), toolCall("mcp__desk__lookup", { subject: "adaptive replacement cache" })],
      [wait(2_400), newAnswer(ARC.replace("\n\nMeasure the hit rate for a day before the limit is raised.", ""))],
      [text("agent1 is right that reads repeat. It says nothing of scans."), wait(2_500), newAnswer(ARC)],
      [wait(1_500), vote("agent2", "Only it says how to find out whether it works.")],
      [wait(900), text(`${ARC}\n\n${TTL}`)],
    ],
  ],
  [
    "cedar",
    "gemini-2.5-pro",
    [
      [wait(4_200), newAnswer(TTL)],
      [text("Two policies, and none says for how long."), wait(7_000), vote("agent2", "Right, and a limit in time can be added.")],
      [wait(3_000), vote("agent2", "Right, and a limit in time can be added.")],
    ],
  ],
];

const lookup: ToolHandler = {
  spec: { name: "mcp__desk__lookup", description: "Looks something up.", input: { type: "object" } },
  risk: "read",
  timeoutMs: null,
  effects: () => [],
  async run(_input, { ambient, signal }) {
    await ambient.clock.sleepUntil(ambient.clock.monotonic() + 800, signal);
    return { parts: [{ type: "text", text: "It balances what is recent and what is frequent.\nIt needs no tuning." }], isError: false };
  },
};

/** A run of three with a second answer, votes that it makes void, and a presentation; nothing of it depends on the machine. */
export async function recordedRun(): Promise<readonly RunEvent[]> {
  const ambient = testAmbient();
  const events: RunEvent[] = [];
  const run = coordinate({
    question: QUESTION,
    ambient,
    timeZone: "UTC",
    agents: TEAM.map(([id, model, steps]) => ({
      id,
      backend: scriptedBackend({ clock: ambient.clock, id: "test", model, steps }),
      tools: [lookup],
    })),
  });
  const watching = (async () => {
    for await (const event of run) events.push(event);
  })();
  await runVirtual(ambient.clock, run.outcome);
  await watching;
  return events;
}

/** The screen after these events, its clock that of the run. */
export function watched(events: readonly RunEvent[]): ScreenState {
  const beganAt = events.find((event) => "seq" in event)?.at ?? 0;
  let state = openedState({ question: QUESTION, simulated: false, startedMs: 0 });
  for (const event of events) state = foldEvent("seq" in event ? { ...state, nowMs: event.at - beganAt } : state, event);
  return state;
}
