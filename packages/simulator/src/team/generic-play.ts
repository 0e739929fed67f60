import type { Part, Play } from "./part.js";

/** Which members of a team of this size give the better second answer, and who disagrees in the end. */
function roles(size: number): { readonly improver: number; readonly dissenter: number | null } {
  return { improver: size > 1 ? 1 : 0, dissenter: size > 2 ? size - 1 : null };
}

/**
 * What a team of stand-ins says to a question nobody prepared: plainly that no model was asked. The run has the shape of
 * a real one all the same. No model is named in what peers read: answers are anonymous here too.
 */
export function genericPlay(question: string, models: readonly string[]): Play {
  const { improver, dissenter } = roles(models.length);
  const improvement = improvementText(question);
  const parts = models.map((model, index): Part => {
    const next = (index + 1) % models.length;
    return {
      answer: answerText(index, question),
      improvement: index === improver ? improvement : null,
      earlyBallot: { for: answerText(next, question), reason: pick(EARLY_REASONS, index) },
      lateBallot:
        index === dissenter
          ? {
              for: answerText(0, question),
              reason: "Simulated dissent: I prefer the first draft, so that a disagreement can be seen in the record.",
            }
          : { for: improvement, reason: pick(LATE_REASONS, index) },
      final: finalText(model, question),
      alone: aloneText(model, question),
      remarks: {
        answer: "(simulated) Writing a first draft.",
        improvement: "(simulated) The drafts can be brought together.",
        earlyBallot: "(simulated) Comparing the drafts.",
        lateBallot: "(simulated) Looking at the new answer.",
      },
    };
  });
  return { parts, improvement };
}

const letter = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : `A${index}`);
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

const answerText = (index: number, question: string): string =>
  `Simulated answer, draft ${letter(index)}.\n\n${pick(DRAFTS, index)(quote(question))}`;

/** In words of their own, so that a rule against answers that are too much alike lets them pass. */
const DRAFTS: readonly ((quoted: string) => string)[] = [
  (quoted) => `This text comes from a stand-in that runs inside MassGen; no model was asked. Your question was:

${quoted}

A model in this place would answer at once, from what it knows, and say how sure it is.`,
  (quoted) => `You asked:

${quoted}

Nobody has thought about it: no model was asked, and a small program wrote these lines. The first step of real work would be to take the task apart. What is given, what is wanted, what is missing? Then each point gets its own short paragraph.`,
  (quoted) => `Placeholder, made without any model (no model was asked), for

${quoted}

Here an agent with a sceptical mind looks for traps. Which obvious reply is wrong? Where does it break under load, over years, or for unusual people? Its version ends up longer but safer.`,
  (quoted) => `> Note: stand-in speaking; no model was asked.

${quoted}

Several ways lead to a goal. One would list three of them in a table with costs, gains and risks, recommend the second, and name the condition that changes the recommendation.`,
  (quoted) => `${quoted}

Machine-made filler follows, since no model was asked. Start from an example, solve that case completely, check the result by another route, then draw general conclusions.`,
];

const improvementText = (question: string): string => `Simulated answer, second round.

Its author, a stand-in again (no model was asked), has now been shown all first drafts on

${quote(question)}

This version replaces the earlier one. A real agent would keep what the drafts agree on, settle where they differ, and repair what each of them lacks. Because the answers have changed, every vote cast before is void, and the team votes again.`;

const EARLY_REASONS = [
  "Simulated vote: the draft goes through the question point by point.",
  "Simulated vote: the draft is the most careful one.",
  "Simulated vote: the draft is the shortest one that is complete.",
];

const LATE_REASONS = [
  "Simulated vote: it brings all drafts together and leaves nothing out.",
  "Simulated vote: it says where the drafts differ and settles it.",
  "Simulated vote: it is the only answer written with all others in view.",
];

const finalText = (
  model: string,
  question: string,
): string => `This is a simulated final answer from MassGen's stand-in for ${model}; no model was asked. Your question was:

${quote(question)}

The words are a placeholder, the rest is real: the requests went over HTTP through the normal adapter, answers and votes were judged by the rules of every run, and all of it is in the log. With a key, the same question goes to real models.`;

const aloneText = (
  model: string,
  question: string,
): string => `This is a simulated answer from MassGen's stand-in for ${model}; no model was asked. Your question was:

${quote(question)}

The words are a placeholder, the way here is real: the request went over HTTP through the normal adapter, and it is in the log. With a key, the same question goes to a real model.`;

const LONGEST_QUOTE = 160;

/** The question as a Markdown quotation, shortened when it is long. */
function quote(question: string): string {
  const characters = [...question.trim()];
  const text = characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join("").trimEnd()} …` : characters.join("");
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
