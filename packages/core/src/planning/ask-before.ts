import type { TurnRequest } from "@massgen/contracts";
import type { PrepareEffect, Work } from "../executor/work.js";
import { admitRequest } from "../round/admit.js";
import type { RunContext } from "../round/run-context.js";
import { streamTurn, type Turn } from "../round/stream-turn.js";

/** It comes before the first round. */
const NO_ROUND = -1;

/** Asks one agent's model something before the work begins: one message, without tools and without the agent's instructions. */
export function askBefore(text: string, work: Work<PrepareEffect>, run: RunContext): Promise<Turn> {
  const { agent: id } = work.effect;
  const agent = run.agents.get(id);
  if (agent === undefined) throw new TypeError(`there is no agent ${JSON.stringify(id)} in this process`);
  const request: TurnRequest = {
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
    tools: [],
    toolChoice: "none",
    maxOutputTokens: agent.maxOutputTokens ?? null,
    options: agent.options ?? {},
  };
  return streamTurn(request, {
    backend: agent.backend,
    agent: id,
    round: NO_ROUND,
    channel: "planning",
    ambient: run.ambient,
    stallMs: run.stallMs,
    signal: work.signal,
    emit: work.emit,
    report: (fact) => work.report({ type: "activity_reported", fact }),
    admit: admitRequest(work, run, request, ""),
    reportUsage: (usage) => work.report({ type: "usage_reported", agent: id, round: NO_ROUND, usage }),
  });
}
