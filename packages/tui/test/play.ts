import type { RunEvent } from "@massgen/contracts";
import { coordinate } from "@massgen/core";
import { newAnswer, reasoning, runVirtual, scriptedBackend, type Turn, testAmbient, text, vote } from "@massgen/testing";
import { foldEvent, type ScreenState } from "../src/index.js";
import { openedState } from "../src/state.js";

export const opened = (question = "Which cache policy fits a read-heavy API?"): ScreenState => ({
  ...openedState({ question, simulated: false, startedMs: 0 }),
  nowMs: 65_000,
});

export type Say = (agent: string, label: string) => { readonly answer: string; readonly reason: string };
const plain: Say = (agent) => ({ answer: `**${agent}** would use ARC, because it adapts.`, reason: `The clearest of all, says ${agent}.` });

/** Every event of a run in which all answer, all vote for agent1, and agent1 presents. */
export async function played(ids: readonly string[], say: Say = plain): Promise<readonly RunEvent[]> {
  const ambient = testAmbient();
  const events: RunEvent[] = [];
  const run = coordinate({
    question: "Which cache policy fits a read-heavy API?",
    ambient,
    timeZone: "UTC",
    agents: ids.map((id, index) => {
      const { answer, reason } = say(id, `agent${index + 1}.1`);
      const steps: readonly Turn[] =
        ids.length === 1
          ? [[reasoning("Let me think."), text(answer)]]
          : [
              [reasoning("Let me think."), text("Here it comes."), newAnswer(answer)],
              vote("agent1", reason),
              text("Use ARC: it adapts to what is read."),
            ];
      return { id, backend: scriptedBackend({ clock: ambient.clock, id: "test", model: `model-of-${index + 1}`, steps }) };
    }),
  });
  const watching = (async () => {
    for await (const event of run) events.push(event);
  })();
  await runVirtual(ambient.clock, run.outcome);
  await watching;
  return events;
}

export const folded = (events: readonly RunEvent[], from: ScreenState = opened()): ScreenState => events.reduce(foldEvent, from);

/** What had happened until the fact of this type came for the nth time. */
export function until(events: readonly RunEvent[], type: RunEvent["type"], nth = 1): readonly RunEvent[] {
  let seen = 0;
  const at = events.findIndex((event) => event.type === type && ++seen === nth);
  return events.slice(0, at + 1);
}
