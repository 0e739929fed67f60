import type { ToolChoice } from "@massgen/contracts";
import { agentOf } from "@massgen/kernel";
import type { EvaluateEffect, Work } from "../executor/work.js";
import { errorOutput } from "../tools/call-tool.js";
import { MAX_TURNS } from "./bounds.js";
import { openEvaluation } from "./open-evaluation.js";
import type { Response } from "./read-action.js";
import { missed, readDecision } from "./read-decision.js";
import type { RunContext } from "./run-context.js";
import type { Turn } from "./stream-turn.js";
import { createTalk, type Talk } from "./talk.js";

/** The presenter judges the presented answer: one call releases it or sends the team back (docs/spec/coordination.md 1.18). */
export async function evaluate(work: Work<EvaluateEffect>, run: RunContext): Promise<void> {
  const { agent, round } = work.effect;
  const talk = createTalk(work, run, "evaluation", openEvaluation(work.state(), agent, run));
  const course: Course = { turns: 0, isCut: false };
  try {
    for (let goesOn = true; goesOn; ) {
      course.turns += 1;
      const turn = await talk.turn(choice(talk, work, run));
      if (turn.type === "aborted") return;
      if (turn.type === "failed" || turn.reason === "refusal") {
        const message = turn.type === "failed" ? turn.message : "the model declined";
        await talk.offer({ type: "evaluation_failed", agent, round, message });
        return;
      }
      goesOn = await takeStep(turn, talk, work, run, course);
    }
  } finally {
    talk.transcribe();
  }
}

interface Course {
  turns: number;
  /** The token limit cut the last response, and it was let go on. */
  isCut: boolean;
}

/** Free at first; the last attempt must call something, where the backend can be told so. */
function choice(talk: Talk, work: Work<EvaluateEffect>, { policy }: RunContext): ToolChoice {
  const attempts = agentOf(work.state(), work.effect.agent)?.attempts ?? 0;
  const isLast = attempts > 0 && attempts + 1 >= policy.maxAttemptsPerRound;
  return isLast && talk.agent.backend.capabilities.forcedToolChoice ? "required" : "auto";
}

/** Everything one response leads to. False when the evaluation is over. */
async function takeStep(
  turn: Extract<Turn, { type: "ended" }>,
  talk: Talk,
  work: Work<EvaluateEffect>,
  run: RunContext,
  course: Course,
): Promise<boolean> {
  const { prompts, policy } = run;
  const response = talk.sort(turn);
  const others = turn.calls.filter((call) => !response.workflow.includes(call));
  const isLate = course.turns > MAX_TURNS;
  const late = `there is no decision after ${MAX_TURNS} responses`;
  const outputs = await talk.serve(others, isLate ? prompts.decideNow({ message: late, attemptsLeft: 1 }) : null);
  if (work.signal.aborted) return false;
  const isCut = turn.reason === "length" && turn.calls.length === 0 && !course.isCut;
  course.isCut = isCut;
  const claim = isCut ? null : (readDecision(response) ?? (isLate ? missed(response, "no_workflow_tool", late) : null));
  if (claim === null) {
    talk.answer(turn, outputs, errorOutput(prompts.alsoRefused()));
    if (turn.reason === "length") talk.conversation.addUser(prompts.truncated());
    return true;
  }
  const verdict = await talk.offer(claim);
  if (verdict.isOver || verdict.refused === null) return false;
  const { message, attempt } = verdict.refused;
  const text = prompts.decideNow({ message, attemptsLeft: policy.maxAttemptsPerRound - attempt });
  const [judged] = judgedCalls(response);
  talk.answer(
    turn,
    judged === undefined ? outputs : new Map([...outputs, [judged, errorOutput(text)]]),
    errorOutput(prompts.alsoRefused()),
  );
  if (judged === undefined) talk.conversation.addUser(text);
  return true;
}

const judgedCalls = ({ workflow, unknown }: Response): Response["workflow"] => (workflow.length > 0 ? workflow : unknown);
