import { demoPlay } from "../demo/demo-play.js";
import { DEMO_QUESTION } from "../demo/question.js";
import { demoTeam } from "../demo/team.js";
import type { Respond } from "../options.js";
import type { Pace } from "../reply.js";
import { chooseMove } from "./choose-move.js";
import { genericPlay } from "./generic-play.js";
import { type Move, moveReply } from "./move.js";
import type { Play } from "./part.js";
import { readPrompt } from "./read-prompt.js";

export interface SimulatedTeamOptions {
  /** The models in the order of their agents; others join in the order in which they ask. Default: those of `demoTeam`. */
  readonly models?: readonly string[];
  /** One pace for everything. Default: like vendors', only faster, so that a run takes about four seconds. */
  readonly pace?: Pace;
}

/**
 * Stand-in models that behave like decent ones: each answers, one of them improves once on what all have said, the
 * others vote with reasons, one of them dissents, and the winner presents. To `DEMO_QUESTION` they have prepared
 * answers; to any other question they say plainly that no model was asked.
 *
 * What a stand-in does follows from what it is shown; of its own it remembers only the order of the models.
 */
export function createSimulatedTeam(options: SimulatedTeamOptions = {}): Respond {
  const models = [...(options.models ?? demoTeam().map((agent) => agent.model))];
  return (request) => {
    if (!models.includes(request.model)) models.push(request.model);
    const member = models.indexOf(request.model);
    const view = readPrompt(request);
    const play = playFor(view.question, models);
    const move = chooseMove(view, { play, part: play.parts[member]!, toolChoice: request.toolChoice, index: request.index });
    return moveReply(move, options.pace ?? paceOf(move, member));
  };
}

/** The prepared answers belong to the demo's own team; in any other they would not add up to a run. */
function playFor(question: string, models: readonly string[]): Play {
  const isDemo = question.trim() === DEMO_QUESTION && demoTeam().every((agent, index) => agent.model === models[index]);
  return isDemo && models.length === demoPlay.parts.length ? demoPlay : genericPlay(question, models);
}

/** Members finish their first answers one after the other, and votes come long before an improvement that voids them. */
function paceOf(move: Move, member: number): Pace {
  const pace = PACES[move.kind];
  return { ...pace, firstTokenMs: pace.firstTokenMs + 60 * (member % 5) };
}

const PACES: Readonly<Record<Move["kind"], Pace>> = {
  answer: { firstTokenMs: 220, tokensPerSecond: 460, tokensPerPacket: 4 },
  improvement: { firstTokenMs: 260, tokensPerSecond: 480, tokensPerPacket: 4 },
  vote: { firstTokenMs: 180, tokensPerSecond: 300, tokensPerPacket: 4 },
  say: { firstTokenMs: 200, tokensPerSecond: 640, tokensPerPacket: 4 },
};
