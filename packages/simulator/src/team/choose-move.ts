import type { SimulatedToolChoice } from "../request.js";
import { compared, divided, harmless, type Move, reworded } from "./move.js";
import type { Ballot, Part, Play } from "./part.js";
import type { PromptView, ShownText } from "./read-prompt.js";

export interface Turn {
  readonly part: Part;
  readonly play: Play;
  readonly toolChoice: SimulatedToolChoice;
  /** Requests this stand-in has had before: makes a second first answer differ from the first. */
  readonly index: number;
}

/** What a decent model would do with this prompt. */
export function chooseMove(view: PromptView, turn: Turn): Move {
  const { part, play } = turn;
  if (view.asks === "plan") return harmless;
  if (view.asks === "divide") return divided(view.partsFor);
  if (view.asks === "reword") return reworded(view.wordings);
  if (view.asks === "compare") return compared(view.wordings);
  if (view.asks === "judge") return { kind: "release", remark: "(simulated) Checking the final answer against the question." };
  if (view.asks === "present") return { kind: "say", text: part.final };
  if (view.asks === "plain") return { kind: "say", text: part.alone };
  // A part is delivered once; its author finds it among the answers it is shown.
  if (view.mayStop && (!view.mayAnswer || view.answers.some((answer) => isSame(answer, part.answer))))
    return { kind: "stop", summary: "(simulated) This part is done." };
  const forced = typeof turn.toolChoice === "object" ? turn.toolChoice.tool : null;
  if (view.asks === "answer" || forced === "new_answer")
    return { kind: "answer", content: anotherTime(part.answer, turn.index), remark: part.remarks.answer };
  const isImproved = view.answers.some((answer) => isSame(answer, play.improvement));
  // A conversation that goes on after a call is one in which the call did not count: the second time it votes.
  if (part.improvement !== null && view.mayAnswer && !isImproved && view.tried.length === 0 && forced !== "vote")
    return { kind: "improvement", content: part.improvement, remark: part.remarks.improvement };
  const [ballot, remark] = isImproved ? [part.lateBallot, part.remarks.lateBallot] : [part.earlyBallot, part.remarks.earlyBallot];
  return { kind: "vote", target: targetOf(ballot, view), reason: ballot.reason, remark };
}

/** Two agents may share a model, and a first round may be tried twice: equal answers would be refused as duplicates. */
const anotherTime = (answer: string, index: number): string => (index === 0 ? answer : `${answer}\n\n(Variant ${index + 1}.)`);

/** The agent whose answer the ballot means; when nobody has it, or it may not be voted for, the last one shown. */
function targetOf(ballot: Ballot, view: PromptView): string {
  const meant = view.answers.find((answer) => view.mayVoteFor.includes(answer.from) && isSame(answer, ballot.for));
  return meant?.from ?? view.answers.findLast((answer) => view.mayVoteFor.includes(answer.from))?.from ?? view.mayVoteFor[0]!;
}

/** Answers are known by their first line, which no two of a play share. */
const isSame = (answer: ShownText, text: string): boolean => answer.text.split("\n", 1)[0] === text.split("\n", 1)[0];
