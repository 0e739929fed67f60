import type { Respond } from "../options.js";
import type { Pace } from "../reply.js";
import { type Move, moveReply } from "./move.js";
import { type PromptView, readPrompt } from "./read-prompt.js";

export interface QuizTeamOptions {
  /** The models in the order of their agents. */
  readonly models: readonly string[];
  /** The short answer a member gives to a question; `null` when it has none, and says so. */
  readonly reply: (question: string, member: number) => string | null;
  /** Default: a quarter of a second before everything. */
  readonly pace?: Pace;
}

/**
 * Stand-ins that take a quiz: each gives its own answer, then all vote for the answer that most have given, and the winner
 * presents. Whether the team does better than its members follows from whether their mistakes differ.
 */
export function createQuizTeam({ models, reply, pace = { firstTokenMs: 250, tokensPerSecond: 0 } }: QuizTeamOptions): Respond {
  return (request) => {
    const member = Math.max(0, models.indexOf(request.model));
    const view = readPrompt(request);
    return moveReply(chooseMove(view, member, reply(view.question, member)), pace);
  };
}

function chooseMove(view: PromptView, member: number, short: string | null): Move {
  const text = answerText(member, short);
  if (view.asks === "evaluate") {
    const target = mostGiven(view);
    return { kind: "vote", target, reason: "Simulated vote: most have given this answer.", remark: "" };
  }
  return view.asks === "answer" ? { kind: "answer", content: text, remark: "" } : { kind: "say", text };
}

/** In words of their own, so that equal answers are not taken for copies. */
const WORDS: readonly string[] = [
  "Simulated answer: a stand-in was asked, no model.",
  "No model has thought about this; these lines are simulated.",
  "What follows is simulated and comes from no model.",
];

const answerText = (member: number, short: string | null): string =>
  `${WORDS[member % WORDS.length]}${member < WORDS.length ? "" : ` (${member + 1})`}\n\nAnswer: ${short ?? "unknown"}`;

/** The agent with the most common answer; of equals the one shown first. */
function mostGiven({ answers, mayVoteFor }: PromptView): string {
  const open = answers.filter(({ from }) => mayVoteFor.includes(from));
  const given = new Map<string, number>();
  for (const { text } of open) given.set(shortOf(text), (given.get(shortOf(text)) ?? 0) + 1);
  let best: (typeof open)[number] | null = null;
  for (const answer of open) if (best === null || countOf(given, answer.text) > countOf(given, best.text)) best = answer;
  return best?.from ?? mayVoteFor[0] ?? "agent1";
}

const countOf = (given: ReadonlyMap<string, number>, text: string): number => given.get(shortOf(text)) ?? 0;
const shortOf = (text: string): string => text.slice(text.lastIndexOf("Answer:")).trim();
