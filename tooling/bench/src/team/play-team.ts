import type { ActivityFact, BackendAdapter, BackendEvent, Part } from "@massgen/contracts";
import { basicCapabilities, type Coordination, coordinate, type Executor } from "@massgen/core";

export interface TeamSize {
  readonly agents: number;
  /** Of every agent, before it votes. */
  readonly answers: number;
  /** Tokens of text that every response streams before its call. */
  readonly tokens?: number;
}

/**
 * `whole`: a run with its conversations, where every prompt holds all answers there are. `rules`: the same facts without a
 * conversation, from agents that claim without a word.
 */
export type TeamPart = "whole" | "rules";

/** A team that plays by itself, on a vendor that takes no time, to its end. */
export async function playTeam(part: TeamPart, { agents, answers, tokens = 0 }: TeamSize): Promise<Coordination> {
  const run = coordinate({
    question: "Which cache policy fits?",
    agents: Array.from({ length: agents }, (_, index) => ({ id: `a${index}`, backend: talker(index, answers, tokens) })),
    policy: { maxAnswersPerAgent: answers },
    timeZone: "UTC",
    ...(part === "rules" ? { executor: claimer(answers) } : {}),
  });
  const { status } = await run.outcome;
  if (status !== "completed") throw new Error(`The run ended as ${status}.`);
  return run;
}

/** Answers so many times, each time another text, and votes whenever it may do nothing else. */
function talker(index: number, most: number, tokens: number): BackendAdapter {
  let answers = 0;
  return {
    specVersion: 1,
    id: "bench",
    model: "bench",
    capabilities: basicCapabilities,
    async *stream(): AsyncGenerator<BackendEvent> {
      yield { type: "turn_start", model: "bench", warnings: [] };
      const call: Extract<Part, { type: "tool_call" }> =
        answers < most
          ? { type: "tool_call", callId: `c${answers}`, tool: "new_answer", input: { content: `Answer ${answers} of ${index}.` } }
          : { type: "tool_call", callId: "v", tool: "vote", input: { agent_id: "agent1", reason: "good" } };
      answers += 1;
      for (let token = 0; token < tokens; token++) yield { type: "text_delta", text: " word" };
      yield { ...call, executedBy: "host" };
      yield {
        type: "turn_end",
        reason: "tool_calls",
        message: { role: "assistant", parts: tokens === 0 ? [call] : [{ type: "text", text: " word".repeat(tokens) }, call] },
        usage: null,
      };
    },
    dispose: () => Promise.resolve(),
  };
}

/** The claims of such an agent, and the reports of its calls. */
const claimer = (most: number): Executor => ({
  async execute(work) {
    const { agent } = work.effect;
    if (work.effect.kind !== "run_round") return void (await work.offer({ type: "presented", agent, content: "final" }));
    const { round } = work.effect;
    const call: ActivityFact = {
      type: "llm_call",
      agent,
      round,
      callId: "call",
      purpose: "work",
      status: "started",
      ttftMs: null,
      durationMs: null,
      message: null,
    };
    while (!work.signal.aborted) {
      const unseen = work.inputs()?.unseen ?? [];
      if (unseen.length > 0) await work.offer({ type: "update_delivered", agent, round, labels: unseen });
      work.report({ type: "activity_reported", fact: call });
      work.report({ type: "activity_reported", fact: { ...call, status: "finished" } });
      const answers = work.state().agents[agent]?.answers ?? 0;
      const text = `Answer ${answers} of ${agent}.`;
      await work.offer(
        answers < most
          ? { type: "answer_offered", agent, round, content: text, fingerprint: text, snapshot: null }
          : { type: "vote_offered", agent, round, target: "agent1", reason: "good", confidence: null },
      );
    }
  },
});
