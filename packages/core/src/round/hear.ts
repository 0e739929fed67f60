import { type RunState, unheardInputs } from "@massgen/kernel";
import type { TalkEffect, Work } from "../executor/work.js";
import type { RunContext } from "./run-context.js";
import type { Talk } from "./talk.js";

/**
 * Puts what was said to the agent meanwhile into its conversation, each once and in order (docs/spec/coordination.md 1.24).
 * True when there was something.
 */
export async function hear(talk: Talk, work: Work<TalkEffect>, { prompts }: RunContext): Promise<boolean> {
  const { agent, round } = work.effect;
  const said = unheardInputs(work.state(), agent);
  if (said.length === 0) return false;
  const { heard } = await talk.offer({ type: "input_delivered", agent, round, numbers: said.map(({ number }) => number) });
  const texts = said.filter(({ number }) => heard.includes(number)).map(({ text }) => text);
  if (texts.length > 0) talk.conversation.addUser(prompts.saidNow(texts));
  return texts.length > 0;
}

export const hasUnheard = (state: RunState, agent: string): boolean => unheardInputs(state, agent).length > 0;
