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
  /** One pace for everything. Default: like vendors', only faster, so that the demo takes three to four seconds. */
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
    return moveReply(move, options.pace ?? paceOf(move, member, models.length));
  };
}

/** The prepared answers belong to the demo's own team; in any other they would not add up to a run. */
function playFor(question: string, models: readonly string[]): Play {
  const isDemo = question.trim() === DEMO_QUESTION && demoTeam().every((agent, index) => agent.model === models[index]);
  return isDemo && models.length === demoPlay.parts.length ? demoPlay : genericPlay(question, models);
}

/** Members finish their first answers one after the other, and an improvement comes after the votes it voids. */
function paceOf(move: Move, member: number, teamSize: number): Pace {
  const pace = PACES[move.kind];
  const stagger = STAGGER_MS * (move.kind === "improvement" ? teamSize : member);
  return { ...pace, firstTokenMs: pace.firstTokenMs + stagger };
}

const STAGGER_MS = 60;
const PACES: Readonly<Record<Move["kind"], Pace>> = {
  answer: { firstTokenMs: 200, tokensPerSecond: 560, tokensPerPacket: 4 },
  improvement: { firstTokenMs: 120, tokensPerSecond: 600, tokensPerPacket: 4 },
  vote: { firstTokenMs: 160, tokensPerSecond: 320, tokensPerPacket: 4 },
  release: { firstTokenMs: 160, tokensPerSecond: 320, tokensPerPacket: 4 },
  stop: { firstTokenMs: 160, tokensPerSecond: 320, tokensPerPacket: 4 },
  say: { firstTokenMs: 200, tokensPerSecond: 760, tokensPerPacket: 6 },
};
