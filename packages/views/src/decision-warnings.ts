import { listOf } from "./rule-text.js";
import { nameOf, type RunView } from "./run-view.js";
import { countedBallots } from "./vote-report.js";

/** What makes an agreement weaker than it looks. Agreement is not correctness; these are the cases where it says least. */
export function warningsOf(view: RunView): readonly string[] {
  if (view.decision === null) return [];
  const votes = countedBallots(view);
  const { fact, live } = view.decision;
  const warnings: string[] = [];
  if (votes.length > 0 && votes.every((ballot) => ballot.voter === ballot.target)) {
    warnings.push(
      votes.length === 1
        ? "The only vote that counted is the author's own."
        : "Every vote that counted was cast for the voter's own answer: nobody was convinced by a peer.",
    );
  } else if (
    fact.selection === "votes" &&
    votes.filter((ballot) => ballot.targetLabel === fact.label).every((ballot) => ballot.voter === ballot.target)
  ) {
    warnings.push("The winner's only vote is its own.");
  }
  const families = new Set(votes.map((ballot) => familyOf(view.agents.get(ballot.voter)?.card.model ?? "")));
  const [family] = families;
  if (votes.length > 1 && families.size === 1 && family !== undefined && family !== "") {
    warnings.push(`All votes come from one model family (${family}): the same model tends to like its own way of writing.`);
  }
  const wordless = votes.filter((ballot) => ballot.reason.trim() === "").map((ballot) => nameOf(view, ballot.voter));
  if (wordless.length > 0) warnings.push(`${listOf(wordless)} gave no reason.`);
  const unsure = votes.filter((ballot) => ballot.confidenceDefaulted).map((ballot) => nameOf(view, ballot.voter));
  if (unsure.length > 0) warnings.push(`${listOf(unsure)} gave no confidence that could be read; it counts as 0.5.`);
  if (votes.length > 0 && votes.length < live.length)
    warnings.push(`${live.length - votes.length} of ${live.length} live agents cast no vote that counted.`);
  if (view.answers.some((answer) => answer.label === fact.label && answer.salvaged)) {
    warnings.push("The answer was never submitted: it is the last text of an agent that failed.");
  }
  return warnings;
}

/**
 * The family of a model by its name: `gpt-5-mini` and `openai/gpt-5` are `gpt`, `claude-sonnet-4-5` is `claude`,
 * `llama3.1:8b` is `llama`. A guess by the leading word, which is how vendors name them; a stand-in is of the family it
 * stands in for.
 */
export function familyOf(model: string): string {
  const bare = model.toLowerCase().split("/").at(-1) ?? "";
  const real = bare.replace(/^simulated-/, "");
  return /^[\p{Letter}]+/u.exec(real)?.[0] ?? real;
}
