import type { RoundEffect, Work } from "../executor/work.js";
import { checkAnswer } from "../files/check-answer.js";
import { MAX_REFUSALS, MAX_TURNS } from "./bounds.js";
import { hear } from "./hear.js";
import { openSingle } from "./opening.js";
import { nothing } from "./read-action.js";
import type { RunContext } from "./run-context.js";
import { passSafePoint } from "./safe-point.js";
import { type SpeakRules, type Spoken, speak } from "./speak.js";
import { createTalk, type Talk } from "./talk.js";

/** One agent by itself: one conversation without workflow tools, whose text is the answer (docs/spec/coordination.md 1.16). */
export async function runSingle(work: Work<RoundEffect>, run: RunContext): Promise<void> {
  await run.files.prepare(work.state(), work.effect.agent, [], work.emit);
  if (work.signal.aborted) return;
  const talk = createTalk(work, run, "work", openSingle(work.state(), work.effect.agent, run));
  const rules = rulesOf(talk, work, run);
  try {
    for (let spoken = await speak(talk, run, work.signal, rules); ; spoken = await speak(talk, run, work.signal, rules)) {
      if (spoken.type === "text" && !work.inputs().hardTimeout && (await hear(talk, work, run))) {
        talk.conversation.addUser(run.prompts.saidAfterText());
        continue;
      }
      const goesOn = await offer(spoken, talk, work, run);
      if (!goesOn || !(await passSafePoint(talk, work, run))) return;
      talk.conversation.addUser(run.prompts.sayIt());
    }
  } finally {
    talk.transcribe();
  }
}

function rulesOf(talk: Talk, work: Work<RoundEffect>, run: RunContext): SpeakRules {
  const { agent, round } = work.effect;
  const isTimeUp = (): boolean => work.inputs().hardTimeout;
  let refusals = 0;
  return {
    maxTurns: MAX_TURNS,
    toolChoice: () => (isTimeUp() && talk.tools.length > 0 ? "none" : "auto"),
    safePoint: () => passSafePoint(talk, work, run),
    refusal: () => (isTimeUp() ? run.prompts.timeIsOver({ tools: [], voteFor: [] }) : null),
    onWorkflow: () => new Map(),
    async onRefused(calls, text) {
      refusals += calls;
      if (refusals < MAX_REFUSALS) return null;
      const content = text.trim();
      const answer =
        content === "" ? null : { content, fingerprint: run.fingerprint(content), snapshot: await run.files.publish(agent, work.emit) };
      await talk.offer({ type: "round_timed_out", agent, round, answer, text });
      return { type: "over" };
    },
  };
}

/** True when the kernel wants another try. */
async function offer(spoken: Spoken, talk: Talk, work: Work<RoundEffect>, run: RunContext): Promise<boolean> {
  const { agent, round } = work.effect;
  // A single agent that answers by itself is offered none of the caller's tools.
  if (spoken.type === "over" || spoken.type === "client") return false;
  if (spoken.type === "failed") {
    const { kind, message, partial: text } = spoken;
    return !(await talk.offer({ type: "round_failed", agent, round, kind, message, text })).isOver;
  }
  const content = spoken.text.trim();
  if (content === "") {
    const detail = spoken.isCut ? "the token limit cut it off twice before it had any text" : "it has no text";
    return !(await talk.offer(nothing({ agent, round, text: "" }, "empty_answer", null, detail))).isOver;
  }
  if (spoken.isCut)
    work.emit({ type: "notice", level: "warning", agent, message: "The answer was cut off by the token limit and is not complete." });
  const snapshot = await run.files.publish(agent, work.emit);
  const verification = await checkAnswer(agent, content, snapshot, run, work.signal);
  const checked = verification === null ? {} : { verification };
  return !(await talk.offer({ type: "answer_offered", agent, round, content, fingerprint: run.fingerprint(content), snapshot, ...checked }))
    .isOver;
}
