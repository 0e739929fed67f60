import { visibleLine } from "../visible-text.js";
import { block, type Teller } from "./block.js";
import { listed, nameOf } from "./names.js";

/** What comes before the rounds, the judging of the final answer, and further attempts. */
export const attemptTellers: Teller = {
  planning_analysis_started: (fact, run) =>
    block(nameOf(run, fact.agent), "faint", "is asked what of the task cannot be undone", { weight: "detail" }),
  planning_decided: (fact) => {
    const why = fact.failure === null ? "" : ` (${visibleLine(fact.failure)})`;
    if (!fact.irreversible) return block(null, "faint", "planning mode is off: nothing of the task is irreversible", { weight: "detail" });
    const what = fact.blockedTools.length === 0 ? "every outside tool" : listed(fact.blockedTools.map(visibleLine));
    return block(null, "warning", `planning mode: ${what} is for the presentation only${why}`);
  },
  paraphrasing_started: (fact, run) => block(nameOf(run, fact.agent), "faint", "puts the question in other words", { weight: "detail" }),
  question_paraphrased: (fact) =>
    fact.agent === null
      ? block(null, "warning", `no other wording of the question (${visibleLine(fact.failure ?? "")}): everybody gets it as it is`)
      : block(null, "faint", "the question in other words", { quote: fact.wordings.map(visibleLine).join("\n"), weight: "detail" }),
  division_started: (fact, run) => block(nameOf(run, fact.agent), "faint", "divides the work", { weight: "detail" }),
  work_divided: (fact) =>
    fact.agent === null
      ? block(null, "warning", `the work was not divided (${visibleLine(fact.failure ?? "")}): everybody takes a share of it`)
      : null,
  subtasks_set: (fact, run) =>
    block(null, "faint", "the parts", {
      quote: Object.entries(fact.subtasks)
        .map(([agent, part]) => `${nameOf(run, agent)}: ${visibleLine(part)}`)
        .join("\n"),
    }),
  irreversible_tool_ran: (fact, run) =>
    block(nameOf(run, fact.agent), "warning", `runs ${visibleLine(fact.name)}, which cannot be undone: there will be no other attempt`),
  post_evaluation_started: (fact, run) => block(nameOf(run, fact.agent), "faint", "judges the final answer", { weight: "detail" }),
  post_evaluation_finished: (fact, run) =>
    fact.verdict === "restart"
      ? block(nameOf(run, fact.agent), "warning", "is not content with the final answer", { quote: visibleLine(fact.reason) || null })
      : fact.note === null
        ? null
        : block(null, "warning", `the final answer is released unjudged: ${visibleLine(fact.note)}`),
  attempt_restarted: (fact) =>
    block(null, "warning", `attempt ${fact.attempt} of ${fact.maxAttempts} begins`, { quote: visibleLine(fact.instructions) || null }),
  earlier_attempt_used: (fact) =>
    block(null, "warning", `nothing came of it: what attempt ${fact.attempt} had presented is the final answer`),
};
