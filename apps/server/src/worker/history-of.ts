import type { RunPlan } from "@massgen/sdk";
import type { TakenRun } from "@massgen/store-postgres";
import type { RunView } from "@massgen/views";
import { queuedRequest, readQueuedView } from "../runs/queued-summary.js";

type History = NonNullable<RunPlan["history"]>;

/** What was said before in the conversation of a run: every question with its answer, or what there was when it was cut off. */
export async function historyOf({ turnsBefore, store }: Pick<TakenRun, "turnsBefore" | "store">): Promise<History> {
  const history: History[number][] = [];
  for (const turn of await turnsBefore()) {
    const request = queuedRequest.safeParse(turn.request);
    const answer = answerOf(await readQueuedView(turn, store));
    if (!request.success || answer === null) continue;
    history.push({ role: "user", text: request.data.question }, { role: "assistant", text: answer });
  }
  return history;
}

function answerOf({ state }: RunView): string | null {
  const { finalAnswer, decision } = state;
  const whole = finalAnswer ?? state.answers.find(({ label }) => label === decision?.label)?.content;
  if (whole !== undefined) return whole;
  if (state.answers.length === 0) return null;
  const blocks = state.order.map(
    (id) => `${state.agents[id]?.card.anon ?? id}: ${state.answers.findLast(({ by }) => by === id)?.content ?? "no answer yet."}`,
  );
  return `(This turn was cut off before it had a result. There is no final answer; this is what each agent had by then.)\n\n${blocks.join("\n\n")}`;
}
