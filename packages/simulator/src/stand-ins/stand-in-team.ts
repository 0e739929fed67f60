import type { Respond } from "../options.js";
import type { Pace } from "../reply.js";
import { chooseMove } from "../team/choose-move.js";
import { genericPlay } from "../team/generic-play.js";
import { moveReply } from "../team/move.js";
import { readPrompt } from "../team/read-prompt.js";

/** Who a stand-in stands in for. */
export interface StandIn {
  /** As requests name it: the header `x-simulated-agent`. */
  readonly agent: string;
  readonly model: string;
  /** How fast its vendor writes. Default: at once. */
  readonly pace?: Pace;
}

/**
 * Stand-ins for the agents of any team, several of them on one model too. To every question they answer plainly that no
 * model was asked; the run has the shape of a real one. What else can be asked of an agent (a part of the work, a stage, a
 * plan, a judgement) they do as a decent model would.
 */
export function createStandIns(team: readonly StandIn[]): Respond {
  const members = team.map((one, index) => ({ ...one, index }));
  const byName = new Map(members.map((member) => [member.agent, member]));
  const models = team.map(({ model }) => model);
  return (request) => {
    const member = byName.get(request.agent) ?? members.find(({ model }) => model === request.model);
    const view = readPrompt(request);
    const play = genericPlay(view.question, models);
    const part = play.parts[member?.index ?? 0]!;
    const move = chooseMove(view, { play, part, toolChoice: request.toolChoice, index: request.index });
    return moveReply(move, member?.pace);
  };
}
