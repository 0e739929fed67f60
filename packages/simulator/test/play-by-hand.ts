import type { ShownText, Simulator } from "../src/index.js";
import { ask } from "./chat-client.js";
import { presentationBody, roundBody } from "./team-prompts.js";

export interface HandPlayed {
  /** `agent1 answers`, `agent3 votes for agent1`, `votes voided`, …, in the order of arrival. */
  readonly course: readonly string[];
  readonly answers: readonly ShownText[];
  readonly reasons: readonly string[];
  readonly final: string;
}

/**
 * A whole run without the engine: everybody answers, then rounds in which all look at all answers until nobody improves
 * any more. Votes of a round in which an answer arrives are void. Then the winner presents.
 */
export async function playByHand(simulator: Simulator, models: readonly string[], question: string): Promise<HandPlayed> {
  const course: string[] = [];
  let reasons: string[] = [];
  const answers = new Map<string, string>();
  for (let round = 0; round < 5; round++) {
    const shown = [...answers].map(([from, text]) => ({ from, text }));
    const votes: string[] = [];
    reasons = [];
    let isImproved = false;
    const moves = models.map(async (model, index) => {
      const agent = `agent${index + 1}`;
      const { calls } = await ask(simulator, roundBody(model, question, shown));
      const { name, input } = calls[0] as { name: string; input: { content: string; agent_id: string; reason: string } };
      course.push(name === "vote" ? `${agent} votes for ${input.agent_id}` : `${agent} answers`);
      if (name === "vote") {
        votes.push(input.agent_id);
        reasons.push(input.reason);
      } else {
        answers.set(agent, input.content);
        isImproved = true;
        if (votes.length > 0) course.push("votes voided");
      }
    });
    await Promise.all(moves);
    if (!isImproved) return { course, answers: shown, reasons, final: await present(simulator, models, question, shown, winnerOf(votes)) };
  }
  throw new Error(`the run does not end: ${course.join("; ")}`);
}

function winnerOf(votes: readonly string[]): string {
  const count = (id: string): number => votes.filter((vote) => vote === id).length;
  return [...votes].sort((a, b) => count(b) - count(a))[0]!;
}

async function present(
  simulator: Simulator,
  models: readonly string[],
  question: string,
  shown: readonly ShownText[],
  winner: string,
): Promise<string> {
  const model = models[Number(winner.slice("agent".length)) - 1]!;
  return (await ask(simulator, presentationBody(model, question, shown, winner))).text;
}
