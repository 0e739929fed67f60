import type { ToolCallPart, ToolOutput } from "@massgen/contracts";
import { type AnswerClaim, agentOf, type Signal, shownTo } from "@massgen/kernel";
import type { RoundEffect, Work } from "../executor/work.js";
import { checkAnswer } from "../files/check-answer.js";
import { errorOutput } from "../tools/call-tool.js";
import { MAX_REFUSALS, MAX_TURNS } from "./bounds.js";
import { callableNow } from "./callable-now.js";
import { goOnRound } from "./go-on-round.js";
import { hasUnheard } from "./hear.js";
import { type Opening, openRound } from "./opening.js";
import { nothing, type Response, readAction } from "./read-action.js";
import type { RunContext } from "./run-context.js";
import { passSafePoint } from "./safe-point.js";
import type { Turn } from "./stream-turn.js";
import { type Answered, createTalk, type Talk } from "./talk.js";
import { chooseTools } from "./tool-choice.js";

type Ended = Extract<Turn, { type: "ended" }>;
type Nothing = Extract<Signal, { type: "nothing_offered" }>;

/** What a round must remember from one response to the next. */
interface Course {
  turns: number;
  /** Responses in a row that the token limit cut. */
  cuts: number;
  refusals: number;
  /** The newest text that was not blank. */
  lastText: string;
}

/**
 * The conversation of one round, from its prompt to the action that ends it. Holds the conversation and translates; every
 * judgement is the kernel's, whose verdict becomes the results of the calls.
 */
export async function runRound(work: Work<RoundEffect>, run: RunContext): Promise<void> {
  const { agent } = work.effect;
  const afresh = (): Opening => openRound(work.state(), agent, run);
  const state = work.state();
  const viewer = agentOf(state, agent);
  if (viewer === undefined) return;
  await run.files.prepare(state, agent, shownTo(state, viewer), work.emit);
  if (work.signal.aborted) return;
  if (run.policy.enableRestarts) return converse(afresh(), work, run);
  return run.kept.inTurn(agent, async () => {
    if (!work.signal.aborted) await converse(goOnRound(work.state(), agent, run) ?? afresh(), work, run);
  });
}

async function converse(opening: Opening, work: Work<RoundEffect>, run: RunContext): Promise<void> {
  const talk = createTalk(work, run, "work", opening);
  const course: Course = { turns: 0, cuts: 0, refusals: 0, lastText: "" };
  try {
    for (let goesOn = true; goesOn; ) {
      if (course.turns > 0 && !(await passSafePoint(talk, work, run))) return;
      course.turns += 1;
      const turn = await talk.turn(choice(talk, work, run));
      if (turn.type === "aborted") return;
      if (turn.type === "failed" || turn.reason === "refusal") return await fail(turn, talk, work, course);
      goesOn = await takeStep(turn, talk, work, run, course);
    }
  } finally {
    talk.transcribe();
  }
}

function choice(talk: Talk, work: Work<RoundEffect>, run: RunContext) {
  const { tools, hardTimeout } = work.inputs();
  return chooseTools({
    attempts: agentOf(work.state(), work.effect.agent)?.attempts ?? 0,
    maxAttempts: run.policy.maxAttemptsPerRound,
    hardTimeout,
    callable: tools,
    canForce: talk.agent.backend.capabilities.forcedToolChoice,
  });
}

/** A refusal is final and its text no answer; of everything else the text so far may be kept by the kernel. */
async function fail(turn: Exclude<Turn, { type: "aborted" }>, talk: Talk, { effect }: Work<RoundEffect>, course: Course): Promise<void> {
  const { agent, round } = effect;
  if (turn.type === "failed") {
    const text = turn.partial.trim() === "" ? course.lastText : turn.partial;
    await talk.offer({ type: "round_failed", agent, round, kind: turn.kind, message: turn.message, text });
  } else {
    const message = `the model declined: ${turn.text.trim() === "" ? "it gave no reason" : turn.text.trim()}`;
    await talk.offer({ type: "round_failed", agent, round, kind: "backend_fatal", message, text: "" });
  }
}

/** Everything one response leads to. False when the round is over. */
async function takeStep(turn: Ended, talk: Talk, work: Work<RoundEffect>, run: RunContext, course: Course): Promise<boolean> {
  const isTimeUp = work.inputs().hardTimeout;
  const response = talk.sort(turn);
  if (turn.text.trim() !== "") course.lastText = turn.text;
  // Ordinary calls of a response run before its action, which may be about what they did.
  const others = turn.calls.filter((call) => !response.workflow.includes(call));
  const refusal =
    isTimeUp || course.turns > MAX_TURNS ? run.prompts.timeIsOver(callableNow(work.state(), response.agent, run.policy)) : null;
  const outputs = await talk.serve(others, refusal);
  if (work.signal.aborted) return false;
  const claim = claimOf(turn, response, isTimeUp, course, run);
  course.refusals = isTimeUp && claim === null ? course.refusals + others.length : 0;
  if (claim === null) {
    if (course.refusals >= MAX_REFUSALS) return endByTime(talk, response, course, work, run);
    talk.answer(turn, outputs, errorOutput(run.prompts.alsoRefused()));
    if (turn.reason === "length") talk.conversation.addUser(run.prompts.truncated());
    return true;
  }
  // A word that may be the agent's last waits until it has heard what was said to it; an answer is followed by another round.
  if ((claim.type === "vote_offered" || claim.type === "stop_offered") && !isTimeUp && hasUnheard(work.state(), claim.agent)) {
    talk.answer(turn, outputs, errorOutput(run.prompts.hearFirst()));
    return true;
  }
  const verdict = await talk.offer(await withFiles(claim, work, run));
  if (verdict.isOver) {
    if (verdict.isSettled && !run.policy.enableRestarts) keep(turn, outputs, talk, work, run);
    return false;
  }
  tell(verdict, { turn, response, outputs, talk, work, run });
  return true;
}

/**
 * The claim of a response, or `null` when the conversation simply goes on: the agent uses its tools, or the token limit
 * cut it for the first time.
 */
function claimOf(turn: Ended, response: Response, isTimeUp: boolean, course: Course, run: RunContext): ReturnType<typeof readAction> {
  const heard = isTimeUp ? { ...response, ordinary: [...response.ordinary, ...response.unknown], unknown: [] } : response;
  const action = readAction(heard, run.fingerprint);
  const isMissing = action === null || action.type === "nothing_offered";
  const isCut = turn.reason === "length" && isMissing && response.workflow.length === 0;
  course.cuts = isCut ? course.cuts + 1 : 0;
  if (isCut)
    return course.cuts === 1
      ? null
      : nothing(response, "no_tool_calls", null, "the token limit cut it off for the second time before it answered or voted");
  if (action !== null || course.turns <= MAX_TURNS) return action;
  return nothing(response, "no_workflow_tool", null, `after ${MAX_TURNS} responses there is still neither an answer nor a vote`);
}

/** No answer is too long; from here on people are told (docs/spec/coordination.md 1.5). */
const LONG_ANSWER_CHARS = 200_000;

/** An answer is its text and the files as they are now. */
async function withFiles<S extends Signal>(claim: S, { effect, emit, signal }: Work<RoundEffect>, run: RunContext): Promise<S> {
  const answer: AnswerClaim | null = claim.type === "answer_offered" ? claim : claim.type === "several_offered" ? claim.answer : null;
  if (answer === null) return claim;
  if (answer.content.length > LONG_ANSWER_CHARS) {
    const message = `An answer of ${answer.content.length} characters: every other agent reads all of it, in every round.`;
    emit({ type: "notice", level: "warning", agent: effect.agent, message });
  }
  const snapshot = await run.files.publish(effect.agent, emit);
  const verification = await checkAnswer(effect.agent, answer.content, snapshot, run, signal);
  const more = { snapshot, ...(verification === null ? {} : { verification }) };
  return claim.type === "several_offered" ? { ...claim, answer: { ...answer, ...more } } : { ...claim, ...more };
}

/** Leaves the conversation fit to be gone on with: every call of its last response has its result. */
function keep(turn: Ended, outputs: ReadonlyMap<ToolCallPart, ToolOutput>, talk: Talk, work: Work<RoundEffect>, run: RunContext): void {
  talk.answer(turn, outputs, { parts: [{ type: "text", text: run.prompts.roundOver() }], isError: false });
  const { attempt } = work.state();
  run.kept.keep(work.effect.agent, {
    attempt,
    messages: talk.conversation.messages(),
    shown: talk.shown(),
    heard: talk.heard(),
    tokens: talk.contextTokens(),
  });
}

async function endByTime(
  talk: Talk,
  { agent, round }: Response,
  { lastText }: Course,
  work: Work<RoundEffect>,
  run: RunContext,
): Promise<boolean> {
  const content = lastText.trim();
  const answer =
    content === "" ? null : { content, fingerprint: run.fingerprint(content), snapshot: await run.files.publish(agent, work.emit) };
  await talk.offer({ type: "round_timed_out", agent, round, answer, text: lastText });
  return false;
}

interface Told {
  readonly turn: Ended;
  readonly response: Response;
  readonly outputs: ReadonlyMap<ToolCallPart, ToolOutput>;
  readonly talk: Talk;
  readonly work: Work<RoundEffect>;
  readonly run: RunContext;
}

/** The verdict as the model gets it: the result of the first call it is about, or a message when there was no call. */
function tell(verdict: Answered, { turn, response, outputs, talk, work, run }: Told): void {
  const { prompts, policy } = run;
  const callable = callableNow(work.state(), response.agent, run.policy);
  const { refused } = verdict;
  const texts: string[] = [];
  if (refused !== null) {
    const { code, message, attempt } = refused;
    const isPlainText = code === ("no_tool_calls" satisfies Nothing["code"]) && response.text.trim() !== "";
    texts.push(prompts.refusal({ ...callable, code, message, attemptsLeft: policy.maxAttemptsPerRound - attempt, isPlainText }));
  }
  if (verdict.isStale) texts.push(work.state().mode === "decomposition" ? prompts.staleStop() : prompts.staleVote());
  if (verdict.versions.length > 0) texts.push(prompts.update({ ...callable, versions: verdict.versions }));
  const text = texts.join("\n\n");
  const [judged] = response.workflow.length > 0 ? response.workflow : response.unknown;
  if (judged === undefined) {
    talk.answer(turn, outputs, errorOutput(prompts.alsoRefused()));
    talk.conversation.addUser(text);
    return;
  }
  const known = outputs.get(judged);
  const parts = [...(known?.parts ?? []), { type: "text", text } as const];
  talk.answer(turn, new Map([...outputs, [judged, { parts, isError: refused !== null }]]), errorOutput(prompts.alsoRefused()));
}
